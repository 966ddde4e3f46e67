// SPDX-License-Identifier: GPL-2.0-only
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <linux/wait.h>

#include "session.h"
#include "stream.h"

static void csn_stream_make_info(struct csn_session *session)
{
	struct csn_record_info *info = &session->info.info;
	struct csn_record_zone_names *names = &session->info.names;
	struct csn_record_kernel *kernel = &session->info.kernel;
	struct csn_config config = {};
	struct csn_info now = {};

	csn_session_info(&now);
	csn_session_get_config(session, &config);

	info->head.type = CSN_RECORD_INFO;
	info->head.parts = 3;
	info->ts = session->start;
	info->wall = session->wall;
	info->magic = CSN_INFO_MAGIC;
	info->abi_version = now.abi_version;
	info->machine = now.machine;
	info->page_size = now.page_size;
	info->features = now.features;
	info->classes = config.classes;
	info->flags = config.flags;
	info->nr_cpus = now.nr_cpus;
	info->nr_nodes = now.nr_nodes;
	info->nr_zones = now.nr_zones;
	info->nr_orders = now.nr_orders;

	names->head.type = CSN_RECORD_ZONE_NAMES;
	names->head.part = 1;
	names->head.parts = 3;
	memcpy(names->name, now.zone_name, sizeof(names->name));

	/* The session is zeroed, and so is what is behind the release. */
	kernel->head.type = CSN_RECORD_KERNEL;
	kernel->head.part = 2;
	kernel->head.parts = 3;
	strscpy(kernel->release, init_utsname()->release, sizeof(kernel->release));
}

/* The ring whose next record is due: of a group that is half read, else the oldest. */
static struct csn_ring *csn_stream_next(struct csn_session *session)
{
	const struct csn_record_base *rec;
	struct csn_ring *ring, *oldest = NULL;
	unsigned int cpu;
	u64 ts = U64_MAX;

	if (session->torn)
		return session->torn;
	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(session->rings, cpu);
		rec = (const void *)csn_ring_peek(ring);
		if (rec && (!oldest || rec->ts < ts)) {
			oldest = ring;
			ts = rec->ts;
		}
	}
	return oldest;
}

/* Copies what is there, whole records. Returns bytes, 0 if there is none, -EFAULT. */
static ssize_t csn_stream_drain(struct csn_session *session, char __user *buf,
				size_t count)
{
	const struct csn_record_head *rec;
	struct csn_ring *ring;
	size_t done;

	for (done = 0; count - done >= CSN_RECORD_SIZE; done += CSN_RECORD_SIZE) {
		if (session->info_left) {
			rec = (void *)&session->info + sizeof(session->info) -
			      session->info_left;
			ring = NULL;
		} else {
			ring = csn_stream_next(session);
			if (!ring)
				break;
			rec = csn_ring_peek(ring);
		}
		if (copy_to_user(buf + done, rec, CSN_RECORD_SIZE))
			return done ?: -EFAULT;
		if (ring) {
			session->torn = rec->part + 1 < rec->parts ? ring : NULL;
			csn_ring_consume(ring);
		} else {
			session->info_left -= CSN_RECORD_SIZE;
		}
	}
	return done;
}

static ssize_t csn_stream_read_once(struct csn_session *session,
				    char __user *buf, size_t count)
{
	ssize_t n;

	if (mutex_lock_interruptible(&session->read_lock))
		return -ERESTARTSYS;
	if (session->info_left == sizeof(session->info))
		csn_stream_make_info(session);
	n = csn_stream_drain(session, buf, count);
	if (!n) {
		csn_session_tell_lost(session);
		n = csn_stream_drain(session, buf, count);
	}
	mutex_unlock(&session->read_lock);
	return n;
}

/**
 * csn_stream_read() - read() of a session
 * @session: started if it is new.
 * @buf: user memory.
 * @count: bytes; what is beyond whole records is left alone.
 * @nonblock: do not wait.
 *
 * Context: may sleep.
 * Return: bytes; 0 if the session is stopped and all is read, or @count is 0;
 * -EINVAL if @count is less than a record; -EAGAIN if @nonblock and there is
 * nothing; -EFAULT, and nothing is lost; -ERESTARTSYS; what
 * csn_session_claim_read() said.
 */
ssize_t csn_stream_read(struct csn_session *session, char __user *buf,
			size_t count, bool nonblock)
{
	bool stopped;
	ssize_t n;

	if (!count)
		return 0;
	if (count < CSN_RECORD_SIZE)
		return -EINVAL;
	n = csn_session_claim_read(session);
	if (n)
		return n;

	for (;;) {
		/* Looked at first: nothing is written once it is stopped. */
		stopped = READ_ONCE(session->state) == CSN_SESSION_STOPPED;
		smp_rmb();	/* Pairs with synchronize_rcu() in csn_session_stop(). */
		n = csn_stream_read_once(session, buf, count);
		if (n || stopped)
			return n;
		if (nonblock)
			return -EAGAIN;
		if (wait_event_interruptible(session->wait,
					     csn_stream_readable(session)))
			return -ERESTARTSYS;
	}
}

/**
 * csn_stream_readable() - whether a reader should look
 * @session: any.
 *
 * Context: any.
 * Return: true if read() would not wait, or a mapped ring has reached the
 * watermark.
 */
bool csn_stream_readable(struct csn_session *session)
{
	unsigned int cpu;

	if (READ_ONCE(session->state) == CSN_SESSION_STOPPED)
		return true;
	if (READ_ONCE(session->reader) != CSN_READER_MMAP &&
	    READ_ONCE(session->info_left))
		return true;
	for_each_possible_cpu(cpu) {
		struct csn_ring *ring = per_cpu_ptr(session->rings, cpu);

		if (csn_ring_used(ring) >= READ_ONCE(ring->watermark) ||
		    csn_ring_untold(ring))
			return true;
	}
	return false;
}

/**
 * csn_stream_ended() - whether a reader has reached the end
 * @session: any.
 *
 * Context: any.
 * Return: true if the session is stopped and all is read.
 */
bool csn_stream_ended(struct csn_session *session)
{
	unsigned int cpu;

	if (READ_ONCE(session->state) != CSN_SESSION_STOPPED)
		return false;
	for_each_possible_cpu(cpu) {
		struct csn_ring *ring = per_cpu_ptr(session->rings, cpu);

		if (csn_ring_used(ring) || csn_ring_untold(ring))
			return false;
	}
	return true;
}
