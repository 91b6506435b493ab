// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "message.h"
#include "outfile.h"
#include "recording.h"
#include "run.h"

/* What a child process does, and the temporary file that it shares with its parent. */
struct run {
	int (*work)(FILE *text, void *arg);
	void *arg;
	FILE *text;
};

static int work_in(void *arg)
{
	const struct run *run = arg;
	int status = run->work(run->text, run->arg);

	if (fflush(run->text))
		die("out of memory");
	return status;
}

/* Print the temporary file FROM, beginning at its start. */
static void copy_text(FILE *from)
{
	static char buf[1 << 16];
	size_t len;

	rewind(from);
	while ((len = fread(buf, 1, sizeof(buf), from)))
		fwrite(buf, 1, len, stdout);
}

int run_reader(const char *const *traces, size_t nr, const char *output, int (*work)(FILE *text, void *arg), void *arg)
{
	const char *outputs[] = { output, NULL };
	int fd = memfd_create("answer", MFD_CLOEXEC), status;
	struct run run = { work, arg, fd < 0 ? NULL : fdopen(fd, "w+") };

	if (!run.text)
		die("cannot create a temporary file in memory: %s", strerror(errno));
	if (nr) {
		status = recording_convert_all(traces, nr, outputs, work_in, &run);
	} else {
		outfile_drop_at_signals();
		status = work_in(&run);
		if (output && outfile_place(output))
			return 1;
	}
	copy_text(run.text);
	return status;
}
