/* SPDX-License-Identifier: GPL-2.0-only */
/* A session's rings as one stream of records, for read() and poll(). */
#ifndef CSN_STREAM_H
#define CSN_STREAM_H

#include <linux/types.h>

struct csn_session;

ssize_t csn_stream_read(struct csn_session *session, char __user *buf,
			size_t count, bool nonblock);
bool csn_stream_readable(struct csn_session *session);
bool csn_stream_ended(struct csn_session *session);

#endif /* CSN_STREAM_H */
