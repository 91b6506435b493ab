// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: the control files, tracefs directory wakelat/.
 *
 * Numbers are decimal, each has a range; a value outside it gets -EINVAL and
 * changes nothing. While a run is on the settings cannot be written (-EBUSY).
 */

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>
#include <linux/wakelat.h>

#include "wakelat.h"

/**
 * struct wakelat_number - a setting that is a number
 * @name: name of its file
 * @value: the setting
 * @min: smallest value
 * @max: largest value
 * @not_below: another setting that it must not be smaller than, or NULL
 * @not_above: another setting that it must not be larger than, or NULL
 */
struct wakelat_number {
	const char *name;
	u64 *value;
	u64 min;
	u64 max;
	const u64 *not_below;
	const u64 *not_above;
};

static struct wakelat_number wakelat_numbers[] = {
	/* Launch distance; of a sweep, where it starts and what it does not exceed. */
	{
		.name		= "ldist_min_ns",
		.value		= &wakelat_settings.ldist.min_ns,
		.min		= WAKELAT_LDIST_FLOOR_NS,
		.max		= WAKELAT_LDIST_CEILING_NS,
		.not_above	= &wakelat_settings.ldist.max_ns,
	},
	{
		.name		= "ldist_max_ns",
		.value		= &wakelat_settings.ldist.max_ns,
		.min		= WAKELAT_LDIST_FLOOR_NS,
		.max		= WAKELAT_LDIST_CEILING_NS,
		.not_below	= &wakelat_settings.ldist.min_ns,
	},
	/* The same seed yields the same launch distances. */
	{
		.name		= "seed",
		.value		= &wakelat_settings.ldist.seed,
		.max		= U64_MAX,
	},
/*@+SWEEP*/
	/* Each step of a sweep is the one before times this, in thousandths. */
	{
		.name		= "sweep_factor_permille",
		.value		= &wakelat_settings.ldist.factor_permille,
		.min		= WAKELAT_SWEEP_FACTOR_MIN,
		.max		= WAKELAT_SWEEP_FACTOR_MAX,
	},
/*@-*/
/*@+SWEEP*/
	/* Untainted samples per step of a sweep. */
	{
		.name		= "sweep_step_samples",
		.value		= &wakelat_settings.ldist.step_samples,
		.min		= 1,
		.max		= U32_MAX,
	},
/*@-*/
	/* Untainted samples per CPU after which the run ends. 0: no limit. */
	{
		.name		= "max_samples",
		.value		= &wakelat_settings.max_samples,
		.max		= U32_MAX,
	},
/*@+LIMITS*/
	/* Seconds after which the run ends. 0: no limit. */
	{
		.name		= "max_duration_s",
		.value		= &wakelat_settings.max_duration_s,
		.max		= U32_MAX,
	},
/*@-*/
/*@+LIMITS*/
	/* Seconds without an untainted sample after which the run ends. 0: no limit. */
	{
		.name		= "max_barren_s",
		.value		= &wakelat_settings.max_barren_s,
		.max		= U32_MAX,
	},
/*@-*/
/*@+DEADLINE*/
	/* Time that source passive leaves between two samples of a CPU. 0: none. */
	{
		.name		= "passive_interval_us",
		.value		= &wakelat_settings.passive_interval_us,
		.max		= U32_MAX,
	},
/*@-*/
	/* A sample whose launch time may be off by more is tainted. */
	{
		.name		= "max_uncertainty_ns",
		.value		= &wakelat_settings.max_uncertainty_ns,
		.max		= NSEC_PER_SEC,
	},
};

/*@+SWEEP*/
static const char * const ldist_modes[] = {
	[WAKELAT_LDIST_UNIFORM]	= "uniform",
	[WAKELAT_LDIST_SWEEP]	= "sweep",
};

/*@-*/
static const char * const end_reasons[] = {
	[0]				= "-",
	[WAKELAT_END_SAMPLES]		= "samples",
	[WAKELAT_END_SWEEP]		= "sweep",
	[WAKELAT_END_DURATION]		= "duration",
	[WAKELAT_END_STOPPED]		= "stopped",
	[WAKELAT_END_CPU_OFFLINE]	= "cpu_offline",
	[WAKELAT_END_SUSPEND]		= "suspend",
	[WAKELAT_END_CLOCK]		= "clock",
	[WAKELAT_END_SOURCE_GONE]	= "source_gone",
	[WAKELAT_END_SOURCE_CLOCK]	= "source_clock",
	[WAKELAT_END_BARREN]		= "barren",
};

/* A kernel may be locked down after the files were created. */
static int open_unless_locked(struct file *file,
			      int (*show)(struct seq_file *m, void *unused), void *data)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	return err ?: single_open(file, show, data);
}

static int number_show(struct seq_file *m, void *unused)
{
	const struct wakelat_number *number = m->private;

	guard(mutex)(&wakelat_lock);
	seq_printf(m, "%llu\n", *number->value);

	return 0;
}

static int number_open(struct inode *inode, struct file *file)
{
	return open_unless_locked(file, number_show, inode->i_private);
}

static ssize_t number_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	const struct wakelat_number *number = m->private;
	u64 value;
	int err;

	err = kstrtou64_from_user(ubuf, count, 10, &value);
	if (err)
		return err;

	guard(mutex)(&wakelat_lock);
	if (wakelat_run.on)
		return -EBUSY;
	if (value < number->min || value > number->max ||
	    (number->not_below && value < *number->not_below) ||
	    (number->not_above && value > *number->not_above))
		return -EINVAL;
	*number->value = value;

	return count;
}

static const struct file_operations number_fops = {
	.open		= number_open,
	.read		= seq_read,
	.write		= number_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* Copies a word from user space; the caller frees it. */
static char *word_from_user(const char __user *ubuf, size_t count)
{
	char *word;

	if (count > PAGE_SIZE)
		return ERR_PTR(-EINVAL);
	word = memdup_user_nul(ubuf, count);
	if (!IS_ERR(word))
		strim(word);

	return word;
}

/*
 * Files that are not plain numbers: each has a show function, and a store
 * function if it can be written. Both are called with wakelat_lock held, the
 * latter while no run is on.
 */
struct wakelat_file {
	const char *name;
	int (*show)(struct seq_file *m);
	int (*store)(char *word);
};

static int file_show(struct seq_file *m, void *unused)
{
	const struct wakelat_file *wf = m->private;

	guard(cpus_read_lock)();
	guard(mutex)(&wakelat_lock);

	return wf->show(m);
}

static int file_open(struct inode *inode, struct file *file)
{
	return open_unless_locked(file, file_show, inode->i_private);
}

static ssize_t file_write(struct file *file, const char __user *ubuf, size_t count,
			  loff_t *ppos)
{
	struct seq_file *m = file->private_data;
	const struct wakelat_file *wf = m->private;
	char *word;
	int err;

	if (!wf->store)
		return -EINVAL;
	/* As for a number: what is not there cannot be meant. */
	if (!count)
		return 0;
	word = word_from_user(ubuf, count);
	if (IS_ERR(word))
		return PTR_ERR(word);

	scoped_guard(mutex, &wakelat_lock)
		err = wakelat_run.on ? -EBUSY : wf->store(word);
	kfree(word);

	return err ?: count;
}

static const struct file_operations file_fops = {
	.open		= file_open,
	.read		= seq_read,
	.write		= file_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* For the CPUs that are chosen; if none is, for those there are. */
static int available_sources_show(struct seq_file *m)
{
	const struct cpumask *cpus = &wakelat_settings.cpus;
	struct wakelat_source *source;

	if (!cpumask_intersects(cpus, cpu_online_mask))
		cpus = cpu_online_mask;
	list_for_each_entry(source, &wakelat_sources, node) {
		const char *problem = wakelat_source_problem(source, cpus);

		if (problem)
			seq_printf(m, "%s unavailable: %s\n", source->name, problem);
		else
			seq_printf(m, "%s ok\n", source->name);
	}

	return 0;
}

static int source_show(struct seq_file *m)
{
	const struct wakelat_source *source = wakelat_settings.source;

	seq_printf(m, "%s\n", source ? source->name : "none");

	return 0;
}

static int source_store(char *word)
{
	struct wakelat_source *source;

	if (!strcmp(word, "none")) {
		wakelat_settings.source = NULL;
		return 0;
	}
	list_for_each_entry(source, &wakelat_sources, node) {
		if (!strcmp(word, source->name)) {
			wakelat_settings.source = source;
			return 0;
		}
	}

	return -ENODEV;
}

static int source_clock_show(struct seq_file *m)
{
	const struct wakelat_source *source = wakelat_settings.source;

	seq_printf(m, "%s\n", source ? source->clock ?: WAKELAT_CLOCK : "-");

	return 0;
}

static int clock_khz_show(struct seq_file *m)
{
	seq_printf(m, "%u\n", wakelat_clock_khz());

	return 0;
}

static int cpus_show(struct seq_file *m)
{
	seq_printf(m, "%*pbl\n", cpumask_pr_args(&wakelat_settings.cpus));

	return 0;
}

static int cpus_store(char *word)
{
	cpumask_var_t cpus;
	int err;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;

	err = *word ? cpulist_parse(word, cpus) : 0;
	if (!err && !cpumask_subset(cpus, cpu_possible_mask))
		err = -EINVAL;
	if (!err)
		cpumask_copy(&wakelat_settings.cpus, cpus);
	free_cpumask_var(cpus);

	return err;
}

/*@+SWEEP*/
static int ldist_mode_show(struct seq_file *m)
{
	seq_printf(m, "%s\n", ldist_modes[wakelat_settings.ldist.mode]);

	return 0;
}

static int ldist_mode_store(char *word)
{
	int mode = match_string(ldist_modes, ARRAY_SIZE(ldist_modes), word);

	if (mode < 0)
		return mode;
	wakelat_settings.ldist.mode = mode;

	return 0;
}

/*@-*/
/*@+COUNTERS*/
static int counters_show(struct seq_file *m)
{
	wakelat_arch_show_counters(m);

	return 0;
}

static int counters_store(char *word)
{
	return wakelat_arch_choose_counters(word);
}

/*@-*/
static int source_settings_show(struct seq_file *m)
{
	const struct wakelat_source *source = wakelat_settings.source;

	if (source && source->show_settings)
		source->show_settings(m);

	return 0;
}

/* One of them: "key value". */
static int source_settings_store(char *word)
{
	const struct wakelat_source *source = wakelat_settings.source;
	char *key = strsep(&word, " ");

	if (!source)
		return -ENODEV;
	if (!source->set || !word)
		return -EINVAL;

	return source->set(key, skip_spaces(word));
}

/*@+FACTS*/
static int source_facts_show(struct seq_file *m)
{
	const struct wakelat_source *source = wakelat_settings.source;

	if (source && source->facts)
		source->facts(m);

	return 0;
}

/*@-*/
static int status_show(struct seq_file *m)
{
	const struct wakelat_run *run = &wakelat_run;
	u64 elapsed_ns = 0;

	if (run->number)
		elapsed_ns = (run->on ? ktime_get_ns() : run->end_ns) - run->start_ns;

	seq_printf(m, "run %u\n", run->number);
	seq_printf(m, "state %s\n", run->on ? "running" : "idle");
	seq_printf(m, "reason %s\n", end_reasons[run->on ? 0 : run->reason]);
	seq_printf(m, "cpus %*pbl\n", cpumask_pr_args(&run->cpus));
	seq_printf(m, "elapsed_ns %llu\n", elapsed_ns);
	seq_printf(m, "error %s\n", run->error[0] ? run->error : "-");

	return 0;
}

static int counts_show(struct seq_file *m)
{
	const struct wakelat_counts *c;
	unsigned int cpu, i;

	seq_puts(m, "cpu\tarmed\tsamples\ttainted\tnot_idle\tlate\torder\tlimited\tlost\t");
	for (i = 0; i < WAKELAT_NR_TAINTS; i++)
		seq_printf(m, "%s\t", wakelat_taint_names[i]);
	seq_puts(m, "other_wakes\n");
	for_each_cpu(cpu, &wakelat_run.cpus) {
		c = wakelat_counts_of(cpu);
		seq_printf(m, "%u\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t",
			   cpu, c->armed, c->samples, c->tainted, c->not_idle, c->late, c->order,
			   c->limited, c->lost);
		for (i = 0; i < WAKELAT_NR_TAINTS; i++)
			seq_printf(m, "%llu\t", c->taints[i]);
		seq_printf(m, "%llu\n", wakelat_other_wakes(cpu));
	}

	return 0;
}

/*@+HOOK*/
static int cpu_facts_show(struct seq_file *m)
{
	unsigned int cpu;

	for_each_cpu(cpu, &wakelat_run.cpus) {
		wakelat_arch_show(m, cpu);
/*@+SLEEP*/
		wakelat_way_show(m, cpu);
/*@-*/
	}

	return 0;
}

/*@-*/
/*@+FACTS*/
static int characterisation_show(struct seq_file *m, void *unused)
{
	wakelat_characterisation_show(m);

	return 0;
}

static int characterisation_open(struct inode *inode, struct file *file)
{
	return open_unless_locked(file, characterisation_show, NULL);
}

/* The number of a CPU: time there, now, what the measurement does. */
static ssize_t characterisation_write(struct file *file, const char __user *ubuf,
				      size_t count, loff_t *ppos)
{
	unsigned int cpu;
	int err;

	err = kstrtouint_from_user(ubuf, count, 10, &cpu);
	if (err)
		return err;
	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	err = wakelat_run_characterise(cpu);

	return err ?: count;
}

static const struct file_operations characterisation_fops = {
	.open		= characterisation_open,
	.read		= seq_read,
	.write		= characterisation_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/*@-*/
static struct wakelat_file wakelat_files[] = {
	/* The sources there are, and why those that cannot be used cannot. */
	{ .name = "available_sources", .show = available_sources_show },
	/* One of them, or none. */
	{ .name = "source", .show = source_show, .store = source_store },
	/* The clock that its launch times are in. */
	{ .name = "source_clock", .show = source_clock_show },
	/* The frequency of the clock of the stamps, kHz. */
	{ .name = "clock_khz", .show = clock_khz_show },
	/* CPUs to measure, as a list: 1,3-5. */
	{ .name = "cpus", .show = cpus_show, .store = cpus_store },
/*@+SWEEP*/
	/* How launch distances follow one another: uniform or sweep. */
	{ .name = "ldist_mode", .show = ldist_mode_show, .store = ldist_mode_store },
/*@-*/
/*@+COUNTERS*/
	/* Sets of counters to read with each sample, joined by commas, or none. */
	{ .name = "counters", .show = counters_show, .store = counters_store },
/*@-*/
	/* What can be set of the source, "key value". */
	{
		.name	= "source_settings",
		.show	= source_settings_show,
		.store	= source_settings_store,
	},
/*@+FACTS*/
	/* What is to be known about the source and its last run. */
	{ .name = "source_facts", .show = source_facts_show },
/*@-*/
/*@+HOOK*/
	/* What the last run has found out about its CPUs. */
	{ .name = "cpu_facts", .show = cpu_facts_show },
/*@-*/
	/* The current run, or the last one. */
	{ .name = "status", .show = status_show },
	/* What has become of its events, by CPU. */
	{ .name = "counts", .show = counts_show },
};

static int run_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", READ_ONCE(wakelat_run.on));

	return 0;
}

static int run_open(struct inode *inode, struct file *file)
{
	return open_unless_locked(file, run_show, NULL);
}

/* 1 starts a run, 0 stops it. */
static ssize_t run_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos)
{
	bool start;
	int err;

	err = kstrtobool_from_user(ubuf, count, &start);
	if (err)
		return err;

	if (start)
		err = wakelat_run_start();
	else
		wakelat_run_stop();

	return err ?: count;
}

static const struct file_operations run_fops = {
	.open		= run_open,
	.read		= seq_read,
	.write		= run_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int wait_show(struct seq_file *m, void *unused)
{
	guard(mutex)(&wakelat_lock);
	seq_printf(m, "%s\n", end_reasons[wakelat_run.reason]);

	return 0;
}

static int wait_open(struct inode *inode, struct file *file)
{
	return open_unless_locked(file, wait_show, NULL);
}

/*
 * Blocks until no run is on and yields why the last one has ended. It sleeps before
 * seq_file takes its lock: whoever else reads from this descriptor can be killed.
 */
static ssize_t wait_read(struct file *file, char __user *ubuf, size_t count, loff_t *ppos)
{
	int err = wakelat_run_wait();

	return err ?: seq_read(file, ubuf, count, ppos);
}

static const struct file_operations wait_fops = {
	.open		= wait_open,
	.read		= wait_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static void __init create_file(struct dentry *dir, const char *name, umode_t mode,
			       void *data, const struct file_operations *fops)
{
	if (!tracefs_create_file(name, mode, dir, data, fops))
		pr_warn("wakelat: cannot create tracefs file %s\n", name);
}

/* Runs after tracefs has been set up. */
static int __init wakelat_control_init(void)
{
	struct dentry *dir;
	int i;

	dir = tracefs_create_dir("wakelat", NULL);
	if (!dir)
		return -ENOMEM;

	for (i = 0; i < ARRAY_SIZE(wakelat_numbers); i++)
		create_file(dir, wakelat_numbers[i].name, 0640, &wakelat_numbers[i],
			    &number_fops);
	for (i = 0; i < ARRAY_SIZE(wakelat_files); i++)
		create_file(dir, wakelat_files[i].name,
			    wakelat_files[i].store ? 0640 : 0440, &wakelat_files[i],
			    &file_fops);
	create_file(dir, "run", 0640, NULL, &run_fops);
	create_file(dir, "wait", 0440, NULL, &wait_fops);
/*@+FACTS*/
	create_file(dir, "characterisation", 0640, NULL, &characterisation_fops);
/*@-*/

	return 0;
}
fs_initcall(wakelat_control_init);
