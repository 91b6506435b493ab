// SPDX-License-Identifier: GPL-2.0
/*
 * truth - compare each sample of a testbed run with the record of its idle period in the truth log
 *
 * usage: truth [--bound SOURCE=NS]... RUNDIR
 *
 * Reads samples.tsv, run.tsv and truth.tsv of RUNDIR, and truth-i210.tsv and truth-turns.tsv if
 * they exist. A sample belongs to the idle period that began after its tbi and was the last
 * to end before its tai (before its tintr, if the handler ran inside the state).
 *
 * Prints a table, one row per source, state and kind of event (passive: what woke the CPU):
 *   source state metric n median_ns min_ns max_ns spread_ns tainted foreign wrong_state unmatched slipped
 *   silent_median_ns silent_min_ns silent_max_ns intr_median_ns intr_min_ns intr_max_ns beyond waited event
 * metric is wake_latency, or intr_latency if the state is entered with interrupts on.
 * The errors are metric minus the injected exit latency, ns, of the n untainted samples:
 * median (the lower one of two), minimum, maximum, and maximum minus minimum.
 *   tainted      samples that carry a taint
 *   foreign      samples, tainted or not, whose idle period was not ended by the local timer's
 *                interrupt (source i210: the card's interrupt; ipi, and passive if its event is
 *                flag or ipi: another CPU's interrupt, or a write to the monitored address). If an
 *                event was pending at MWAIT, the CPU did not sleep. The sample is not foreign then
 *                and its true latency is 0. If the pending event was another source's, the
 *                sample's error shows it
 *   wrong_state  untainted samples whose `state` is not the state that the CPU entered, and
 *                samples, tainted or not, whose `entered` is not that state
 *   unmatched    untainted samples without an idle period in the log
 *   slipped      untainted samples that are foreign or whose error is out of bounds. OWN is the
 *                sample's uncertainty plus half of its tai_latch (i210: plus 8 ns). The error must
 *                not be below -OWN, and not above OWN plus the source's bound (see bounds below)
 *                plus the time in which the CPU waited for its turn
 *   silent_*     silent_time minus the time from MWAIT to the event, of the same samples
 *   intr_*       intr_latency minus the injected exit latency; "-" if no handler ran
 *   beyond       samples whose wake_latency errs by more than 8 ns (the step of the card's clock)
 *                plus half of their own tai_latch; "-" if no sample has both values
 *   waited       untainted samples in which the CPU had to wait more than 16 ns for its turn
 *                between tbi and tintr (truth-turns.tsv): the testbed's CPUs take turns on one host
 *                thread. A sample that overlaps such a wait is not compared. Nor is one of source passive
 *                and event ipi if another CPU had to wait between the time of the event and the
 *                interrupt: it may be the one that sent it. n + waited + unmatched is
 *                the number of untainted samples
 * Exit status: 0 if wrong_state, unmatched and slipped are 0 in every row, 3 if not, 1 on an
 * error, 2 on wrong usage.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "truth-log.h"
#include "truth-states.h"
#include "tsv.h"

#define CLOCK_STEP_NS 8

/*
 * The code path from the interrupt's delivery to the handler, including the exit from the idle
 * loop.
 */
#define INTR_BOUND_NS 2000

/*
 * A wait for a turn of at most this many ns is added to the sample's bound. A CPU that waits for another
 * in a loop has turns of 3 ns (PAUSE ends each), so the other begins each wake-up with such a wait.
 */
#define SHORT_WAIT_NS 16

/* The largest error of a source's samples, in addition to each sample's own uncertainty. */
static struct bound {
	const char *source;
	int64_t ns;
} bounds[] = {
	/* From the idle instruction to the stamp after it. */
	{ "hrtimer", 16 },
	{ "tsc_deadline", 16 },
	{ "passive", 16 },
	/* The same, and from the sender's stamp to its write: 91 instructions in Linux 6.12. */
	{ "ipi", 16 + 96 },
	/* Events flag and ipi of passive: the same, and from the stamp to the sending of the interrupt. */
	{ "wakers", 64 },
	/*
	 * Names that the tests give to sources of wakelat probe: from the idle instruction to the
	 * tracepoint, and into the BPF program.
	 */
	{ "probe_timer", 700 },
	{ "probe_passive", 700 },
	/* Recorded by trace-cmd. */
	{ "probe_stock", 700 },
	{ "i210", 16 },
};

/*
 * Added on arm64, where an idle period begins and ends in firmware. PSCI_BOUND_NS is the path from
 * firmware through the kernel's PSCI driver to the stamp. RESUME_BOUND_NS is the same for a state
 * that loses the core's context, which is restored before the stamp. SGI_BOUND_NS is the path from
 * the sender's stamp to its write to the GIC.
 */
#define PSCI_BOUND_NS 480
#define RESUME_BOUND_NS 1080
#define SGI_BOUND_NS 340

struct errors {
	int64_t *list;
	size_t nr, room;
};

struct row {
	char *source, *event;
	int64_t state;
	bool irqs_on;
	struct errors errors, silent, intr;
	uint64_t tainted, foreign, wrong_state, unmatched, slipped, bracketed, beyond, waited;
};

/* The columns of samples.tsv. latch, uncertainty, entered and event can be TSV_ABSENT. */
struct columns {
	size_t cpu, source, state, tbi, tai, tintr, silent, wake, intr, irqs_on, taint;
	size_t latch, uncertainty, entered, event, ltime;
};

static struct row *rows;
static size_t nr_rows;

static char *text_of(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

static struct row *row_of(const struct tsv_cell *source, const struct tsv_cell *event,
			  int64_t state, bool irqs_on)
{
	struct row *row;
	size_t i;

	for (i = 0; i < nr_rows; i++)
		if (rows[i].state == state && rows[i].irqs_on == irqs_on &&
		    cell_is(source, rows[i].source) && cell_is(event, rows[i].event))
			return &rows[i];

	rows = xrealloc(rows, nr_rows + 1, sizeof(*rows));
	row = &rows[nr_rows++];
	*row = (struct row) {
		.source = text_of(source),
		.event = text_of(event),
		.state = state,
		.irqs_on = irqs_on,
	};

	return row;
}

static void add_error(struct errors *errors, int64_t error)
{
	errors->list = with_room(errors->list, errors->nr, &errors->room, sizeof(*errors->list));
	errors->list[errors->nr++] = error;
}

/* Compare ERROR with half of the sample's tai_latch. */
static void check_bracket(struct row *row, const struct tsv *tsv, size_t latch, int64_t error)
{
	int64_t width;

	if (latch == TSV_ABSENT || row->irqs_on || !tsv_s64(tsv, latch, &width))
		return;
	row->bracketed++;
	row->beyond += llabs(error) > width / 2 + CLOCK_STEP_NS;
}

static struct bound *bound_of(const struct tsv_cell *source)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (cell_is(source, bounds[i].source))
			return &bounds[i];

	return NULL;
}

/* Return the number in an optional column; 0 if it is absent. */
static int64_t number_or_0(const struct tsv *tsv, size_t column)
{
	int64_t value;

	return column != TSV_ABSENT && tsv_s64(tsv, column, &value) ? value : 0;
}

static const struct tsv_cell no_event = { .start = "-", .end = &"-"[1] };

/* Return what woke the CPU in a sample of source passive, "-" in others. */
static const struct tsv_cell *event_of(const struct tsv *tsv, const struct columns *c)
{
	return c->event != TSV_ABSENT && cell_is(&tsv->cells[c->source], "passive") ?
	       &tsv->cells[c->event] : &no_event;
}

/* Return true if another CPU caused the event. */
static bool by_cpu(const struct tsv *tsv, const struct columns *c)
{
	const struct tsv_cell *event = event_of(tsv, c);

	return cell_is(&tsv->cells[c->source], "ipi") ||
	       cell_is(event, "flag") || cell_is(event, "ipi");
}

/* Return what the path through firmware adds to a bound, in ns. SENT: by another CPU. */
static int64_t bound_of_hint(long hint, bool sent)
{
	int64_t sender = sent ? SGI_BOUND_NS : 0;

	if (hint == WFI)
		return sender;
	if (hint < PSCI)
		return 0;

	return sender + (loses_context(hint) ? RESUME_BOUND_NS : PSCI_BOUND_NS);
}

/*
 * Return true if ERROR is within the sample's bounds. HINT enters its state. ON: interrupts are on.
 * WAITED: ns for which the CPU waited for its turn.
 */
static bool within_bound(const struct tsv *tsv, const struct columns *c, bool on, long hint,
			 int64_t waited, int64_t error)
{
	const struct tsv_cell *source = &tsv->cells[c->source];
	static const struct tsv_cell wakers = { .start = "wakers", .end = &"wakers"[6] };
	bool sent = by_cpu(tsv, c);
	const struct bound *bound = bound_of(sent && cell_is(source, "passive") ? &wakers : source);
	int64_t own;

	if (!bound)
		die("%s:%" PRIu64 ": a source without a bound", tsv->name, tsv->line);
	/* A reading of a clock may be off by half of its bracket, and i210's clock has steps. */
	own = number_or_0(tsv, c->uncertainty) + number_or_0(tsv, c->latch) / 2;
	if (cell_is(source, "i210"))
		own += CLOCK_STEP_NS;

	return error >= -own &&
	       error <= own + waited + (on ? INTR_BOUND_NS : bound->ns + bound_of_hint(hint, sent));
}

/* Return true if HINT, from the log, matches the sample's `entered`, or if the sample has none. */
static bool told_state(const struct tsv *tsv, size_t entered, long hint)
{
	int64_t index;

	return entered == TSV_ABSENT || !tsv_s64(tsv, entered, &index) || is_entered(index, hint);
}

/* Return true if the sample's event ended the period. */
static bool is_own(const struct tsv *tsv, const struct columns *c, const struct period *p)
{
	if (cell_is(&tsv->cells[c->source], "i210"))
		return p->card;

	return by_cpu(tsv, c) ? p->cpu : p->timer;
}

/* Return true if the CPU that sent the interrupt may have waited before it did so. */
static bool sender_waited(const struct tsv *tsv, const struct columns *c, const struct log *log,
			  const struct period *p)
{
	return cell_is(event_of(tsv, c), "ipi") &&
	       log_others_wait(log, cell_number(tsv, c->ltime), p->wake_cyc);
}

/* Add the errors of an untainted sample to its row. */
static void add_sample(struct row *row, const struct tsv *tsv, const struct columns *c,
		       const struct period *p, int64_t waited, bool foreign)
{
	bool on = row->irqs_on;
	int64_t error = cell_number(tsv, on ? c->intr : c->wake) - p->latency_ns;
	int64_t intr_latency;

	row->slipped += foreign || !within_bound(tsv, c, on, p->hint, waited, error);
	add_error(&row->errors, error);
	check_bracket(row, tsv, c->latch, error);
	add_error(&row->silent, cell_number(tsv, c->silent) - p->silent_ns);
	if (tsv_s64(tsv, c->intr, &intr_latency))
		add_error(&row->intr, intr_latency - p->latency_ns);
}

static void compare_sample(const struct tsv *tsv, const struct columns *c)
{
	bool on = cell_number(tsv, c->irqs_on);
	int64_t state = cell_number(tsv, c->state);
	struct row *row = row_of(&tsv->cells[c->source], event_of(tsv, c), state, on);
	bool tainted = !tsv_absent(tsv, c->taint);
	const struct log *log = log_of(tsv, c->cpu);
	const struct period *p;
	int64_t begin, end, waited;
	bool foreign;

	if (state < 0 || state >= MAX_STATES)
		die("%s:%" PRIu64 ": no such state: %" PRId64, tsv->name, tsv->line, state);
	end = cell_number(tsv, on || !tsv_absent(tsv, c->tintr) ? c->tintr : c->tai);
	begin = cell_number(tsv, c->tbi);
	row->tainted += tainted;
	waited = log_waited_ns(log, begin, end);
	if (waited > SHORT_WAIT_NS) {
		row->waited += !tainted;
		return;
	}
	p = log_period(log, begin, cell_number(tsv, on ? c->tintr : c->tai));
	if (!p) {
		row->unmatched += !tainted;
		return;
	}
	if (sender_waited(tsv, c, log, p)) {
		row->waited += !tainted;
		return;
	}
	foreign = !is_own(tsv, c, p);
	row->foreign += foreign;
	row->wrong_state += !told_state(tsv, c->entered, p->hint) ||
			    (!tainted && !is_entered(state, p->hint));
	if (!tainted)
		add_sample(row, tsv, c, p, waited, foreign);
}

static void compare_samples(const char *dir)
{
	struct columns c;
	struct tsv tsv;

	tsv_open(&tsv, xprintf("%s/samples.tsv", dir));
	c.cpu = tsv_column(&tsv, "cpu");
	c.source = tsv_column(&tsv, "source");
	c.state = tsv_column(&tsv, "state");
	c.tbi = tsv_column(&tsv, "tbi_cyc");
	c.tai = tsv_column(&tsv, "tai_cyc");
	c.tintr = tsv_column(&tsv, "tintr_cyc");
	c.silent = tsv_column(&tsv, "silent_time");
	c.wake = tsv_column(&tsv, "wake_latency");
	c.intr = tsv_column(&tsv, "intr_latency");
	c.irqs_on = tsv_column(&tsv, "irqs_on");
	c.taint = tsv_column(&tsv, "taint");
	c.latch = tsv_optional_column(&tsv, "tai_latch");
	c.uncertainty = tsv_optional_column(&tsv, "uncertainty");
	c.entered = tsv_optional_column(&tsv, "entered");
	c.event = tsv_optional_column(&tsv, "event");
	c.ltime = tsv_optional_column(&tsv, "ltime_cyc");
	while (tsv_next_row(&tsv))
		compare_sample(&tsv, &c);
	tsv_close(&tsv);
}

/* Print median, minimum and maximum; all "-" if there are no errors. */
static void print_errors(struct errors *errors)
{
	int64_t *scratch;

	if (!errors->nr) {
		printf("\t-\t-\t-");
		return;
	}
	scratch = xrealloc(NULL, errors->nr, sizeof(*scratch));
	sort_s64(errors->list, scratch, errors->nr);
	free(scratch);
	printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64, errors->list[(errors->nr - 1) / 2],
	       errors->list[0], errors->list[errors->nr - 1]);
}

/* Print a row. Return false if it shows an error of the measurement. */
static bool print_row(struct row *row)
{
	struct errors *errors = &row->errors;

	printf("%s\t%s\t%s\t%zu", row->source, state_name(row->state),
	       row->irqs_on ? "intr_latency" : "wake_latency", errors->nr);
	print_errors(errors);
	if (errors->nr)
		printf("\t%" PRId64, errors->list[errors->nr - 1] - errors->list[0]);
	else
		printf("\t-");
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, row->tainted,
	       row->foreign, row->wrong_state, row->unmatched, row->slipped);
	print_errors(&row->silent);
	print_errors(&row->intr);
	if (row->bracketed)
		printf("\t%" PRIu64, row->beyond);
	else
		printf("\t-");
	printf("\t%" PRIu64 "\t%s\n", row->waited, row->event);

	return !row->wrong_state && !row->unmatched && !row->slipped;
}

/* SOURCE=NS */
static bool set_bound(const char *text)
{
	const char *ns = strchr(text, '=');
	struct tsv_cell source = { .start = text, .end = ns };
	struct bound *bound = ns ? bound_of(&source) : NULL;
	char *end;

	if (!bound || !ns[1])
		return false;
	errno = 0;
	bound->ns = strtoll(ns + 1, &end, 10);

	return !errno && !*end && bound->ns >= 0;
}

static const char *parse(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc && !strcmp(argv[i], "--bound"); i += 2) {
		if (!set_bound(argv[i + 1])) {
			message("--bound %s: not SOURCE=NS of a source of this program", argv[i + 1]);
			exit(2);
		}
	}
	if (i + 1 != argc) {
		message("usage: truth [--bound SOURCE=NS]... RUNDIR");
		exit(2);
	}

	return argv[i];
}

int main(int argc, char **argv)
{
	bool right = true;
	const char *dir;
	size_t i;

	message_init("truth");
	dir = parse(argc, argv);
	states_read(dir);
	log_read(dir);
	compare_samples(dir);

	printf("source\tstate\tmetric\tn\tmedian_ns\tmin_ns\tmax_ns\tspread_ns\t");
	printf("tainted\tforeign\twrong_state\tunmatched\tslipped\t");
	printf("silent_median_ns\tsilent_min_ns\tsilent_max_ns\t");
	printf("intr_median_ns\tintr_min_ns\tintr_max_ns\tbeyond\twaited\tevent\n");
	for (i = 0; i < nr_rows; i++)
		right = print_row(&rows[i]) && right;
	if (fflush(stdout) || ferror(stdout))
		die("cannot write the table: %s", strerror(errno));

	return right ? 0 : 3;
}
