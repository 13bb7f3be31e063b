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
	bool waits; /* the buffer is with the other end */
	u32 filled, taken;
} line;
static struct {
	struct {
		struct question question;
		u8 bytes[MOST];
	} asked;
	u8 heard[MOST], in[MOST];
} *buffers;
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

static int heard(void *to, size_t length)
{
	size_t so_far = 0;

	while (so_far < length) {
		size_t n = min_t(size_t, length - so_far, line.filled - line.taken);
		int ret = n ? 0 : fill();

		if (ret)
			return ret;
		memcpy(to + so_far, buffers->heard + line.taken, n);
		line.taken += n;
		so_far += n;
	}
	return 0;
}

/* Taken at once: this device is asked to do nothing later. */
static int told(size_t length)
{
	struct scatterlist bytes;
	u32 unused;

	sg_init_one(&bytes, &buffers->asked, length);
	if (virtqueue_add_outbuf(line.out, &bytes, 1, buffers, GFP_KERNEL))
		return -EIO;
	virtqueue_kick(line.out);
	while (!virtqueue_get_buf(line.out, &unused))
		cpu_relax();
	return 0;
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

/* An answer that comes too late belongs to another question, and is dropped. */
static int answered(void)
{
	struct answer answer;
	int ret;

	do {
		ret = heard(&answer, sizeof(answer));
		if (!ret)
			ret = answer.length > MOST ? -EIO : heard(buffers->in, answer.length);
	} while (!ret && answer.number != buffers->asked.question.number);
	return ret;
}

static int transfer_one(struct spi_controller *controller, struct spi_device *chip, struct spi_transfer *t)
{
	int ret;

	if (t->len > MOST)
		return -EMSGSIZE;
	mutex_lock(&bus);
	buffers->asked.question = (struct question) {
		buffers->asked.question.number + 1, spi_get_chipselect(chip, 0), fresh, t->len
	};
	fresh = false;
	if (t->tx_buf)
		memcpy(buffers->asked.bytes, t->tx_buf, t->len);
	else
		memset(buffers->asked.bytes, 0, t->len);
	memset(buffers->in, 0xff, t->len);
	ret = told(sizeof(buffers->asked.question) + t->len);
	if (!ret)
		ret = answered();
	if (t->rx_buf && !ret)
		memcpy(t->rx_buf, buffers->in, t->len);
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
