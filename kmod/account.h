/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of a session's events. */
#ifndef CSN_ACCOUNT_H
#define CSN_ACCOUNT_H

struct csn_counters;
struct csn_session;
struct csn_stats;

int csn_account_stats(struct csn_session *session, struct csn_stats *stats);
int csn_account_counters(struct csn_session *session, struct csn_counters *c);
void csn_account_tell_lost(struct csn_session *session);
void csn_account_hand_over(struct csn_session *session);

#endif /* CSN_ACCOUNT_H */
