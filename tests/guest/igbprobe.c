// SPDX-License-Identifier: GPL-2.0
/*
 * igbprobe - use an i210 as its users do: through the PTP clock, the etf qdisc and SO_TXTIME.
 *
 *	igbprobe clock			prints "SYSTEM_NS PHC_NS": CLOCK_MONOTONIC and the card's clock, read together
 *	igbprobe settime NS
 *	igbprobe adjtime NS
 *	igbprobe adjfreq PPB
 *	igbprobe perout SECONDS		outputs a signal with a period of 2 s, for SECONDS; target time 0 fires twice in a period
 *	igbprobe mqprio IFACE		two traffic classes: queue 0 is for priority 3
 *	igbprobe etf IFACE PARENT	the etf qdisc with offload (PARENT: hexadecimal)
 *	igbprobe send IFACE COUNT STEP_NS	packets with launch times; prints launch time and hardware's time stamp
 *	igbprobe selftest IFACE		runs the driver's offline tests; prints "RESULT NAME" for each. RESULT 0: passed
 *	igbprobe registers IFACE	the driver's dump: a line "NUMBER VALUE" for each of its 32-bit words
 *
 * The clock is /dev/ptp0. Numbers are in ns.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/pkt_sched.h>
#include <linux/ptp_clock.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL

static void fail(const char *what)
{
	fprintf(stderr, "igbprobe: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(int result, const char *what)
{
	if (result < 0)
		fail(what);
}

static int open_clock(void)
{
	int fd = open("/dev/ptp0", O_RDWR);

	check(fd, "/dev/ptp0");
	return fd;
}

/* Return the clock ID of an open PTP clock, for clock_gettime(2). */
static clockid_t clock_of(int fd)
{
	return ((unsigned int)~fd << 3) | 3;
}

static long long to_ns(const struct timespec *t)
{
	return t->tv_sec * NS_PER_S + t->tv_nsec;
}

static struct timespec from_ns(long long ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

static void show_clock(void)
{
	struct timespec system, phc;

	check(clock_gettime(CLOCK_MONOTONIC, &system), "CLOCK_MONOTONIC");
	check(clock_gettime(clock_of(open_clock()), &phc), "clock_gettime");
	printf("%lld %lld\n", to_ns(&system), to_ns(&phc));
}

static void set_time(long long ns)
{
	struct timespec t = from_ns(ns);

	check(clock_settime(clock_of(open_clock()), &t), "clock_settime");
}

static void adjust_time(long long ns)
{
	struct timex t = { .modes = ADJ_SETOFFSET | ADJ_NANO };

	t.time.tv_sec = ns / NS_PER_S;
	t.time.tv_usec = ns % NS_PER_S;
	if (t.time.tv_usec < 0) {
		t.time.tv_sec--;
		t.time.tv_usec += NS_PER_S;
	}
	check(clock_adjtime(clock_of(open_clock()), &t), "ADJ_SETOFFSET");
}

/* The unit of freq is 2^-16 ppm. */
static void adjust_frequency(long long ppb)
{
	struct timex t = { .modes = ADJ_FREQUENCY, .freq = ppb * 65536 / 1000 };

	check(clock_adjtime(clock_of(open_clock()), &t), "ADJ_FREQUENCY");
}

/*
 * Make igb re-arm target time 0 from its interrupt handler. It does so if half a period is longer
 * than 70 ms.
 */
static void periodic(int seconds)
{
	struct ptp_pin_desc pin = { .index = 0, .func = PTP_PF_PEROUT, .chan = 0 };
	struct ptp_perout_request request = { .index = 0, .period = { .sec = 2 } };
	int fd = open_clock();
	struct timespec t;

	check(ioctl(fd, PTP_PIN_SETFUNC, &pin), "PTP_PIN_SETFUNC");
	check(clock_gettime(clock_of(fd), &t), "clock_gettime");
	request.start.sec = t.tv_sec + 1;
	check(ioctl(fd, PTP_PEROUT_REQUEST, &request), "PTP_PEROUT_REQUEST");
	sleep(seconds);
	memset(&request.period, 0, sizeof(request.period));
	check(ioctl(fd, PTP_PEROUT_REQUEST, &request), "end of PTP_PEROUT_REQUEST");
}

struct request {
	struct nlmsghdr header;
	struct tcmsg tc;
	char attributes[512];
};

static void *add_attribute(struct request *r, int type, const void *data, size_t size)
{
	struct rtattr *a = (void *)((char *)r + NLMSG_ALIGN(r->header.nlmsg_len));

	a->rta_type = type;
	a->rta_len = RTA_LENGTH(size);
	if (size)
		memcpy(RTA_DATA(a), data, size);
	r->header.nlmsg_len = NLMSG_ALIGN(r->header.nlmsg_len) + RTA_ALIGN(a->rta_len);
	return a;
}

static void start_request(struct request *r, const char *interface, const char *kind, unsigned int parent,
			  unsigned int handle)
{
	memset(r, 0, sizeof(*r));
	r->header.nlmsg_len = NLMSG_LENGTH(sizeof(r->tc));
	r->header.nlmsg_type = RTM_NEWQDISC;
	r->header.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK;
	r->tc.tcm_family = AF_UNSPEC;
	r->tc.tcm_ifindex = if_nametoindex(interface);
	r->tc.tcm_parent = parent;
	r->tc.tcm_handle = handle;
	if (!r->tc.tcm_ifindex)
		fail(interface);
	add_attribute(r, TCA_KIND, kind, strlen(kind) + 1);
}

static void send_request(struct request *r, const char *what)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char rest[1024];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	check(fd, "NETLINK_ROUTE");
	check(send(fd, r, r->header.nlmsg_len, 0), what);
	check(recv(fd, &answer, sizeof(answer), 0), what);
	if (answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error) {
		errno = -answer.error.error;
		fail(what);
	}
	close(fd);
}

static void add_mqprio(const char *interface)
{
	struct tc_mqprio_qopt options = { .num_tc = 2, .count = { 1, 1 }, .offset = { 0, 1 } };
	struct request r;
	int i;

	for (i = 0; i <= TC_QOPT_BITMASK; i++)
		options.prio_tc_map[i] = i != 3;
	start_request(&r, interface, "mqprio", TC_H_ROOT, 0x80010000);
	add_attribute(&r, TCA_OPTIONS, &options, sizeof(options));
	send_request(&r, "mqprio");
}

static void add_etf(const char *interface, unsigned int parent)
{
	struct tc_etf_qopt options = { .delta = 500000, .clockid = CLOCK_TAI, .flags = TC_ETF_OFFLOAD_ON };
	struct rtattr *nest;
	struct request r;

	start_request(&r, interface, "etf", parent, 0);
	nest = add_attribute(&r, TCA_OPTIONS, NULL, 0);
	add_attribute(&r, TCA_ETF_PARMS, &options, sizeof(options));
	nest->rta_len = (char *)&r + NLMSG_ALIGN(r.header.nlmsg_len) - (char *)nest;
	send_request(&r, "etf");
}

static int open_packet(const char *interface)
{
	struct sock_txtime txtime = { .clockid = CLOCK_TAI };
	struct hwtstamp_config stamps = { .tx_type = HWTSTAMP_TX_ON };
	int reports = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
	int priority = 3, fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct ifreq request = { .ifr_data = (void *)&stamps };

	check(fd, "AF_PACKET");
	strncpy(request.ifr_name, interface, sizeof(request.ifr_name) - 1);
	check(ioctl(fd, SIOCSHWTSTAMP, &request), "SIOCSHWTSTAMP");
	check(setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof(priority)), "SO_PRIORITY");
	check(setsockopt(fd, SOL_SOCKET, SO_TXTIME, &txtime, sizeof(txtime)), "SO_TXTIME");
	check(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &reports, sizeof(reports)), "SO_TIMESTAMPING");
	return fd;
}

static void send_at(int fd, const char *interface, unsigned long long ns)
{
	static unsigned char frame[64] = { 0x02, 0, 0, 0, 0x02, 0x11, 0x02, 0, 0, 0, 0x02, 0x10, 0x88, 0xb5 };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(interface) };
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(ns))];
	} control = { .header = {
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_TXTIME, .cmsg_len = CMSG_LEN(sizeof(ns)),
	} };
	struct iovec part = { frame, sizeof(frame) };
	struct msghdr message = {
		.msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = &part, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	memcpy(CMSG_DATA(&control.header), &ns, sizeof(ns));
	check(sendmsg(fd, &message, 0), "sendmsg");
}

static long long read_stamp(int fd)
{
	struct pollfd event = { .fd = fd };
	char data[256], control[512];
	struct iovec part = { data, sizeof(data) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;

	if (poll(&event, 1, 1000) != 1)
		return 0;
	check(recvmsg(fd, &message, MSG_ERRQUEUE), "MSG_ERRQUEUE");
	for (c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPING) {
			struct scm_timestamping *stamps = (void *)CMSG_DATA(c);

			return to_ns(&stamps->ts[2]);
		}
	return 0;
}

/* Send one packet at a time: the card has one register for time stamps. */
static void send_packets(const char *interface, int count, long long step)
{
	int fd = open_packet(interface);

	while (count--) {
		struct timespec now;
		long long at;

		check(clock_gettime(CLOCK_TAI, &now), "CLOCK_TAI");
		at = (to_ns(&now) + step) / 32 * 32;
		send_at(fd, interface, at);
		printf("%lld %lld\n", at, read_stamp(fd));
	}
}

static void ethtool(const char *iface, void *data, const char *what)
{
	struct ifreq ifr = { .ifr_data = data };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	check(fd, "socket");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", iface);
	check(ioctl(fd, SIOCETHTOOL, &ifr), what);
	close(fd);
}

static void *zeroed(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		fail("no memory");
	return p;
}

static void selftest(const char *iface)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_gstrings *names;
	struct ethtool_test *test;
	unsigned int i;

	ethtool(iface, &info, "ETHTOOL_GDRVINFO");
	names = zeroed(sizeof(*names) + info.testinfo_len * ETH_GSTRING_LEN);
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_TEST;
	names->len = info.testinfo_len;
	ethtool(iface, names, "ETHTOOL_GSTRINGS");
	test = zeroed(sizeof(*test) + info.testinfo_len * sizeof(test->data[0]));
	test->cmd = ETHTOOL_TEST;
	test->flags = ETH_TEST_FL_OFFLINE;
	test->len = info.testinfo_len;
	ethtool(iface, test, "ETHTOOL_TEST");
	for (i = 0; i < info.testinfo_len; i++)
		printf("%llu %.*s\n", (unsigned long long)test->data[i], ETH_GSTRING_LEN,
		       (char *)names->data + i * ETH_GSTRING_LEN);
}

static void registers(const char *iface)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	struct ethtool_regs *regs;
	unsigned int i;

	ethtool(iface, &info, "ETHTOOL_GDRVINFO");
	regs = zeroed(sizeof(*regs) + info.regdump_len);
	regs->cmd = ETHTOOL_GREGS;
	regs->len = info.regdump_len;
	ethtool(iface, regs, "ETHTOOL_GREGS");
	for (i = 0; i < regs->len / 4; i++)
		printf("%u 0x%08x\n", i, ((unsigned int *)regs->data)[i]);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	long long n = argc > 2 ? atoll(argv[2]) : 0;

	if (!strcmp(command, "clock"))
		show_clock();
	else if (!strcmp(command, "settime") && argc == 3)
		set_time(n);
	else if (!strcmp(command, "adjtime") && argc == 3)
		adjust_time(n);
	else if (!strcmp(command, "adjfreq") && argc == 3)
		adjust_frequency(n);
	else if (!strcmp(command, "perout") && argc == 3)
		periodic(n);
	else if (!strcmp(command, "mqprio") && argc == 3)
		add_mqprio(argv[2]);
	else if (!strcmp(command, "etf") && argc == 4)
		add_etf(argv[2], strtoul(argv[3], NULL, 16));
	else if (!strcmp(command, "send") && argc == 5)
		send_packets(argv[2], atoi(argv[3]), atoll(argv[4]));
	else if (!strcmp(command, "selftest") && argc == 3)
		selftest(argv[2]);
	else if (!strcmp(command, "registers") && argc == 3)
		registers(argv[2]);
	else
		return 2;
	return 0;
}
