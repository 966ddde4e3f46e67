// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a plot to a picture: gnuplot reads the script from its standard input
 * and writes to its standard output, both files without a name, so no name
 * from the command line is ever text that gnuplot or a shell would read.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot.h"
#include "plot_script.h"

#define GNUPLOT		"gnuplot"
#define SCRIPT_SUFFIX	".gnuplot"

static const char no_gnuplot[] =
	"there is no gnuplot here to draw with: install the package gnuplot-nox (or gnuplot)";

/* What gnuplot is given and gives; files that go with the process. */
struct run {
	FILE *script;
	FILE *picture;
	FILE *messages;
};

static bool find_format(struct csn_plot *plot, const char *path)
{
	static const char * const suffixes[] = {
		[CSN_PLOT_SVG]	= ".svg",
		[CSN_PLOT_PNG]	= ".png",
		[CSN_PLOT_PDF]	= ".pdf",
		[CSN_PLOT_HTML]	= ".html",
	};
	const char *suffix = strrchr(path, '.');

	if (!strcmp(path, "-")) {
		plot->format = CSN_PLOT_TERMINAL;
		return true;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (suffix && !strcasecmp(suffix, suffixes[i])) {
			plot->format = i;
			return true;
		}
	}
	return false;
}

/*
 * Starts gnuplot and waits for its end. @argument is its only one.
 * Returns its wait status, or -1 with errno.
 */
static int run_gnuplot(const char *argument, int in, int out, int err)
{
	char * const argv[] = { GNUPLOT, "-d", (char *)argument, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int error, status;
	pid_t pid;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	error = posix_spawnp(&pid, GNUPLOT, &files, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	if (error) {
		errno = error;
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static bool have_gnuplot(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int status;

	if (null < 0)
		return false;
	status = run_gnuplot("--version", null, null, null);
	close(null);
	return !status;
}

/**
 * csn_plot_begin() - check that a picture can be drawn, before the data come
 * @plot: the plot, zeroed.
 * @path: where to: the suffix is the format; "-" is the terminal.
 *
 * Without gnuplot it goes on, as csn_plot_draw() then keeps the data.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why.
 */
enum csn_exit csn_plot_begin(struct csn_plot *plot, const char *path)
{
	plot->path = path;
	plot->fd = STDOUT_FILENO;
	if (!find_format(plot, path))
		return csn_exit_fail(CSN_EXIT_USAGE,
				     "cannot tell from the name \"%s\" what to draw: it has to end in .svg, .png, .pdf or .html; - draws in the terminal",
				     path);
	if (plot->format != CSN_PLOT_TERMINAL) {
		plot->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				0666);
		plot->created = plot->fd >= 0;
		if (plot->fd < 0 && errno == EEXIST)
			plot->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC,
					0666);
		if (plot->fd < 0)
			return csn_exit_fail(errno == EACCES ?
					     CSN_EXIT_PERMISSION :
					     CSN_EXIT_ERROR,
					     "cannot write %s: %s", path,
					     strerror(errno));
	}
	if (!have_gnuplot())
		csn_exit_note("%s", no_gnuplot);
	return CSN_EXIT_OK;
}

static struct csn_plot_screen find_screen(void)
{
	struct csn_plot_screen screen = { .columns = 80, .lines = 24 };
	const char *term = getenv("TERM");
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return screen;
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col &&
	    size.ws_row) {
		screen.columns = size.ws_col;
		/* The command above it and the prompt below stay in sight. */
		screen.lines = size.ws_row - 2;
	}
	screen.colour = !getenv("NO_COLOR") && term && strcmp(term, "dumb");
	return screen;
}

static void copy(FILE *from, FILE *to)
{
	char buffer[8192];
	size_t size;

	while ((size = fread(buffer, 1, sizeof(buffer), from)))
		fwrite(buffer, 1, size, to);
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc(*text, out);
	}
}

/* gnuplot's picture with its own script in it, in a page. */
static void put_page(const struct csn_plot *plot, FILE *picture, FILE *out)
{
	char *line = NULL;
	size_t room = 0;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>",
	      out);
	put_escaped(out, plot->title);
	fputs("</title>\n<style>\n"
	      "body { margin: 1em; font-family: sans-serif; color: #333; }\n"
	      "svg { width: 100%; height: auto; max-height: 88vh; }\n"
	      "svg > rect:not(.hypertextbox) { stroke: none; }\n"
	      "g[id$=_keyentry] { cursor: pointer; }\n", out);
	/* gnuplot's script knows the axes of the last panel only. */
	if (plot->nr_panels > 1)
		fputs("#coord_text { display: none; }\n", out);
	fputs("</style>\n</head>\n<body>\n", out);

	/* What comes before is for a file of its own. */
	while (getline(&line, &room, picture) >= 0 &&
	       strncmp(line, "<svg", strlen("<svg")))
		;
	if (line)
		fputs(line, out);
	free(line);
	copy(picture, out);

	fputs("<p>Click a name in the legend to hide or show its line. Hold the mouse over a point to see its numbers.\n"
	      "The wheel zooms, dragging moves, the right button resets.</p>\n"
	      "<script>\n"
	      "// What shows the numbers goes with the line that it belongs to.\n"
	      "for (const [line, hover] of [\n", out);
	csn_plot_script_hovers(out, plot);
	fputs("])\n\tdocument.getElementById(line).append(document.getElementById(hover));\n"
	      "</script>\n</body>\n</html>\n", out);
}

/* Returns 0 or an errno. */
static int deliver(struct csn_plot *plot, FILE *picture)
{
	FILE *out = stdout;
	int error = 0;

	if (plot->format != CSN_PLOT_TERMINAL) {
		/* A pipe or a device has no length. */
		if (ftruncate(plot->fd, 0) && errno != EINVAL)
			return errno;
		out = fdopen(plot->fd, "w");
		if (!out)
			return errno;
	}
	errno = 0;
	if (plot->format == CSN_PLOT_HTML) {
		put_page(plot, picture, out);
	} else {
		/* gnuplot begins a coloured page with a form feed. */
		int first = fgetc(picture);

		if (first != '\f')
			ungetc(first, picture);
		copy(picture, out);
	}
	if (fflush(out) || ferror(out))
		error = errno ? errno : EIO;
	if (out != stdout) {
		if (fclose(out) && !error)
			error = errno;
		plot->fd = -1;
	}
	return error;
}

/* The script, under a name; returns the name, to be freed, or NULL. */
static char *keep_script(const struct csn_plot *plot, FILE *script)
{
	const char *directory = getenv("TMPDIR");
	char *name = NULL;
	FILE *out;
	int fd;

	if (plot->format == CSN_PLOT_TERMINAL) {
		if (asprintf(&name, "%s/%s-XXXXXX" SCRIPT_SUFFIX,
			     directory ? directory : "/tmp",
			     csn_exit_program) < 0)
			return NULL;
		fd = mkstemps(name, strlen(SCRIPT_SUFFIX));
	} else {
		if (asprintf(&name, "%s" SCRIPT_SUFFIX, plot->path) < 0)
			return NULL;
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	}
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (out) {
		rewind(script);
		copy(script, out);
		if (!fclose(out))
			return name;
	}
	csn_exit_note("cannot keep the plot's data in %s: %s", name,
		      strerror(errno));
	free(name);
	return NULL;
}

/* The last thing that gnuplot said, without the end of the line. */
static char *last_message(FILE *messages)
{
	char *line = NULL, *last = NULL;
	size_t room = 0;

	rewind(messages);
	while (getline(&line, &room, messages) >= 0) {
		const char *start = line + strspn(line, " \t\n");

		if (!*start)
			continue;
		free(last);
		last = strdup(start);
		if (last)
			last[strcspn(last, "\n")] = '\0';
	}
	free(line);
	return last;
}

static enum csn_exit explain_failure(const struct csn_plot *plot,
				     const struct run *run, int status)
{
	char *message = NULL, *kept;

	if (status == -1) {
		/* csn_plot_begin() has told that it is not there. */
		if (errno != ENOENT)
			csn_exit_note("cannot run gnuplot: %s", strerror(errno));
	} else {
		message = last_message(run->messages);
		csn_exit_note("gnuplot failed: %s",
			      message ? message : "it did not say why");
	}
	kept = keep_script(plot, run->script);
	if (kept && plot->format == CSN_PLOT_TERMINAL)
		csn_exit_note("the plot's data are kept; gnuplot draws them with: gnuplot %s",
			      kept);
	else if (kept)
		csn_exit_note("the plot's data are kept; gnuplot draws them with: gnuplot %s > %s",
			      kept, plot->path);
	free(message);
	free(kept);
	return CSN_EXIT_ERROR;
}

static enum csn_exit draw(struct csn_plot *plot, const struct run *run)
{
	struct csn_plot_screen screen = find_screen();
	int status, error;

	csn_plot_script_write(run->script, plot, &screen);
	if (fflush(run->script) || ferror(run->script))
		return csn_exit_fail(CSN_EXIT_ERROR,
				     "cannot write the plot's data: %s",
				     strerror(errno));
	status = run_gnuplot("/dev/stdin", fileno(run->script),
			     fileno(run->picture), fileno(run->messages));
	if (status)
		return explain_failure(plot, run, status);
	rewind(run->picture);
	error = deliver(plot, run->picture);
	if (error == EPIPE)
		return CSN_EXIT_PIPE;
	if (error)
		return csn_exit_fail(CSN_EXIT_ERROR, "cannot write %s: %s",
				     plot->format == CSN_PLOT_TERMINAL ?
				     "the plot" : plot->path, strerror(error));
	plot->created = false;
	return CSN_EXIT_OK;
}

static void close_file(FILE *file)
{
	if (file)
		fclose(file);
}

/**
 * csn_plot_draw() - draw what was added
 * @plot: the plot.
 *
 * Return: CSN_EXIT_OK, or what to end with; the user has been told why, and
 * where the data are kept.
 */
enum csn_exit csn_plot_draw(struct csn_plot *plot)
{
	struct run run = { NULL, NULL, NULL };
	enum csn_exit status;

	for (size_t i = 0; i < plot->nr_panels; i++)
		if (plot->panel[i].no_memory)
			return csn_exit_fail(CSN_EXIT_MEMORY,
					     "no memory for the plot");
	run.script = tmpfile();
	run.picture = run.script ? tmpfile() : NULL;
	run.messages = run.picture ? tmpfile() : NULL;
	if (run.messages)
		status = draw(plot, &run);
	else
		status = csn_exit_fail(CSN_EXIT_ERROR,
				       "cannot make a temporary file: %s",
				       strerror(errno));
	close_file(run.script);
	close_file(run.picture);
	close_file(run.messages);
	return status;
}

/**
 * csn_plot_end() - let go of a plot, drawn or not
 * @plot: the plot; begun, whatever came of it.
 */
void csn_plot_end(struct csn_plot *plot)
{
	csn_plot_free(plot);
	if (plot->fd > STDERR_FILENO)
		close(plot->fd);
	/* An empty file where a picture should be helps no one. */
	if (plot->created)
		unlink(plot->path);
}
