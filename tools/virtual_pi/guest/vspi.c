// SPDX-License-Identifier: GPL-2.0
// A virtual SPI controller: the kernel's own spidev sits on top, and whoever is at the other end of a line plays the chips.
// They read a `question` and the bytes that go out, and write an `answer` and the bytes that come in.
//
// The line is a virtio console without its terminal: on its way through one, every answer would wake two threads of the
// kernel. A process in between would be dearer still: an emulated processor forgets where all memory is whenever it goes
// from one process to another.
#include <linux/completion.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>
#include <linux/virtio.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ids.h>

#define MOST 4096
#define PATIENCE (2 * HZ)

struct question {
	u32 number;
	u8 select, fresh; /* `fresh`: the first bytes since this chip was selected */
	u16 length;
};

struct answer {
	u32 number;
	u32 length;
};

static struct {
	struct virtio_device *device;
	struct virtqueue *in, *out;
	struct completion came;
	bool waits, speaks; /* the buffer for what is heard, or said, is with the other end */
	u32 filled, taken;
} line;
static struct {
	struct {
		struct question question;
		u8 bytes[MOST];
	} asked;
	struct {
		struct answer answer;
		u8 bytes[MOST];
	} told;
	u8 heard[MOST];
} *buffers;
static size_t so_far; /* of the answer that is being told */
static bool fresh;
static DEFINE_MUTEX(bus);
static struct platform_device *device;

/* --- The line ------------------------------------------------------------------------------------------------- */

static void came(struct virtqueue *queue)
{
	complete(&line.came);
}

/* A buffer is lent to the other end until something is in it, also beyond a question that nobody has answered. */
static int fill(void)
{
	struct scatterlist room;

	if (!line.waits) {
		reinit_completion(&line.came);
		sg_init_one(&room, buffers->heard, sizeof(buffers->heard));
		if (virtqueue_add_inbuf(line.in, &room, 1, buffers->heard, GFP_KERNEL))
			return -EIO;
		line.waits = true;
		virtqueue_kick(line.in);
	}
	while (!virtqueue_get_buf(line.in, &line.filled))
		if (!wait_for_completion_timeout(&line.came, PATIENCE))
			return -ETIMEDOUT;
	line.waits = false;
	line.taken = 0;
	return 0;
}

/* So much of an answer. What has come before time was up is still there when it is asked for again. */
static int heard(size_t length)
{
	while (so_far < length) {
		size_t n = min_t(size_t, length - so_far, line.filled - line.taken);
		int ret = n ? 0 : fill();

		if (ret)
			return ret;
		memcpy((u8 *)&buffers->told + so_far, buffers->heard + line.taken, n);
		line.taken += n;
		so_far += n;
	}
	return 0;
}

/* Usually at once: this device is asked to do nothing later. Unless nobody reads what comes out of it. */
static int is_taken(void)
{
	unsigned long until = jiffies + PATIENCE;
	u32 unused;

	while (line.speaks && !virtqueue_get_buf(line.out, &unused)) {
		if (time_after(jiffies, until))
			return -ETIMEDOUT;
		cond_resched();
		cpu_relax();
	}
	line.speaks = false;
	return 0;
}

static int tell(size_t length)
{
	struct scatterlist bytes;

	sg_init_one(&bytes, &buffers->asked, length);
	if (virtqueue_add_outbuf(line.out, &bytes, 1, buffers, GFP_KERNEL))
		return -EIO;
	line.speaks = true;
	virtqueue_kick(line.out);
	return is_taken();
}

static int line_probe(struct virtio_device *found)
{
	struct virtqueue_info wanted[] = { { "in", came }, { "out" } };
	struct virtqueue *queues[2];
	int ret = virtio_find_vqs(found, 2, queues, wanted, NULL);

	if (ret)
		return ret;
	line.device = found;
	line.in = queues[0];
	line.out = queues[1];
	virtio_device_ready(found);
	return 0;
}

static void line_remove(struct virtio_device *gone)
{
	virtio_reset_device(gone);
	gone->config->del_vqs(gone);
}

static const struct virtio_device_id consoles[] = { { VIRTIO_ID_CONSOLE, VIRTIO_DEV_ANY_ID }, { 0 } };
static struct virtio_driver line_driver = {
	.driver.name = "vspi-line",
	.id_table = consoles,
	.probe = line_probe,
	.remove = line_remove,
};

/* --- The bus -------------------------------------------------------------------------------------------------- */

/* An answer that comes too late belongs to another question, and is dropped. What cannot be the beginning of an answer
 * is none: the next byte may be. */
static int answered(void)
{
	const struct question *asked = &buffers->asked.question;
	const struct answer *told = &buffers->told.answer;

	for (;;) {
		int ret = heard(sizeof(*told));

		if (!ret && (told->length > MOST || asked->number - told->number > MOST)) {
			memmove(&buffers->told, (u8 *)&buffers->told + 1, --so_far);
			continue;
		}
		if (!ret)
			ret = heard(sizeof(*told) + told->length);
		if (ret)
			return ret;
		so_far = 0;
		if (told->number == asked->number)
			return told->length == asked->length ? 0 : -EIO;
	}
}

static int transfer_one(struct spi_controller *controller, struct spi_device *chip, struct spi_transfer *t)
{
	int ret;

	if (t->len > MOST)
		return -EMSGSIZE;
	mutex_lock(&bus);
	ret = is_taken(); /* the question before, of which nobody took notice in time */
	if (ret)
		goto out;
	buffers->asked.question = (struct question) {
		buffers->asked.question.number + 1, spi_get_chipselect(chip, 0), fresh, t->len
	};
	fresh = false;
	if (t->tx_buf)
		memcpy(buffers->asked.bytes, t->tx_buf, t->len);
	else
		memset(buffers->asked.bytes, 0, t->len);
	ret = tell(sizeof(buffers->asked.question) + t->len);
	if (!ret)
		ret = answered();
	if (t->rx_buf && !ret)
		memcpy(t->rx_buf, buffers->told.bytes, t->len);
out:
	mutex_unlock(&bus);
	if (!ret)
		spi_finalize_current_transfer(controller);
	return ret;
}

static void set_cs(struct spi_device *chip, bool high)
{
	if (!high)
		fresh = true;
}

static int probe(struct platform_device *p)
{
	struct spi_board_info info = { .modalias = "dh2228fv", .max_speed_hz = 125000000 };
	struct spi_controller *controller = devm_spi_alloc_master(&p->dev, 0);
	int ret;

	if (!controller)
		return -ENOMEM;
	controller->bus_num = 0;
	controller->num_chipselect = 2;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	controller->bits_per_word_mask = SPI_BPW_MASK(8);
	controller->transfer_one = transfer_one;
	controller->set_cs = set_cs;
	ret = devm_spi_register_controller(&p->dev, controller);
	for (info.chip_select = 0; !ret && info.chip_select < 2; info.chip_select++)
		if (!spi_new_device(controller, &info))
			ret = -ENODEV;
	return ret;
}

static struct platform_driver driver = { .probe = probe, .driver = { .name = "vspi" } };

static int __init start(void)
{
	int ret;

	buffers = kzalloc(sizeof(*buffers), GFP_KERNEL);
	if (!buffers)
		return -ENOMEM;
	init_completion(&line.came);
	ret = register_virtio_driver(&line_driver);
	if (ret)
		goto no_line;
	ret = line.device ? platform_driver_register(&driver) : -ENODEV; /* who gives up a console for it: guest/board */
	if (ret)
		goto no_driver;
	device = platform_device_register_simple("vspi", -1, NULL, 0);
	ret = PTR_ERR_OR_ZERO(device);
	if (!ret)
		return 0;
	platform_driver_unregister(&driver);
no_driver:
	unregister_virtio_driver(&line_driver);
no_line:
	kfree(buffers);
	return ret;
}

static void __exit stop(void)
{
	platform_device_unregister(device);
	platform_driver_unregister(&driver);
	unregister_virtio_driver(&line_driver);
	kfree(buffers);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A virtual SPI controller");
