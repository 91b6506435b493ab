/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the program share: a question about a recording, and the tables of its answer.
 */
#ifndef WAKELAT_ANSWER_H
#define WAKELAT_ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "facts.h"
#include "table.h"
#include "text.h"

/* Exit statuses. */
enum { STATUS_EXCEEDED = 4, STATUS_UNDECIDED };

enum verdict { NO_VERDICT, KEPT, EXCEEDED, UNDECIDED };

/* What is asked of a recording. */
struct question {
	/* samples.tsv, counts.tsv, or the traces of the recording (reader.h); the last one's name in messages */
	const char *const *tables;
	size_t nr_tables;
	bool traces;
	const char *samples_name;
	const char *run_tsv;
	const char *percentile;		/* as given, or "max" */
	bool percentile_given;
	const char *budget;		/* ns, NULL: none */
	bool pooled;			/* judge all CPUs together */
	bool incomplete;		/* samples are missing */
	/* the name in messages of a table whose numbers of samples are checked; NULL: none */
	const char *check;
	bool force;			/* judge in spite of lost events */
	const char *name, *directory;	/* the recording's, for the title and for messages */
};

/* The latency limit that keeps a budget. */
struct limit {
	double us;			/* -1: none */
	size_t blockers[MAX_STATES];	/* states that rule out a greater limit */
	size_t nr_blockers;
	/* only 0 excludes a state that exceeds the budget, and polling is not known to keep it */
	bool only_polling;
};

struct answer {
	struct question question;
	struct facts facts;
	bool counts, by_cpu;
	char *lasted_s[MAX_STATES];	/* for how long each state was measured; NULL: not known */
	double lost;			/* events lost while recording */
	enum verdict verdict_of[MAX_STATES];
	bool measured[MAX_STATES];
	struct limit limit;
	struct table rows;		/* verdict.tsv */
	struct table balance;		/* verdict-balance.tsv */
	struct table unknowns;		/* stats-unknown.tsv */
};

/* word.c: text from numbers and numbers from text */
const char *verdict_word(enum verdict verdict);
enum verdict verdict_from(const char *word);
/*
 * Return ns as us with three decimals, allocated. An interval LOW..HIGH, "-" and an asterisk at the
 * end stay what they are.
 */
char *us(const char *ns);
/* Return an end of a value that may be an interval. */
const char *low_end(const char *value);
const char *high_end(const char *value);
/*
 * Return V as text: a whole number with all digits, any other with DIGITS significant ones.
 * Allocated.
 */
char *plain_number(double v, int digits);
/* Return how many samples of a state show whether long wake-ups come in bursts. */
double enough_for_bursts(const char *percentile);
/* Split a list such as "smi=3,nmi=1" at AT. Return false at the end. */
bool next_pair(const char **at, struct tsv_cell *name, struct tsv_cell *value);

/* limit.c */
void find_limit(struct answer *answer);
double whole_us(double ns);
bool latency_known(const struct state *state);
bool any_latency_known(const struct facts *facts);
bool limit_admits(const struct state *state, double us);
bool is_polling(const struct answer *answer, size_t state);
int polling_state(const struct facts *facts);
enum verdict fate(const struct answer *answer, size_t state);

/*
 * judge.c: read the samples, and make answer->balance and answer->rows; set question.incomplete if
 * samples are missing (check)
 */
void judge(struct answer *answer);
/* Print the residency counter of each state, for -r of other programs: state:3=cc6_cyc. */
void print_counters(struct answer *answer);

/* balance.c: count the wake-ups of a recording */
struct balance_tables {
	const struct table *rows, *taints, *reached, *intervals, *states;
};

/*
 * Make answer->balance. Set LONGER to the numbers of wake-ups without a latency, as STATE=COUNT,...
 * (of one CPU: STATE/CPU=COUNT); to "none" if there are none but a tainted wake-up is judged; to ""
 * if there is neither.
 */
void make_balance(struct answer *answer, const struct balance_tables *tables, struct text *longer);

/*
 * show.c: print the verdict as text. AGAIN is the command line that prints it, without the
 * directory; see show_advice().
 */
void show_verdict(const struct answer *answer, const char *again, FILE *out);
/* Print TEXT in lines of at most 80 characters, broken at blanks. */
void print_folded(const char *text, FILE *out);
/* Print how sure the verdict is, for a page: a line for each sentence. */
void show_notes(const struct answer *answer, FILE *out);

/*
 * limits.c: return a line that names what the recording says nothing about. TABLE has the numbers of
 * samples.
 */
char *limits_line(const struct facts *facts, const struct table *table, bool brief);
/* Return this line for several recordings, a table of each. A limit of only some is followed by their NAMES. */
char *limits_of(const struct facts *const facts[], const struct table *const tables[],
		const char *const names[], size_t nr, bool brief);
/*
 * Print this line for several recordings: FILES are a run.tsv of each, which a table with a column n
 * may follow, or a table with the number of machines of each kind. A limit of only some recordings is
 * followed by their NAMES (separated by TABs; NULL: none). BRIEF: in about 80 characters. Without
 * LATENCY, the recordings are of idle periods. Return false if there is no file.
 */
bool print_limits_of(char **files, char *names, bool brief, bool latency);
/*
 * Return a note for titles if the machine is not a real one, or its idle states are artificial;
 * else "".
 */
const char *machine_note(const struct facts *facts);
/* Return a shorter one. */
const char *machine_word(const struct facts *facts);

/* advice.c: return the line on the latency limit. */
char *limit_line(const struct answer *answer);
/*
 * Print what follows from the verdict: the limit (WITH_LIMIT), and the recording that would decide.
 * AGAIN is the command of which --paste prints the texts; NULL: do not name it.
 */
void show_advice(const struct answer *answer, bool with_limit, const char *again, FILE *out);

/*
 * idle-table.c: intel_idle.table= from measured latencies. Texts are "" if there is nothing to say.
 */
struct idle_table {
	struct text table;	/* C1:2:2,C1E:12:20; empty: there is none */
	struct text why_none;
	struct text raised;	/* which values were raised, and why */
};

/*
 * Make the table from the greatest upper bound of each state (NULL or "-": not measured) and from
 * measured residencies, both in ns.
 */
void make_idle_table(struct idle_table *out, const struct facts *facts,
		     const char *const upper[MAX_STATES],
		     const char *const residency[MAX_STATES]);
/* Set UPPER to the greatest upper bound of each state in the verdict. */
void upper_bounds(const struct answer *answer, const char *upper[MAX_STATES]);

/*
 * paste.c: print a command, a parameter or a whole file that applies the limit. BY is the command
 * that its comment names. Return false if there is nothing to paste: then the reason was printed.
 */
bool paste(const struct answer *answer, const char *target, const char *by, FILE *out);

/*
 * parts.c: write what a page or a mail says of the verdict: PREFIX-verdict.tsv, PREFIX-words.tsv (its
 * rows in words), PREFIX-notes (see show_notes()), PREFIX-limits, PREFIX-advice, and
 * PREFIX-paste-TARGET for each text to paste.
 */
void write_parts(const struct answer *answer, const char *prefix);

/*
 * answer.c: return the verdict on all states together: against the budget, or else the advertised
 * latencies.
 */
enum verdict overall_verdict(const struct answer *answer);

/* Print text of a recording, which may contain any byte, for a terminal. */
void print_plain(char *text, FILE *to);

/* document.c: print the answer as a JSON document. */
void print_document(const struct answer *answer, FILE *out);
/*
 * Begin a JSON document with what is known of the recording (FACTS; NULL: of several). SELECTED says which samples the tables
 * are made of, "": all. LIMITS is of limits_line().
 */
void begin_document(const char *command, bool whole, const char *selected, char *limits,
		    const struct facts *facts, FILE *out);
/* Print a table as a list of objects. */
void print_rows(const char *name, const char *schema_name, const struct table *table, FILE *out);

#endif
