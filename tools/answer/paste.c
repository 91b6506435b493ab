// SPDX-License-Identifier: GPL-2.0
/* Print a command, a parameter or a whole file that applies the verdict. */
#include <string.h>

#include "answer.h"
#include "message.h"

/* What is pasted, and the names of states in it. */
struct pasted {
	const struct answer *answer;
	const char *by;			/* the command that its comment names */
	char *budget;			/* us */
	char *limit;			/* us */
	struct text disabled;		/* a pattern with the states that were disabled by hand */
	struct text names;		/* their names */
	char *strange;			/* a name that cannot be used in a command; NULL: none */
	FILE *out;
};

static bool nothing(const struct pasted *p, const char *why)
{
	fprintf(p->out, "%s\n", why);
	return false;
}

/* Print comments that say where the text belongs and what it does. */
static void about(const struct pasted *p, const char *file, const char *more)
{
	const struct question *q = &p->answer->question;
	const char *emulated = fact(&p->answer->facts, "emulated");

	if (file)
		fprintf(p->out, "# %s\n", file);
	fprintf(p->out, "# %s: allow no state whose wake-ups take more than %s us (%s%s).%s\n",
		p->by, p->budget,
		strcmp(q->percentile, "max") ? "p" : "", q->percentile, more);
	if (!strcmp(emulated, "yes") || !strcmp(emulated, "hypervisor"))
		fputs("# Emulated or under a hypervisor: this is an example; its number is not that of any real CPU.\n", p->out);
}

/* In pm_qos_resume_latency_us, 0 means no limit. */
static const char *resume_latency(const struct pasted *p)
{
	return p->answer->limit.us ? p->limit : "n/a";
}

/* Return whether NAME is plain text that may stand in a pattern between quotes. */
static bool is_plain(const char *name)
{
	static const char allowed[] =
		" -ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+";

	return *name && *name != ' ' && *name != '-' && !name[strspn(name, allowed)];
}

/*
 * Add a state to a pattern of a shell's case. A machine finds its states by their names: the
 * numbers of the recording may be those of another list, and CPUs can have different ones.
 */
static void add_pattern(struct pasted *p, struct text *pattern, const struct state *state)
{
	if (is_plain(state->name))
		text_join(pattern, "|", "\"%s\"", state->name);
	else if (*state->name)
		p->strange = comment_text(state->name);
}

/*
 * Find the states that were disabled by hand. The limit keeps the budget only while they are
 * disabled.
 */
static void find_disabled(struct pasted *p)
{
	const struct facts *facts = &p->answer->facts;

	for (size_t i = 0; i < facts->nr_states; i++) {
		const struct state *state = &facts->states[i];

		if (!state->name || !state->disabled)
			continue;
		add_pattern(p, &p->disabled, state);
		text_join(&p->names, ", ", "%s", comment_text(state->name));
	}
}

/* Remind the user to disable them, for targets whose text cannot do it. */
static void disable_by_hand(const struct pasted *p)
{
	if (!text_empty(&p->names))
		fprintf(p->out, "# These states were disabled by hand during the recording; disable them again after each reboot: %s.\n",
			text_str(&p->names));
}

/*
 * Print a loop that writes VALUE into a file of each CPU. DOLLAR is how the file writes a dollar.
 */
static void print_loop(const struct pasted *p, const char *value, const char *dollar,
		       const char *failing)
{
	fprintf(p->out, "for f in /sys/devices/system/cpu/cpu[0-9]*/power/pm_qos_resume_latency_us; do echo %s >\"%sf\"%s; done", value, dollar,
		failing);
}

/* Print a loop over the idle states of all CPUs. CASES are the cases for a state's name. */
static void print_states(const struct pasted *p, const char *cases, const char *dollar)
{
	fprintf(p->out, "for s in /sys/devices/system/cpu/cpu[0-9]*/cpuidle/state[0-9]*; do case %s(cat \"%ss/name\") in %s esac; done", dollar,
		dollar, cases);
}

static void print_disable(const struct pasted *p, const char *dollar, const char *failing)
{
	print_states(p, xprintf("%s) echo 1 >\"%ss/disable\"%s;;", text_str(&p->disabled), dollar,
				failing), dollar);
}

static bool paste_sysfs(struct pasted *p)
{
	about(p, NULL, " Until reboot.");
	print_loop(p, resume_latency(p), "$", "");
	fputc('\n', p->out);
	if (!text_empty(&p->disabled)) {
		print_disable(p, "$", "");
		fputc('\n', p->out);
	}
	return true;
}

/* Hold a device open. It reads text as a hexadecimal number. */
static bool hold(const struct pasted *p, const char *device, const char *more)
{
	about(p, NULL, more);
	disable_by_hand(p);
	fprintf(p->out, "sh -c 'exec 3>%s && printf 0x%%08x %s >&3 && exec sleep infinity' &\n",
		device, p->limit);
	return true;
}

static bool paste_qos(struct pasted *p)
{
	return hold(p, "/dev/cpu_dma_latency", " For all CPUs, while this command runs.");
}

static bool paste_wakeup(struct pasted *p)
{
	return hold(p, "/dev/cpu_wakeup_latency", " For all CPUs and suspend-to-idle, while this command runs. Linux 6.19 or later.");
}

/*
 * Switch each state separately: cpupower -D would also enable states below its limit that were
 * disabled.
 */
static bool paste_cpupower(struct pasted *p)
{
	const struct facts *facts = &p->answer->facts;
	struct text pattern[2] = { 0 }, cases = { 0 };

	for (size_t i = 0; i < facts->nr_states; i++) {
		const struct state *state = &facts->states[i];
		bool off = state->disabled || !limit_admits(state, p->answer->limit.us);

		if (state->name && !(latency_known(state) && !number_in_text(state->latency_ns)))
			add_pattern(p, &pattern[off], state);
	}
	if (p->strange)
		return nothing(p, xprintf("cpupower: the state name '%s' cannot be used in a command: disable the state by hand", p->strange));
	for (int off = 1; off >= 0; off--)
		if (!text_empty(&pattern[off]))
			text_join(&cases, " ", "%s) c=${s%%/cpuidle*}; cpupower -c \"${c##*cpu}\" idle-set -%c \"${s##*state}\";;",
				  text_str(&pattern[off]), off ? 'd' : 'e');
	about(p, NULL, " Until reboot. States are found by their names.");
	print_states(p, text_str(&cases), "$");
	fputc('\n', p->out);
	return true;
}

static bool paste_tuned(struct pasted *p)
{
	about(p, "/etc/tuned/wakelat/tuned.conf (tuned 2.23 or later: /etc/tuned/profiles/wakelat/tuned.conf); then: tuned-adm profile wakelat", "");
	disable_by_hand(p);
	fprintf(p->out, "[main]\nsummary=No idle state whose wake-ups take more than %s us\n\n[cpu]\nforce_latency=%s\n", p->budget, p->limit);
	return true;
}

static bool paste_udev(struct pasted *p)
{
	struct text names = { 0 };

	about(p, "/etc/udev/rules.d/90-wakelat.rules; then: udevadm trigger --subsystem-match=cpu --action=add", "");
	fprintf(p->out, "ACTION==\"add\", SUBSYSTEM==\"cpu\", ATTR{power/pm_qos_resume_latency_us}=\"%s\"\n", resume_latency(p));
	for (const char *at = text_str(&p->disabled); *at; at++)
		if (*at != '"')
			text_add(&names, "%c", *at);
	for (int i = 0; !text_empty(&names) && i < 10; i++)
		fprintf(p->out, "ACTION==\"add\", SUBSYSTEM==\"cpu\", ATTR{cpuidle/state%d/name}==\"%s\", ATTR{cpuidle/state%d/disable}=\"1\"\n", i,
			text_str(&names), i);
	return true;
}

static bool paste_systemd(struct pasted *p)
{
	about(p, "/etc/systemd/system/wakelat-limit.service; then: systemctl enable --now wakelat-limit", "");
	fputs("[Unit]\nDescription=No idle state whose wake-ups take too long\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
	      "ExecStart=/bin/sh -c '", p->out);
	print_loop(p, resume_latency(p), "$$", " || exit");
	fputs("'\n", p->out);
	if (!text_empty(&p->disabled)) {
		fputs("ExecStart=/bin/sh -c '", p->out);
		print_disable(p, "$$", " || exit");
		fputs("'\n", p->out);
	}
	fputs("ExecStop=/bin/sh -c '", p->out);
	print_loop(p, "0", "$$", " || exit");
	fputs("'\n\n[Install]\nWantedBy=multi-user.target\n", p->out);
	return true;
}

static bool paste_crio(struct pasted *p)
{
	about(p, "metadata of a pod that has CPUs of its own (runtime class with cpu-c-states.crio.io allowed)", "");
	disable_by_hand(p);
	fprintf(p->out, "metadata:\n  annotations:\n    cpu-c-states.crio.io: \"%s%s\"\n",
		p->answer->limit.us ? "max_latency:" : "disable",
		p->answer->limit.us ? p->limit : "");
	return true;
}

static bool paste_cmdline(struct pasted *p)
{
	const char *upper[MAX_STATES] = { 0 }, *residency[MAX_STATES] = { 0 };
	struct idle_table table;

	upper_bounds(p->answer, upper);
	make_idle_table(&table, &p->answer->facts, upper, residency);
	if (text_empty(&table.table))
		return nothing(p, xprintf("no intel_idle.table: %s", text_str(&table.why_none)));
	fprintf(p->out, "intel_idle.table=%s\n", text_str(&table.table));
	return true;
}

static const struct target {
	const char *name;
	bool (*paste)(struct pasted *p);
	bool disables;			/* its text disables states by their names */
} targets[] = {
	{ "sysfs", paste_sysfs, true }, { "qos", paste_qos, false },
		{ "wakeup", paste_wakeup, false }, { "cpupower", paste_cpupower, false },
	{ "tuned", paste_tuned, false }, { "udev", paste_udev, true },
		{ "systemd", paste_systemd, true }, { "crio", paste_crio, false },
};

bool paste(const struct answer *answer, const char *name, const char *by, FILE *out)
{
	struct pasted p = { .answer = answer, .by = by, .out = out };
	const struct target *target = targets;

	if (!strcmp(name, "cmdline"))
		return paste_cmdline(&p);
	while (target < targets + sizeof(targets) / sizeof(*targets) && strcmp(name, target->name))
		target++;
	if (target == targets + sizeof(targets) / sizeof(*targets))
		die("there is no text '%s' to paste", name);
	if (!answer->question.budget)
		return nothing(&p, xprintf("%s sets a limit, which needs a budget (--budget)",
					   name));
	if (answer->limit.us < 0)
		return nothing(&p, "no limit can be named (verdict without --paste says why)");
	p.budget = plain_number(number_in_text(answer->question.budget) / 1000, 6);
	p.limit = xprintf("%.0f", answer->limit.us);
	find_disabled(&p);
	if (target->disables && p.strange)
		return nothing(&p, xprintf("%s: the state name '%s' cannot be used in a command: disable the state by hand", name, p.strange));
	return target->paste(&p);
}
