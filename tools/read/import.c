// SPDX-License-Identifier: GPL-2.0
/*
 * import [-c COLUMN] [-u UNIT] [-n STATE,...] [-s SOURCE] [-t FACTS.TSV] INPUT SAMPLES.TSV
 *
 * Make samples from the results of another tool. INPUT is wult's datapoints.csv. With -c, INPUT is a
 * table whose cells are separated by commas, TABs or spaces. COLUMN is the column with the latencies:
 * its name, or its number from 1. A column named cpu or CPU has the CPUs; without it, all samples are of CPU -C (0). With -t,
 * write to FACTS.TSV these CPUs, and which taints no sample can have, because INPUT has no column for them. Print the names of
 * the states in the order of their indexes: those of -n, then the other states of INPUT.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "decimal.h"
#include "foreign.h"
#include "line.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "samples.h"
#include "tsv.h"

enum { LDIST, SILENT_TIME, WAKE_LATENCY, INTR_LATENCY, NR_TIMES };
enum { NONE = -1 };
enum { MAX_CPUS = 8192 };	/* the most that Linux has on any architecture */

/* wult's names; its times are in us since format 1.1, in ns before. */
static const char *const wult_times[NR_TIMES] = {
	"LDist", "SilentTime", "WakeLatency", "IntrLatency",
};

static const char *input;
static uint64_t line_nr;
static int times_at[NR_TIMES] = { NONE, NONE, NONE, NONE };
static int state_at = NONE, smi_at = NONE, nmi_at = NONE, intr_off_at = NONE, cpu_at = NONE;
static bool has_cpu[MAX_CPUS];
static int only_cpu;	/* -C */
static int unit_digits = 3;
static const char *source = "imported";
static char **states;
static size_t nr_states;
static uint64_t nr_rounded;
/* COLUMN's cell in the first line, if this line was taken for a header because the cell is not a number. */
static char *header_cell;

static char **cells;
static int nr_cells, cell_room;

static void add_cell(char *text)
{
	if (nr_cells == cell_room) {
		cell_room = cell_room ? cell_room * 2 : 64;
		cells = xrealloc(cells, cell_room, sizeof(*cells));
	}
	cells[nr_cells++] = text;
}

/* Split LINE into cells. The separator of the first line is used for the whole file. */
static void split(char *line, char separator)
{
	char *next;

	nr_cells = 0;
	if (separator == ' ') {
		for (char *word = strtok_r(line, " ", &next); word;
		     word = strtok_r(NULL, " ", &next))
			add_cell(word);
		return;
	}
	for (; line; line = next) {
		next = strchr(line, separator);
		if (next)
			*next++ = '\0';
		add_cell(line);
	}
}

static char separator_of(const char *line)
{
	return strchr(line, ',') ? ',' : strchr(line, '\t') ? '\t' : ' ';
}

static int find(const char *name)
{
	int found = NONE;

	for (int i = 0; i < nr_cells; i++) {
		if (strcmp(cells[i], name))
			continue;
		if (found != NONE)
			die("%s:1: two columns named %s", input, name);
		found = i;
	}
	return found;
}

/* Find wult's column NAME. A cell that only contains NAME (quotes, blanks) would be a column that is silently missing. */
static int find_wult(const char *name)
{
	int found = find(name);

	for (int i = 0; found == NONE && i < nr_cells; i++)
		if (strcasestr(cells[i], name))
			die("%s:1: column %d is '%s', not %s: write the name as wult does", input, i + 1, cells[i], name);
	return found;
}

static void find_wult_columns(void)
{
	for (int i = 0; i < NR_TIMES; i++)
		times_at[i] = find_wult(wult_times[i]);
	state_at = find_wult("ReqCState");
	smi_at = find_wult("SMICnt");
	nmi_at = find_wult("NMICnt");
	intr_off_at = find_wult("IntrOff");
	if (times_at[WAKE_LATENCY] == NONE && times_at[INTR_LATENCY] == NONE)
		die("%s:1: no column WakeLatency or IntrLatency, so it is not from wult: give the column (-c) and its unit (-u)", input);
	if (times_at[WAKE_LATENCY] == NONE)
		message("%s:1: no column WakeLatency: only interrupt latencies are imported", input);
}

/* True if TEXT is meant as a number. NaN, +5 and 1e99 are wrong values, but not headings. */
static bool meant_as_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return end != text && !*end;
}

/* Return the column called NAME or OTHER, unless it has the latencies. */
static int find_beside(const char *name, const char *other)
{
	int found = find(name);

	if (found == NONE)
		found = find(other);
	return found == times_at[WAKE_LATENCY] ? NONE : found;
}

/*
 * Find COLUMN, a number or a name. Return true if the first line is a header. Only this column's cell
 * decides, because other columns may have text in every line.
 */
static bool find_plain_column(const char *column)
{
	int64_t number;
	bool numbered = parse_s64(column, column + strlen(column), &number) && number >= 1 &&
			number <= nr_cells;

	if (numbered && meant_as_number(cells[number - 1])) {
		times_at[WAKE_LATENCY] = number - 1;
		return false;
	}
	times_at[WAKE_LATENCY] = find(column);
	if (times_at[WAKE_LATENCY] != NONE)
		return true;
	if (!numbered)
		die("%s:1: no column '%s'; there are %d", input, column, nr_cells);
	times_at[WAKE_LATENCY] = number - 1;
	header_cell = xstrdup(cells[number - 1]);
	return true;
}

static size_t state_index(const char *name)
{
	for (size_t i = 0; i < nr_states; i++)
		if (!strcmp(states[i], name))
			return i;
	states = xrealloc(states, nr_states + 1, sizeof(*states));
	states[nr_states] = xstrdup(name);
	return nr_states++;
}

static void put_time(FILE *out, int at)
{
	bool rounded = false;
	int64_t ns;

	if (at == NONE || !*cells[at]) {
		fputs("\t-", out);
		return;
	}
	if (!parse_decimal(cells[at], unit_digits, &ns, &rounded))
		die("%s:%" PRIu64 ": '%s' in column %d is not a number, or too great", input,
		    line_nr,
		    cells[at], at + 1);
	nr_rounded += rounded;
	fprintf(out, "\t%" PRId64, ns);
}

static bool counted(int at)
{
	bool rounded = false;
	int64_t v;

	if (at == NONE || !*cells[at])
		return false;
	if (!parse_decimal(cells[at], 0, &v, &rounded))
		die("%s:%" PRIu64 ": '%s' in column %d is not a number", input, line_nr, cells[at],
		    at + 1);
	return v > 0;
}

/* Return whether interrupts were on. Without IntrOff, they were on in a sample that has no wake latency. */
static bool irqs_were_on(void)
{
	const char *text = intr_off_at == NONE ? "" : cells[intr_off_at];

	if (!strcmp(text, "1") || !strcasecmp(text, "true"))
		return false;
	if (!strcmp(text, "0") || !strcasecmp(text, "false"))
		return true;
	if (*text)
		die("%s:%" PRIu64 ": IntrOff is '%s', neither 0 nor 1", input, line_nr, text);
	return times_at[WAKE_LATENCY] == NONE || !*cells[times_at[WAKE_LATENCY]];
}

/* Return the row's CPU: that of its column, that of -C, or 0. */
static int row_cpu(void)
{
	int64_t cpu = 0;

	if (cpu_at == NONE)
		return only_cpu;
	if (!parse_s64(cells[cpu_at], cells[cpu_at] + strlen(cells[cpu_at]), &cpu) || cpu < 0 ||
	    cpu >= MAX_CPUS)
		die("%s:%" PRIu64 ": '%s' in column %d is not a CPU (0 to %d)", input, line_nr,
		    cells[cpu_at], cpu_at + 1, MAX_CPUS - 1);
	has_cpu[cpu] = true;
	return cpu;
}

static void put_row(FILE *out, uint64_t seq)
{
	bool smi = counted(smi_at), nmi = counted(nmi_at);
	size_t state = 0;

	if (state_at != NONE && !*cells[state_at])
		die("%s:%" PRIu64 ": column %d has no state", input, line_nr, state_at + 1);
	if (state_at != NONE || !nr_states)
		state = state_index(state_at != NONE ? cells[state_at] : "unknown");
	fprintf(out, "1\t%d\t%s\t%zu\t%" PRIu64, row_cpu(), source, state, seq);
	put_time(out, times_at[LDIST]);
	fputs("\t-\t-\t-\t-", out);
	put_time(out, times_at[SILENT_TIME]);
	put_time(out, times_at[WAKE_LATENCY]);
	put_time(out, times_at[INTR_LATENCY]);
	fprintf(out, "\t%d\t%s%s%s%s\t-\t-\t-\n", irqs_were_on(), smi ? "smi" : "",
		smi && nmi ? "," : "", nmi ? "nmi" : "", smi || nmi ? "" : "-");
}

static size_t read_line(FILE *in, char *line)
{
	size_t len = line_read(in, line);

	if (!line_nr)
		refuse_binary(input, line, len == LINE_TOO_LONG ? TSV_MAX_LINE : len);
	if (len == LINE_TOO_LONG)
		die("%s:%" PRIu64 ": a line of more than %d bytes", input, line_nr + 1, TSV_MAX_LINE);
	return len;
}

static void convert(FILE *in, FILE *out, const char *column)
{
	static char line[TSV_MAX_LINE + 1];
	char separator = 0;
	uint64_t seq = 0;
	int columns = 0;
	size_t len;

	fputs(SAMPLES_HEADER, out);
	while ((len = read_line(in, line))) {
		line_nr++;
		while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			line[--len] = '\0';
		if (len != strlen(line))
			die("%s:%" PRIu64 ": a NUL byte: not a text file", input, line_nr);
		if (!separator)
			separator = separator_of(line);
		split(line + (line_nr == 1 ? byte_order_mark(line) : 0), separator);
		if (line_nr == 1) {
			bool header = true;

			columns = nr_cells;
			if (column)
				header = find_plain_column(column);
			else
				find_wult_columns();
			if (column && header) {
				cpu_at = find_beside("cpu", "CPU");
				state_at = find_beside("state", "ReqCState");
			}
			if (header)
				continue;
		}
		if (nr_cells != columns)
			die("%s:%" PRIu64 ": %d columns, but %d in the first line", input, line_nr,
			    nr_cells, columns);
		put_row(out, ++seq);
	}
	if (ferror(in))
		die("cannot read %s: %s", input, strerror(errno));
	if (!seq)
		die("%s: no data", input);
}

/* Write the CPUs as a list of ranges. */
static void write_cpus(FILE *facts)
{
	const char *separator = "cpus\t";
	int last;

	for (int cpu = 0; cpu < MAX_CPUS; cpu = last + 1) {
		for (last = cpu; last + 1 < MAX_CPUS && has_cpu[cpu] && has_cpu[last + 1]; last++)
			;
		if (!has_cpu[cpu])
			continue;
		fprintf(facts, last > cpu ? "%s%d-%d" : "%s%d", separator, cpu, last);
		separator = ",";
	}
	if (cpu_at != NONE)
		fputc('\n', facts);
}

/* Write the lines of run.tsv for the CPUs, and for the taints that INPUT has no column for. */
static void write_facts(const char *name)
{
	FILE *facts = outfile_stream(name);

	write_cpus(facts);

	if (smi_at == NONE || nmi_at == NONE)
		fprintf(facts, "taints_unknown\tnot known: %s%s%s\n", smi_at == NONE ? "smi" : "",
			smi_at == NONE && nmi_at == NONE ? ", " : "", nmi_at == NONE ? "nmi" : "");
	outfile_close_stream(facts, name);
}

static int digits_of(const char *unit)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };

	for (int i = 0; i < 4; i++)
		if (!strcmp(unit, units[i]))
			return 3 * i;
	die("'%s' is not a unit of time: ns, us, ms or s", unit);
}

static void usage(void)
{
	die("usage: import [-c COLUMN] [-u UNIT] [-n STATE,...] [-s SOURCE] [-C CPU] [-t FACTS.TSV] INPUT SAMPLES.TSV");
}

static int parse_cpu(const char *text)
{
	int64_t cpu;

	if (!parse_s64(text, text + strlen(text), &cpu) || cpu < 0 || cpu >= MAX_CPUS)
		die("info.yml: '%s' is not a CPU (0 to %d)", text, MAX_CPUS - 1);
	return cpu;
}

int main(int argc, char **argv)
{
	const char *column = NULL, *facts = NULL;
	FILE *in, *out;
	int opt;

	message_init("import");
	while ((opt = getopt(argc, argv, "C:c:n:s:t:u:")) != -1) {
		if (opt == 'C')
			only_cpu = parse_cpu(optarg);
		else if (opt == 'c')
			column = optarg;
		else if (opt == 'n')
			nr_states = split_list(optarg, &states);
		else if (opt == 's')
			source = optarg;
		else if (opt == 't')
			facts = optarg;
		else if (opt == 'u')
			unit_digits = digits_of(optarg);
		else
			usage();
	}
	if (optind + 2 != argc)
		usage();
	input = argv[optind];
	in = fopen(input, "re");
	if (!in)
		die("%s: %s", input, strerror(errno));
	out = outfile_stream(argv[optind + 1]);
	convert(in, out, column);
	fclose(in);
	outfile_close_stream(out, argv[optind + 1]);
	if (facts)
		write_facts(facts);
	if (header_cell)
		message("%s:1: '%s' is no number: the line was taken for the header", input, header_cell);
	if (nr_rounded)
		message("%s: %" PRIu64 " values were rounded to whole ns", input, nr_rounded);
	for (size_t i = 0; i < nr_states; i++)
		puts(states[i]);
	outfile_end_stdout();
	return 0;
}
