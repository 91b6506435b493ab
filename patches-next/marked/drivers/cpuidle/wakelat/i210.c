// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: an Intel I210 network card as the event source.
 */

/**
 * DOC: i210 source
 *
 * A timer is known in advance: to the idle governor, and to processors that begin
 * to wake up before it is due. The interrupt of a PCI device is not. The I210 and
 * its relatives raise one at an instant of their own, precise clock (SYSTIM), which
 * can be read.
 *
 * There are two methods (setting "method"):
 *
 * * target: the card interrupts when its clock reaches a target time (TRGTTIM0).
 *   Nothing is sent, no cable is needed.
 * * launch: the card sends a packet at a launch time (Qav mode) and interrupts when
 *   it has. It fetches the packet from memory at the launch time, so that a
 *   sleeping package has to wake up for this first. There must be a link.
 *
 * The launch time is when the card's clock is to reach it. The interrupt message
 * leaves the card somewhat later; only its maker knows by how much. Nothing is
 * subtracted for that here. Nor is it for the card's DMA with the launch method, which
 * is part of the latency if the package had been asleep and none of the CPU's time if
 * not. How long it takes is measured before each run (dma_ns), as the median of
 * 200 times from a launch time until the CPU, awake, sees that the card has written
 * back the descriptor; and how much that varies (dma_error_ns), by the larger distance
 * of the 5th and the 95th percentile from it.
 *
 * What the clock read before and after the idle period, and how exactly, is in an event
 * of its own, wakelat_clock, which comes before the sample's.
 *
 * The clock is read by latching it (SYSTIMR) and reading what was latched (SYSTIML,
 * SYSTIMH): three reads, of which the first is bracketed by stamps. No other
 * read of the card is made on the way from the idle state to the third of them, and
 * none at all before the stamp of the time after idle. It comes before the handler,
 * so intr_latency contains it, unless the state is entered with interrupts enabled.
 *
 * No timer is armed for the launch time. A timer that comes much later notices
 * if the interrupt has been lost: after two launch distances, or after 20 ms
 * if that is longer, for a timer that is close keeps the governor from choosing deep
 * states.
 *
 * One card can be used, for one CPU at a time. It is taken over through
 * driver_override only, and can be given back to its usual driver afterwards::
 *
 *   # cd /sys/bus/pci/devices/0000:01:00.0
 *   # echo wakelat_i210 > driver_override
 *   # echo 0000:01:00.0 > driver/unbind
 *   # echo 0000:01:00.0 > /sys/bus/pci/drivers_probe
 *
 * igb drives TRGTTIM0, too. Its path, by way of the PTP subsystem and its worker,
 * is not used because the card's interrupt is moderated and shared there, the clock
 * is subject to adjustment, and arming needs a task.
 */

#include <linux/bitfield.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/irq.h>
#include <linux/mii.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/time64.h>
#include <linux/unaligned.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arith.h>
#include <linux/wakelat_source.h>
#include <linux/workqueue.h>

#include "rate.h"

#define CREATE_TRACE_POINTS
#include "i210_trace.h"

/* Registers: Intel Ethernet Controller I210 Datasheet, section 8. */
#define I210_CTRL			0x0000
#define I210_CTRL_GIO_MASTER_DISABLE	BIT(2)
#define I210_CTRL_SLU			BIT(6)
#define I210_CTRL_RST			BIT(26)
#define I210_STATUS			0x0008
#define I210_STATUS_LU			BIT(1)
#define I210_STATUS_GIO_MASTER_ENABLE	BIT(19)
#define I210_STATUS_PF_RST_DONE		BIT(21)
#define I210_EEC			0x0010
#define I210_EEC_AUTO_RD		BIT(9)
#define I210_MDIC			0x0020
#define I210_MDIC_REG_SHIFT		16
#define I210_MDIC_WRITE			BIT(26)
#define I210_MDIC_READY			BIT(28)
#define I210_PHY_PAGE			22
#define I210_TCTL			0x0400
#define I210_TCTL_EN			BIT(1)
#define I210_TCTL_PSP			BIT(3)
#define I210_TCTL_CT			(15 << 4)
#define I210_ICR			0x1500
#define I210_IMS			0x1508
#define I210_IMC			0x150c
#define I210_ICR_TXDW			BIT(0)
#define I210_ICR_TIME_SYNC		BIT(19)
#define I210_GPIE			0x1514
#define I210_GPIE_NSICR			BIT(0)
#define I210_EIMS			0x1524
#define I210_EIMC			0x1528
#define I210_EIAC			0x152c
#define I210_EIAM			0x1530
#define I210_EICR			0x1580
#define I210_EICR_OTHER			BIT(31)
#define I210_EITR0			0x1680
#define I210_RXPBSIZE			0x2404
#define I210_TQAVCC0			0x3004
#define I210_TQAVCC_QUEUE_MODE_SR	BIT(31)
#define I210_TQAVHC0			0x300c
#define I210_TXPBSIZE			0x3404
#define I210_DTXMXPKTSZ			0x355c
#define I210_TQAVCTRL			0x3570
#define I210_TQAVCTRL_QAV		BIT(0)
#define I210_TQAVCTRL_DATA_TRAN_ARB	BIT(8)
#define I210_TQAVCTRL_DATA_TRAN_TIM	BIT(9)
#define I210_LAUNCH_OS0			0x3578
#define I210_RAL0			0x5400
#define I210_RAH0			0x5404
#define I210_SYSTIML			0xb600
#define I210_SYSTIMH			0xb604
#define I210_TIMINCA			0xb608
#define I210_TSAUXC			0xb640
#define I210_TSAUXC_EN_TT0		BIT(0)
#define I210_TRGTTIML0			0xb644
#define I210_TRGTTIMH0			0xb648
#define I210_TSICR			0xb66c
#define I210_TSIM			0xb674
#define I210_TSIM_TT0			BIT(3)
#define I210_SYSTIMR			0xb6f8
#define I210_TDBAL0			0xe000
#define I210_TDBAH0			0xe004
#define I210_TDLEN0			0xe008
#define I210_TDH0			0xe010
#define I210_TDT0			0xe018
#define I210_TXDCTL0			0xe028
#define I210_REGISTERS			0xe02c
#define I210_TXDCTL_ENABLE		BIT(25)
#define I210_TXDCTL_PRIORITY		BIT(27)

/* Advanced transmit descriptors: section 7.2.2. */
#define I210_DESC_CONTEXT		(2 << 20)
#define I210_DESC_DATA			(3 << 20)
#define I210_DESC_EOP			BIT(24)
#define I210_DESC_IFCS			BIT(25)
#define I210_DESC_RS			BIT(27)
#define I210_DESC_DEXT			BIT(29)
#define I210_DESC_DD			BIT(0)
#define I210_DESC_PAYLEN_SHIFT		14
#define I210_DESC_MACLEN_SHIFT		9

/* What every register reads once the card is gone. */
#define I210_GONE			0xffffffff

/* Arming takes ten accesses to the card: each event must be later than that. */
#define I210_LDIST_MIN_NS		(50 * NSEC_PER_USEC)
/* The largest launch distance: less than half of the second that launch times span. */
#define I210_LDIST_MAX_NS		(50 * NSEC_PER_MSEC)

/*
 * An event is not lost before this. It exceeds the target residency of any idle
 * state by far, so the timer that guards the event does not make the governor
 * choose a shallower one.
 */
#define I210_LOST_FLOOR_NS		(20 * NSEC_PER_MSEC)

#define I210_RESET_TIMEOUT_US		(500 * USEC_PER_MSEC)
/* For a link that only has to be noticed, and for one that is negotiated. */
#define I210_LINK_UP_US			(100 * USEC_PER_MSEC)
#define I210_LINK_TIMEOUT_US		(5 * USEC_PER_SEC)

/* The clock is told in these units. */
#define I210_CLOCK_STEP_NS		8
/* Launch times are told in these units, within a second. */
#define I210_LAUNCH_STEP_NS		32

/* The ring: as many packets as the smallest one holds, two descriptors each. */
#define I210_PACKETS			4
#define I210_PACKET_SIZE		ETH_ZLEN

/*
 * Packets that are sent to learn how long the card's DMA takes: so many that nothing
 * held up, of so many at most; and how far ahead.
 */
#define I210_DMA_PACKETS		200
#define I210_DMA_TRIES			4000
#define I210_DMA_LDIST_NS		(50 * NSEC_PER_USEC)
#define I210_DMA_TIMEOUT_NS		(10 * NSEC_PER_MSEC)

/* The rate of the clock is determined this long before the first event. */
#define I210_RATE_MS			20
#define I210_RATE_READINGS		100

/* How it delivers the event. */
enum i210_method {
	I210_TARGET,	/* its clock reaches a target time */
	I210_LAUNCH,	/* it has sent a packet that had a launch time */
};

static const char * const i210_methods[] = {
	[I210_TARGET]	= "target",
	[I210_LAUNCH]	= "launch",
};

/* That of the next run. */
static enum i210_method i210_next_method;

/**
 * struct i210_packet - how a packet is described to the card
 * @context: context descriptor, whose second word is the launch time
 * @address: of the packet; these three are the data descriptor
 * @command: what to do with it
 * @status: I210_DESC_DD when it has been sent
 */
struct i210_packet {
	__le32 context[4];
	__le64 address;
	__le32 command;
	__le32 status;
};

/**
 * struct i210_memory - what the card accesses
 * @ring: the descriptors
 * @frame: the frame that is sent, the same each time
 */
struct i210_memory {
	struct i210_packet ring[I210_PACKETS];
	u8 frame[I210_PACKET_SIZE];
};

/**
 * struct i210 - the card
 * @pdev: the device
 * @regs: its registers
 * @irq: its interrupt
 * @method: how it delivers events
 * @memory: for packets
 * @memory_dma: the same as the card sees it
 * @gone: it does not answer any more
 * @jumped: its clock jumped
 * @started: it is ready for events, @irq is requested
 * @dma_ns: how long its DMA takes; 0 if that was not measured
 * @dma_error_ns: how much that varies
 * @before: its clock before the current or last idle period
 * @after: the same after it, or in the handler if that came first
 * @rate: how its clock runs
 * @ltime_cyc: when the event in flight is to happen, cycles
 * @slack_cyc: how far off that may be
 * @next: the packet in the ring that is sent next
 * @lost_timer: expires if the event does not come
 *
 * While a run is on, the measured CPU alone changes @gone, @jumped and what follows
 * @started, with interrupts disabled.
 */
struct i210 {
	struct pci_dev *pdev;
	void __iomem *regs;
	int irq;
	enum i210_method method;
	struct i210_memory *memory;
	dma_addr_t memory_dma;
	bool gone;
	bool jumped;
	bool started;
	u64 dma_ns;
	u64 dma_error_ns;
	struct wakelat_reading before;
	struct wakelat_reading after;
	struct wakelat_rate rate;
	u64 ltime_cyc;
	u64 slack_cyc;
	unsigned int next;
	struct hrtimer lost_timer;
};

static const char i210_no_card[] = "no card is bound to wakelat_i210";

/* The card, NULL if there is none. Why it cannot be used, NULL if it can. */
static struct i210 *i210_card;
static const char *i210_problem = i210_no_card;
/* Serializes what is done with the card but for its events. */
static DEFINE_MUTEX(i210_lock);
/*
 * Keeps the card, and keeps it from being reset, while it is looked at. Taken inside
 * all other locks.
 */
static DEFINE_MUTEX(i210_card_lock);

static struct wakelat_source i210_source;

static u32 i210_read(const struct i210 *card, unsigned int reg)
{
	return readl(card->regs + reg);
}

static void i210_write(const struct i210 *card, unsigned int reg, u32 value)
{
	writel(value, card->regs + reg);
}

/*
 * The register reads that the wake-up path consists of. The latch is all that is
 * between the two stamps.
 */
static void i210_read_systim(struct i210 *card, struct wakelat_reading *reading)
{
	u32 low, high;

	reading->from_cyc = wakelat_clock();
	i210_read(card, I210_SYSTIMR);
	reading->to_cyc = wakelat_clock();
	low = i210_read(card, I210_SYSTIML);
	high = i210_read(card, I210_SYSTIMH);

	/* These are nanoseconds of a second. */
	card->gone |= low == I210_GONE;
	reading->ns = card->gone ? WAKELAT_ABSENT : high * NSEC_PER_SEC + low;
}

/* After a jump the launch time of the event in flight means nothing any more. */
static void i210_read_clock(struct wakelat_reading *reading)
{
	struct i210 *card = i210_card;

	i210_read_systim(card, reading);
	if (card->gone)
		return;
	card->jumped |= !wakelat_rate_add(&card->rate, reading);
	if (card->jumped)
		reading->ns = WAKELAT_ABSENT;
}

static void i210_before(void)
{
	i210_read_clock(&i210_card->before);
}

static void i210_after(void)
{
	i210_read_clock(&i210_card->after);
}

/* By the reading after the idle period, which is the closer one. */
static bool i210_launch(u64 ltime, struct wakelat_launch *launch)
{
	const struct i210 *card = i210_card;
	const struct wakelat_reading *after = &card->after;
	u64 off_ns, error_ns;

	if (after->ns == WAKELAT_ABSENT)
		return false;

	off_ns = ltime > after->ns ? ltime - after->ns : after->ns - ltime;
	error_ns = I210_CLOCK_STEP_NS +
		   wakelat_mul_div(off_ns, wakelat_rate_error_ppb(&card->rate), NSEC_PER_SEC);
	launch->ns = ltime;
	launch->cyc = wakelat_rate_to_cyc(&card->rate, ltime, after);
	launch->uncertainty_cyc = (after->to_cyc - after->from_cyc) / 2 +
				  wakelat_mul_div(error_ns, wakelat_clock_khz(), USEC_PER_SEC);

	return true;
}

static u64 i210_width_ns(const struct wakelat_reading *reading)
{
	return wakelat_cyc_to_ns(reading->to_cyc - reading->from_cyc, wakelat_clock_khz());
}

static void i210_emit(const struct wakelat_sample *s)
{
	const struct i210 *card = i210_card;

	trace_wakelat_clock(s, card->before.ns, card->after.ns, i210_width_ns(&card->before),
			    i210_width_ns(&card->after));
}

/* The causes clear when they are read; the last event's, and those of a lost one. */
static void i210_ack(const struct i210 *card)
{
	i210_read(card, I210_TSICR);
	i210_read(card, I210_ICR);
	i210_read(card, I210_EICR);
}

static void i210_mask(const struct i210 *card)
{
	i210_write(card, I210_TSAUXC, 0);
	i210_write(card, I210_TSIM, 0);
	i210_write(card, I210_IMC, ~0);
	i210_write(card, I210_EIMC, ~0);
	/* Posted writes have arrived when a read is answered. */
	i210_read(card, I210_STATUS);
}

static void i210_set_target(const struct i210 *card, u64 ltime)
{
	u32 high, low;

	high = div_u64_rem(ltime, NSEC_PER_SEC, &low);
	i210_write(card, I210_TRGTTIMH0, high);
	i210_write(card, I210_TRGTTIML0, low);
	i210_write(card, I210_TSAUXC, I210_TSAUXC_EN_TT0);
}

static bool i210_is_sent(const struct i210_packet *packet)
{
	return READ_ONCE(packet->status) & cpu_to_le32(I210_DESC_DD);
}

/* Returns the packet, or NULL if the card has not even sent the one before the last. */
static const struct i210_packet *i210_send(struct i210 *card, u64 ltime)
{
	struct i210_packet *packet = &card->memory->ring[card->next];
	u32 launch;

	if (!i210_is_sent(packet))
		return NULL;

	div_u64_rem(ltime, NSEC_PER_SEC, &launch);
	launch /= I210_LAUNCH_STEP_NS;
	packet->context[0] = cpu_to_le32(ETH_HLEN << I210_DESC_MACLEN_SHIFT);
	packet->context[1] = cpu_to_le32(launch);
	packet->context[2] = cpu_to_le32(I210_DESC_CONTEXT | I210_DESC_DEXT);
	packet->context[3] = 0;
	packet->address = cpu_to_le64(card->memory_dma + offsetof(struct i210_memory, frame));
	packet->command = cpu_to_le32(I210_PACKET_SIZE | I210_DESC_DATA | I210_DESC_EOP |
				      I210_DESC_IFCS | I210_DESC_RS | I210_DESC_DEXT);
	packet->status = cpu_to_le32(I210_PACKET_SIZE << I210_DESC_PAYLEN_SHIFT);
	card->next = (card->next + 1) % I210_PACKETS;
	/* The card must find the descriptors when it looks for them. */
	wmb();
	i210_write(card, I210_TDT0, 2 * card->next);

	return packet;
}

static int i210_arm(u64 ldist, u64 *ltime)
{
	struct i210 *card = i210_card;
	struct wakelat_reading now;

	i210_write(card, I210_TSAUXC, 0);
	i210_ack(card);
	i210_read_clock(&now);
	if (card->gone)
		return -ENODEV;
	if (card->jumped)
		return -EIO;

	*ltime = now.ns + ldist;
	if (card->method == I210_LAUNCH)
		*ltime = roundup(*ltime, I210_LAUNCH_STEP_NS);
	card->ltime_cyc = wakelat_rate_to_cyc(&card->rate, *ltime, &now);
	card->slack_cyc = now.to_cyc - now.from_cyc;
	hrtimer_start(&card->lost_timer, ns_to_ktime(max(2 * ldist, I210_LOST_FLOOR_NS)),
		      HRTIMER_MODE_REL_PINNED_HARD);

	if (card->method == I210_TARGET)
		i210_set_target(card, *ltime);
	else if (!i210_send(card, *ltime))
		card->gone = true;
	if (card->gone || i210_read(card, I210_STATUS) == I210_GONE) {
		card->gone = true;
		return -ENODEV;
	}

	return wakelat_clock() + card->slack_cyc < card->ltime_cyc ? 0 : -ETIME;
}

static void i210_cancel(unsigned int cpu)
{
	struct i210 *card = i210_card;

	i210_mask(card);
	hrtimer_cancel(&card->lost_timer);
	synchronize_irq(card->irq);
}

static irqreturn_t i210_interrupt(int irq, void *data)
{
	u64 tintr_cyc = wakelat_clock();
	struct i210 *card = data;

	/*
	 * An event that had been taken for lost may come after all, when the next
	 * one has been armed already. It is not that one.
	 */
	if (tintr_cyc + card->slack_cyc < card->ltime_cyc)
		i210_ack(card);
	else
		wakelat_event(tintr_cyc);

	return IRQ_HANDLED;
}

static enum hrtimer_restart i210_lost(struct hrtimer *timer)
{
	wakelat_event_lost();

	/* If there is a next event, ->arm() has started the timer already. */
	return HRTIMER_NORESTART;
}

static bool i210_is_reset(const struct i210 *card)
{
	u32 status = i210_read(card, I210_STATUS);

	return status != I210_GONE && (status & I210_STATUS_PF_RST_DONE) &&
	       !(i210_read(card, I210_CTRL) & I210_CTRL_RST) &&
	       (i210_read(card, I210_EEC) & I210_EEC_AUTO_RD);
}

/*
 * Brings the card into the state that it has after power on, with its clock
 * running. Its interrupts are masked afterwards.
 */
static int i210_reset(struct i210 *card, const char **problem)
{
	u32 ctrl, status;
	bool done;

	/* Nobody looks at the card meanwhile. */
	guard(mutex)(&i210_card_lock);
	ctrl = i210_read(card, I210_CTRL);
	if (ctrl == I210_GONE) {
		*problem = "the card does not answer";
		return -ENODEV;
	}

	i210_mask(card);
	i210_write(card, I210_CTRL, ctrl | I210_CTRL_GIO_MASTER_DISABLE);
	/* If it goes on with its DMA it is reset all the same. */
	read_poll_timeout(i210_read, status, !(status & I210_STATUS_GIO_MASTER_ENABLE),
			  100, 80 * USEC_PER_MSEC, false, card, I210_STATUS);
	i210_write(card, I210_CTRL, ctrl | I210_CTRL_RST);
	/* It must be left alone for a while. */
	usleep_range(10000, 20000);
	if (read_poll_timeout(i210_is_reset, done, done, 1000, I210_RESET_TIMEOUT_US, false,
			      card)) {
		*problem = "the reset of the card does not complete";
		return -ETIMEDOUT;
	}
	i210_mask(card);
	i210_ack(card);

	/* The clock runs as the crystal does, and interrupts are not moderated. */
	i210_write(card, I210_TIMINCA, 0);
	i210_write(card, I210_TSAUXC, 0);
	i210_write(card, I210_EITR0, 0);
	/* One vector for all causes; they clear when read, be they masked or not. */
	i210_write(card, I210_GPIE, I210_GPIE_NSICR);
	i210_write(card, I210_EIAC, 0);
	i210_write(card, I210_EIAM, 0);
	card->gone = false;
	card->jumped = false;

	return 0;
}

/* Moves the interrupt to @cpu, where it stays. */
static int i210_request_irq(struct i210 *card, unsigned int cpu, const char **problem)
{
	const struct cpumask *effective;
	int err;

	/* The vector is assigned when the interrupt is requested. */
	err = irq_set_affinity(card->irq, cpumask_of(cpu));
	if (err) {
		*problem = "the interrupt cannot be moved to the measured CPU";
		return err;
	}
	err = request_irq(card->irq, i210_interrupt, IRQF_NOBALANCING | IRQF_NO_THREAD,
			  KBUILD_MODNAME, card);
	if (err) {
		*problem = "the interrupt cannot be requested";
		return err;
	}
	effective = irq_data_get_effective_affinity_mask(irq_get_irq_data(card->irq));
	i210_source.irq = card->irq;
	if (!cpumask_equal(effective, cpumask_of(cpu))) {
		*problem = "the interrupt is not delivered to the measured CPU";
		free_irq(card->irq, card);
		return -EIO;
	}

	return 0;
}

static void i210_narrowest_reading(struct wakelat_reading *narrowest)
{
	u64 width_cyc, narrowest_cyc = U64_MAX;
	struct wakelat_reading reading;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < I210_RATE_READINGS; i++) {
		local_irq_save(flags);
		i210_read_clock(&reading);
		local_irq_restore(flags);
		width_cyc = reading.to_cyc - reading.from_cyc;
		if (width_cyc < narrowest_cyc) {
			narrowest_cyc = width_cyc;
			*narrowest = reading;
		}
	}
}

/* Runs on the measured CPU: the way to the card is part of what is measured. */
static long i210_measure_rate(void *data)
{
	struct i210 *card = data;
	struct wakelat_reading reading;

	i210_read_systim(card, &reading);
	wakelat_rate_start(&card->rate, &reading);
	i210_narrowest_reading(&reading);
	wakelat_rate_start(&card->rate, &reading);
	msleep(I210_RATE_MS);
	i210_narrowest_reading(&reading);

	return card->gone ? -ENODEV : card->jumped ? -EIO : 0;
}

static void i210_make_frame(struct i210 *card)
{
	struct ethhdr *header = (struct ethhdr *)card->memory->frame;
	u32 low = i210_read(card, I210_RAL0), high = i210_read(card, I210_RAH0);

	memset(card->memory, 0, sizeof(*card->memory));
	for (unsigned int i = 0; i < I210_PACKETS; i++)
		card->memory->ring[i].status = cpu_to_le32(I210_DESC_DD);
	card->next = 0;

	/* To the other end of the cable: no bridge passes this address on. */
	ether_addr_copy(header->h_dest, eth_reserved_addr_base);
	header->h_dest[ETH_ALEN - 1] = 0x0e;
	put_unaligned_le32(low, header->h_source);
	put_unaligned_le16(high, header->h_source + 4);
	header->h_proto = htons(ETH_P_802_EX1);
}

/*
 * Queue 0 in Qav mode: section 7.2.7.7. All credits are its, and packets are
 * fetched when it is their time, not before.
 */
static void i210_start_queue(struct i210 *card)
{
	i210_make_frame(card);

	i210_write(card, I210_TCTL, 0);
	i210_write(card, I210_TXPBSIZE, 8 | 8 << 6 | 4 << 12 | 4 << 18);
	i210_write(card, I210_RXPBSIZE, 0x20);
	i210_write(card, I210_DTXMXPKTSZ, 4095 / 64);
	i210_write(card, I210_TQAVCTRL, I210_TQAVCTRL_QAV | I210_TQAVCTRL_DATA_TRAN_ARB |
		   I210_TQAVCTRL_DATA_TRAN_TIM);
	i210_write(card, I210_TQAVCC0, I210_TQAVCC_QUEUE_MODE_SR | 2 * 0x7735);
	i210_write(card, I210_TQAVHC0, BIT(31) + ETH_FRAME_LEN * 0x7735);
	i210_write(card, I210_LAUNCH_OS0, 0);

	i210_write(card, I210_TXDCTL0, 0);
	i210_write(card, I210_TDBAL0, lower_32_bits(card->memory_dma));
	i210_write(card, I210_TDBAH0, upper_32_bits(card->memory_dma));
	i210_write(card, I210_TDLEN0, sizeof(card->memory->ring));
	i210_write(card, I210_TDH0, 0);
	i210_write(card, I210_TDT0, 0);
	i210_write(card, I210_TXDCTL0, I210_TXDCTL_ENABLE | I210_TXDCTL_PRIORITY);
	i210_write(card, I210_TCTL, I210_TCTL_EN | I210_TCTL_PSP | I210_TCTL_CT);
	i210_read(card, I210_STATUS);
}

/*
 * From the launch time of one packet until its descriptor is written back, cycles.
 *
 * Something that takes the CPU away, an SMI or an NMI, may do so between the two
 * stamps around the reading, and then nobody knows when the launch time is; or until
 * after the descriptor was written back. Returns -EAGAIN if one was counted, or if
 * the stamps look like it.
 */
static long i210_time_packet(struct i210 *card, u64 *cyc)
{
	u64 narrowest_cyc = card->rate.narrowest_cyc;
	const struct i210_packet *packet;
	struct wakelat_reading now;
	u64 ltime, ltime_cyc, sent_cyc, intrusions;

	guard(irqsave)();
	intrusions = wakelat_arch_intrusions();
	i210_read_clock(&now);
	if (card->gone)
		return -ENODEV;
	if (card->jumped)
		return -EIO;
	if (now.to_cyc - now.from_cyc > narrowest_cyc + narrowest_cyc / 4)
		return -EAGAIN;

	ltime = roundup(now.ns + I210_DMA_LDIST_NS, I210_LAUNCH_STEP_NS);
	ltime_cyc = wakelat_rate_to_cyc(&card->rate, ltime, &now);
	packet = i210_send(card, ltime);
	if (!packet)
		return -ETIMEDOUT;
	while (!i210_is_sent(packet)) {
		if (wakelat_clock() - now.to_cyc >
		    wakelat_clock_khz() * (I210_DMA_TIMEOUT_NS / NSEC_PER_MSEC))
			return -ETIMEDOUT;
		cpu_relax();
	}
	sent_cyc = wakelat_clock();
	if (sent_cyc < ltime_cyc || wakelat_arch_intrusions() != intrusions)
		return -EAGAIN;
	*cyc = sent_cyc - ltime_cyc;

	return 0;
}

static int i210_compare_cyc(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/*
 * Runs on the measured CPU, which so is awake and keeps the package awake. Where the
 * CPU does not count its SMIs the median does without those that one has lengthened.
 */
static long i210_measure_dma(void *data)
{
	u64 *cyc __free(kfree) =
		kcalloc(I210_DMA_PACKETS, sizeof(*cyc), GFP_KERNEL);
	struct i210 *card = data;
	unsigned int tries, n = 0;
	long err;

	if (!cyc)
		return -ENOMEM;
	for (tries = 0; n < I210_DMA_PACKETS && tries < I210_DMA_TRIES; tries++) {
		err = i210_time_packet(card, &cyc[n]);
		if (!err)
			n++;
		else if (err != -EAGAIN)
			return err;
		cond_resched();
	}
	if (n < I210_DMA_PACKETS)
		return -EAGAIN;
	sort(cyc, n, sizeof(*cyc), i210_compare_cyc, NULL);
	card->dma_ns = wakelat_cyc_to_ns(cyc[n / 2], wakelat_clock_khz());
	card->dma_error_ns = wakelat_cyc_to_ns(max(cyc[n * 95 / 100] - cyc[n / 2],
						   cyc[n / 2] - cyc[n * 5 / 100]),
					       wakelat_clock_khz());

	return 0;
}

/* Nobody is told if it fails: then there will be no link, which is what counts. */
static void i210_write_phy(const struct i210 *card, unsigned int reg, u16 value)
{
	u32 mdic;

	i210_write(card, I210_MDIC, value | reg << I210_MDIC_REG_SHIFT | I210_MDIC_WRITE);
	read_poll_timeout(i210_read, mdic, mdic & I210_MDIC_READY, 50, USEC_PER_MSEC, false,
			  card, I210_MDIC);
}

static bool i210_wait_for_link(const struct i210 *card, u64 timeout_us)
{
	u32 status;

	return !read_poll_timeout(i210_read, status, status & I210_STATUS_LU, 1000, timeout_us,
				  false, card, I210_STATUS);
}

static bool i210_bring_link_up(const struct i210 *card)
{
	i210_write(card, I210_CTRL, i210_read(card, I210_CTRL) | I210_CTRL_SLU);
	if (i210_wait_for_link(card, I210_LINK_UP_US))
		return true;

	/* igb has put the PHY to sleep. */
	i210_write_phy(card, I210_PHY_PAGE, 0);
	i210_write_phy(card, MII_BMCR, BMCR_ANENABLE | BMCR_ANRESTART | BMCR_FULLDPLX |
				       BMCR_SPEED1000);

	return i210_wait_for_link(card, I210_LINK_TIMEOUT_US);
}

static int i210_set_up_launch(struct i210 *card, unsigned int cpu, const char **problem)
{
	int err;

	if (!i210_bring_link_up(card)) {
		*problem = "no link: method launch needs a cable and a link partner";
		return -ENOLINK;
	}
	i210_start_queue(card);
	scoped_guard(cpus_read_lock)
		err = cpu_online(cpu) ? work_on_cpu(cpu, i210_measure_dma, card) : -ENODEV;
	if (err == -EAGAIN)
		*problem = "SMIs or NMIs keep its DMA from being timed";
	else if (err)
		*problem = "a packet with a launch time does not leave the card";

	return err;
}

static int i210_set_up(struct i210 *card, unsigned int cpu, const char **problem)
{
	long err;

	err = i210_reset(card, problem);
	if (err)
		return err;
	scoped_guard(cpus_read_lock)
		err = cpu_online(cpu) ? work_on_cpu(cpu, i210_measure_rate, card) : -ENODEV;
	if (err) {
		*problem = err == -EIO ? "the clock of the card jumps" :
					 "the clock of the card cannot be read";
		return err;
	}
	card->method = READ_ONCE(i210_next_method);
	card->dma_ns = 0;
	card->dma_error_ns = 0;
	if (card->method == I210_LAUNCH) {
		err = i210_set_up_launch(card, cpu, problem);
		if (err)
			return err;
	}
	err = i210_request_irq(card, cpu, problem);
	if (err)
		return err;

	i210_ack(card);
	if (card->method == I210_TARGET) {
		i210_write(card, I210_TSIM, I210_TSIM_TT0);
		i210_write(card, I210_IMS, I210_ICR_TIME_SYNC);
	} else {
		i210_write(card, I210_IMS, I210_ICR_TXDW);
	}
	i210_write(card, I210_EIMS, I210_EICR_OTHER);
	scoped_guard(mutex, &i210_card_lock)
		card->started = true;

	return 0;
}

static const char *i210_probe_source(const struct cpumask *cpus)
{
	return READ_ONCE(i210_problem);
}

static void i210_set_card(struct i210 *card)
{
	guard(mutex)(&i210_card_lock);
	i210_card = card;
}

static int i210_start(const struct cpumask *cpus, const char **problem)
{
	guard(mutex)(&i210_lock);
	if (i210_problem) {
		*problem = i210_problem;
		return -ENODEV;
	}

	return i210_set_up(i210_card, cpumask_first(cpus), problem);
}

static void i210_stop(void)
{
	guard(mutex)(&i210_lock);
	if (!i210_card || !i210_card->started)
		return;

	i210_card->started = false;
	free_irq(i210_card->irq, i210_card);
}

static void i210_show_settings(struct seq_file *m)
{
	seq_printf(m, "method %s\n", i210_methods[READ_ONCE(i210_next_method)]);
}

static int i210_set(const char *key, const char *value)
{
	int method = match_string(i210_methods, ARRAY_SIZE(i210_methods), value);

	if (strcmp(key, "method") || method < 0)
		return -EINVAL;
	/* A run that is being started has the lock, or has the method already. */
	WRITE_ONCE(i210_next_method, method);

	return 0;
}

static void i210_facts(struct seq_file *m)
{
	const struct i210 *card;
	u32 status;

	guard(mutex)(&i210_card_lock);
	card = i210_card;
	if (!card)
		return;

	seq_printf(m, "card %s\n", pci_name(card->pdev));
	seq_printf(m, "device %04x:%04x\n", card->pdev->vendor, card->pdev->device);
	seq_printf(m, "interrupt %s\n", card->pdev->msix_enabled ? "msix" : "msi");
	seq_printf(m, "irq %d\n", card->irq);
	/* A card that measures is left alone. */
	status = card->started ? I210_GONE : i210_read(card, I210_STATUS);
	if (status != I210_GONE)
		seq_printf(m, "link %s\n", status & I210_STATUS_LU ? "up" : "down");
	if (!wakelat_rate_span_ns(&card->rate))
		return;
	seq_printf(m, "clock_ppb %lld\n", wakelat_rate_ppb(&card->rate));
	seq_printf(m, "clock_error_ppb %llu\n", wakelat_rate_error_ppb(&card->rate));
	seq_printf(m, "clock_span_ns %llu\n", wakelat_rate_span_ns(&card->rate));
	if (!card->dma_ns)
		return;
	seq_printf(m, "dma_ns %llu\n", card->dma_ns);
	seq_printf(m, "dma_error_ns %llu\n", card->dma_error_ns);
}

static void i210_do_latch(void)
{
	i210_read(i210_card, I210_SYSTIMR);
}

static void i210_do_read(void)
{
	i210_read(i210_card, I210_SYSTIML);
	i210_read(i210_card, I210_SYSTIMH);
}

static void i210_do_write(void)
{
	i210_write(i210_card, I210_TRGTTIML0, 0);
}

static const struct wakelat_cost i210_costs[] = {
	{ "latch", i210_do_latch },
	{ "read", i210_do_read },
	{ "write", i210_do_write },
	{ }
};

static struct wakelat_source i210_source = {
	.name		= "i210",
	.clock		= "SYSTIM",
	.arrives	= WAKELAT_BY_IRQ,
	.max_cpus	= 1,
	.ldist_min_ns	= I210_LDIST_MIN_NS,
	.ldist_max_ns	= I210_LDIST_MAX_NS,
	.owner		= THIS_MODULE,
	.probe		= i210_probe_source,
	.start		= i210_start,
	.stop		= i210_stop,
	.arm		= i210_arm,
	.cancel		= i210_cancel,
	.before		= i210_before,
	.after		= i210_after,
	.launch		= i210_launch,
	.emit		= i210_emit,
	.show_settings	= i210_show_settings,
	.set		= i210_set,
	.costs		= i210_costs,
	.facts		= i210_facts,
};

/* Everything about the device that devres takes care of. */
static int i210_init(struct i210 *card, const char **problem)
{
	struct pci_dev *pdev = card->pdev;
	int err;

	err = pcim_enable_device(pdev);
	if (!err)
		err = pcim_iomap_regions(pdev, BIT(0), KBUILD_MODNAME);
	if (err) {
		*problem = "the registers of the card cannot be mapped";
		return err;
	}
	card->regs = pcim_iomap_table(pdev)[0];
	pci_set_master(pdev);
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (!err) {
		card->memory = dmam_alloc_coherent(&pdev->dev, sizeof(*card->memory),
						   &card->memory_dma, GFP_KERNEL);
		err = card->memory ? 0 : -ENOMEM;
	}
	if (err) {
		*problem = "there is no memory that the card can access";
		return err;
	}

	err = i210_reset(card, problem);
	if (err)
		return err;

	err = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX | PCI_IRQ_MSI);
	if (err < 0) {
		*problem = "the card can use neither MSI-X nor MSI";
		return err;
	}
	card->irq = pci_irq_vector(pdev, 0);

	return 0;
}

static int i210_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	const char *problem;
	struct i210 *card;
	int err;

	/* With driver_override any device gets here, by an ID that matches all. */
	if (id->vendor != PCI_VENDOR_ID_INTEL || !(pci_resource_flags(pdev, 0) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, 0) < I210_REGISTERS)
		return dev_err_probe(&pdev->dev, -ENODEV, "this is no I210 or I211\n");
	if (!wakelat_clock_khz())
		return dev_err_probe(&pdev->dev, -ENODEV,
				     "the frequency of the clock is not known\n");

	guard(mutex)(&i210_lock);
	if (i210_card) {
		dev_err(&pdev->dev, "wakelat uses %s already\n", pci_name(i210_card->pdev));
		return -EBUSY;
	}
	card = devm_kzalloc(&pdev->dev, sizeof(*card), GFP_KERNEL);
	if (!card)
		return -ENOMEM;
	card->pdev = pdev;
	hrtimer_setup(&card->lost_timer, i210_lost, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);

	err = i210_init(card, &problem);
	if (err) {
		WRITE_ONCE(i210_problem, problem);
		return dev_err_probe(&pdev->dev, err, "%s\n", problem);
	}
	i210_set_card(card);
	WRITE_ONCE(i210_problem, NULL);

	return 0;
}

static void i210_remove(struct pci_dev *pdev)
{
	const char *problem;

	scoped_guard(mutex, &i210_lock)
		WRITE_ONCE(i210_problem, i210_no_card);
	wakelat_source_gone(&i210_source);

	guard(mutex)(&i210_lock);
	/* Left as its usual driver expects it. There may be nothing left to reset. */
	if (i210_reset(i210_card, &problem))
		dev_warn(&pdev->dev, "%s\n", problem);
	pci_free_irq_vectors(pdev);
	i210_set_card(NULL);
}

/*
 * There is no MODULE_DEVICE_TABLE(): a network card is igb's, unless the user says
 * otherwise through driver_override.
 */
#define I210_OVERRIDE(device) PCI_DEVICE_DRIVER_OVERRIDE(PCI_VENDOR_ID_INTEL, device, 1)

static const struct pci_device_id i210_ids[] = {
	{ I210_OVERRIDE(0x1533) },	/* I210 copper */
	{ I210_OVERRIDE(0x1536) },	/* I210 fiber */
	{ I210_OVERRIDE(0x1537) },	/* I210 serdes */
	{ I210_OVERRIDE(0x1538) },	/* I210 SGMII */
	{ I210_OVERRIDE(0x1539) },	/* I211 */
	{ I210_OVERRIDE(0x157b) },	/* I210 copper, no flash */
	{ I210_OVERRIDE(0x157c) },	/* I210 serdes, no flash */
	{ }
};

static struct pci_driver i210_driver = {
	.name		= KBUILD_MODNAME,
	.id_table	= i210_ids,
	.probe		= i210_probe,
	.remove		= i210_remove,
};

static int __init i210_module_init(void)
{
	int err;

	err = wakelat_source_register(&i210_source);
	if (err)
		return err;
	err = pci_register_driver(&i210_driver);
	if (err)
		wakelat_source_unregister(&i210_source);

	return err;
}
module_init(i210_module_init);

static void __exit i210_module_exit(void)
{
	pci_unregister_driver(&i210_driver);
	wakelat_source_unregister(&i210_source);
}
module_exit(i210_module_exit);

MODULE_DESCRIPTION("CPU wake-up latency measurement: Intel I210 source");
MODULE_LICENSE("GPL");
