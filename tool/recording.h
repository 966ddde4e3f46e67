/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CSN_RECORDING_H
#define CSN_RECORDING_H

#include "exit.h"
#include "reader.h"
#include "stream.h"

enum csn_exit csn_recording_open(const char *path, int *fd);
enum csn_exit csn_recording_explain(const char *path,
				    const struct csn_reader *reader,
				    enum csn_reader_error error);
enum csn_exit csn_recording_explain_end(const struct csn_stream *stream,
					enum csn_stream_end end,
					const char *path,
					const struct csn_reader *reader,
					int output_error);
const char *csn_recording_name(const char *path);

#endif
