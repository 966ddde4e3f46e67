// SPDX-License-Identifier: GPL-2.0-only
/*
 * compactsnoop: print each compaction of a memory zone as it ends, or those
 * in a recording.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "exit.h"
#include "latency.h"
#include "reader.h"
#include "recording.h"
#include "settings.h"
#include "stream.h"
#include "symbols.h"
#include "text.h"
#include "wait.h"

const char *csn_exit_program = "compactsnoop";

/* What goes with the events on their way to the rows. */
struct printer {
	const struct csn_settings *settings;
	struct csn_text text;
	bool has_header;
	__u32 pid;		/* of a recording: print this one only; 0: all */
	__u64 end;		/* of a recording: print none after this time */
	__u64 lost;		/* told so far */
	int error;		/* of the output, errno */
	enum csn_exit failure;	/* other than of the output; has been told */
	char source[CSN_PLOT_SOURCE];	/* of the events; empty: none can come */
};

/* Half a megabyte of buffers: too large for a small machine's stack. */
static struct csn_reader reader;
static struct csn_symbols symbols;
static struct printer printer;
static struct csn_latency latency;
static char *command;	/* the command line */

static int print_header(void)
{
	if (printer.has_header)
		return 0;
	printer.has_header = true;
	if (printer.settings->plot)
		return 0;
	printer.error = -csn_text_header(&printer.text);
	return printer.error;
}

static void print_lost(__u64 count)
{
	fprintf(stderr, "Possibly lost %llu samples\n", count);
	printer.lost += count;
}

static int on_event(struct csn_reader *from, const struct csn_group *group)
{
	const union csn_record *base = &group->record[0];

	if (printer.end && group->ts > printer.end)
		return 1;
	switch (base->head.type) {
	case CSN_RECORD_LOST:
		print_lost(base->lost.count);
		if (printer.settings->plot)
			csn_latency_lost(&latency, &base->lost);
		break;
	case CSN_RECORD_COMPACTION:
		if (printer.pid && base->compaction.pid != printer.pid)
			break;
		if (printer.settings->plot) {
			printer.failure = csn_latency_add(&latency, group,
							  &from->zones);
			return printer.failure;
		}
		printer.error = -csn_text_compaction(&printer.text, group,
						     &from->zones);
		break;
	}
	return printer.error;
}

static enum csn_exit explain_end(const struct csn_stream *stream,
				 enum csn_stream_end end, const char *path)
{
	enum csn_exit status = csn_recording_explain_end(stream, end, path,
							 &reader,
							 printer.error);

	return status ? status : printer.failure;
}

/* The header went out when tracing began. */
static int on_live_info(struct csn_reader *from)
{
	(void)from;
	return 0;
}

static void note_missing_features(const struct csn_info *info)
{
	static const char fragindex[] =
		"FRAGIDX is computed, not probed: this kernel has no kretprobe for it";
	static const char zone_state[] =
		"MIN, LOW, HIGH and FREE: as of the beginning, not of the decision, on this kernel";
	static const char stacks[] =
		"no stacks: this kernel does not give them to modules";
	static const char symbol_names[] =
		"stacks show [unknown] only: this kernel does not give symbol names to modules";
	const struct csn_settings *settings = printer.settings;

	if (settings->extended && !(info->features & CSN_FEATURE_FRAGINDEX))
		csn_exit_note("%s", fragindex);
	if (settings->extended && !(info->features & CSN_FEATURE_SUITABLE))
		csn_exit_note("%s", zone_state);
	if (settings->stack && !(info->features & CSN_FEATURE_STACK))
		csn_exit_note("%s", stacks);
	else if (settings->stack && !(info->features & CSN_FEATURE_SYMBOLS))
		csn_exit_note("%s", symbol_names);
}

static enum csn_exit start(struct csn_device *device)
{
	const struct csn_settings *settings = printer.settings;
	struct csn_config config = { .classes = CSN_CLASS_COMPACTION };

	if (settings->extended)
		config.flags |= CSN_FLAG_ZONE_STATE;
	if (settings->stack && (device->info.features & CSN_FEATURE_STACK))
		config.flags |= CSN_FLAG_STACK;
	if (settings->pid) {
		config.filter.match = CSN_MATCH_PID;
		config.filter.pid = settings->pid;
	}
	if (config.flags & CSN_FLAG_STACK) {
		symbols.fd = device->fd;
		printer.text.symbols = &symbols;
	}
	return csn_device_start(device, &config);
}

/* From the start of tracing to its end. */
static enum csn_exit trace(struct csn_device *device)
{
	struct csn_stream stream = {
		.fd = device->fd,
		.deadline = CSN_WAIT_FOREVER,
		.sink = &csn_stream_reader_sink,
		.to = &reader,
	};
	enum csn_stream_end end;
	enum csn_exit status;
	__u64 lost;

	if (printer.settings->duration)
		stream.deadline = csn_wait_now() + printer.settings->duration;
	csn_plot_name_kernel(printer.source);
	if (print_header())
		return csn_exit_output(printer.error);
	if (printer.settings->plot && !printer.settings->duration &&
	    isatty(STDERR_FILENO))
		csn_exit_note("tracing; ^C ends it and draws");

	end = csn_stream_run(&stream);
	status = explain_end(&stream, end, CSN_DEVICE_PATH);
	if (status)
		return status;
	status = csn_device_stop(device);
	if (status)
		return status;
	end = csn_stream_drain(&stream);
	status = explain_end(&stream, end, CSN_DEVICE_PATH);

	/* What the rings had no room to tell, even at the end. */
	lost = csn_device_lost(device);
	if (lost > printer.lost)
		print_lost(lost - printer.lost);
	return status;
}

static enum csn_exit run_live(void)
{
	const struct csn_settings *settings = printer.settings;
	struct csn_device device;
	enum csn_exit status;

	status = csn_device_open(&device);
	if (status)
		return status;
	if (settings->pid && kill(settings->pid, 0) && errno == ESRCH) {
		status = csn_exit_fail(CSN_EXIT_NO_PROCESS,
				       "no process has the id %u", settings->pid);
	} else {
		note_missing_features(&device.info);
		status = start(&device);
	}
	if (!status)
		status = trace(&device);
	csn_symbols_free(&symbols);
	csn_device_close(&device);
	return status;
}

/* What the recording does not hold cannot be shown; the rest can. */
static int on_recorded_info(struct csn_reader *from)
{
	const struct csn_settings *settings = printer.settings;
	__u32 flags = from->info.flags;

	if (printer.has_header)
		return 0;
	csn_plot_name_recording(printer.source, &from->kernel, from->info.wall);
	if (settings->duration)
		printer.end = from->info.ts + settings->duration;
	if (settings->extended && !(flags & CSN_FLAG_ZONE_STATE)) {
		csn_exit_note("the recording has no zone state: shown without -e");
		printer.text.extended = false;
	}
	if (settings->stack && !(flags & CSN_FLAG_STACK))
		csn_exit_note("the recording has no stacks: shown without -K");
	else if (settings->stack)
		csn_exit_note("stacks can be named while they are recorded only: shown without -K");
	return print_header();
}

static enum csn_exit run_recording(void)
{
	const struct csn_settings *settings = printer.settings;
	struct csn_stream stream = {
		.deadline = CSN_WAIT_FOREVER,
		.sink = &csn_stream_reader_sink,
		.to = &reader,
	};
	enum csn_stream_end end;
	enum csn_exit status;

	printer.pid = settings->pid;
	status = csn_recording_open(settings->input, &stream.fd);
	if (status)
		return status;
	end = csn_stream_run(&stream);
	if (end == CSN_STREAM_INTERRUPTED) {
		stream.error = csn_reader_flush(&reader);
		if (stream.error)
			end = CSN_STREAM_BAD;
	}
	status = explain_end(&stream, end, settings->input);
	if (stream.fd != STDIN_FILENO)
		close(stream.fd);
	return status;
}

/* What has come is drawn, however it ended; if anything could come at all. */
static enum csn_exit draw(enum csn_exit status)
{
	enum csn_exit drawn;

	if (!*printer.source || printer.failure)
		return status;
	drawn = csn_latency_draw(&latency, command, printer.source);
	return status ? status : drawn;
}

int main(int argc, char **argv)
{
	struct csn_settings settings;
	enum csn_exit status;
	int action;

	/* Parsing moves the arguments. */
	command = csn_plot_command(argc, argv);
	if (!command)
		return csn_exit_fail(CSN_EXIT_MEMORY, "out of memory");
	action = csn_settings_parse(&settings, argc, argv, stderr);
	if (!csn_command_begin(action, csn_settings_help, "compactsnoop " CSN_VERSION "\n",
			       &status))
		return status;

	printer.settings = &settings;
	printer.text.out = stdout;
	printer.text.timestamp = settings.timestamp;
	printer.text.extended = settings.extended;
	reader.on_info = settings.input ? on_recorded_info : on_live_info;
	reader.on_event = on_event;
	if (settings.plot) {
		status = csn_plot_begin(&latency.plot, settings.plot);
		if (status)
			return status;
	}
	status = settings.input ? run_recording() : run_live();
	csn_reader_free(&reader);
	if (settings.plot) {
		status = draw(status);
		csn_latency_end(&latency);
	}
	free(command);
	return status;
}
