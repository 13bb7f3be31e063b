// SPDX-License-Identifier: GPL-2.0
// A virtual SPI controller: the kernel's own spidev sits on top, and whoever is at the other end of a line plays the chips.
// They read a `question` and the bytes that go out, and write an `answer` and the bytes that come in.
//
// The line is a terminal, because the kernel itself can speak to one. A process in between would be dear: an emulated
// processor forgets where all memory is whenever it goes from one process to another.
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>

#define LINE "/dev/hvc0" /* raw, and with a time after which a read gives up */
#define MOST 4096

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
	struct question question;
	u8 bytes[MOST];
} asked;
static u8 in[MOST];
static bool fresh;
static struct file *line;
static DEFINE_MUTEX(bus);
static struct platform_device *device;

static int heard(void *to, size_t length)
{
	loff_t nowhere = 0;
	size_t so_far = 0;

	while (so_far < length) {
		ssize_t n = kernel_read(line, to + so_far, length - so_far, &nowhere);

		if (n <= 0)
			return n ? n : -ETIMEDOUT;
		so_far += n;
	}
	return 0;
}

/* An answer that comes too late belongs to another question, and is dropped. */
static int answered(void)
{
	struct answer answer;
	int ret;

	do {
		ret = heard(&answer, sizeof(answer));
		if (!ret)
			ret = answer.length > MOST ? -EIO : heard(in, answer.length);
	} while (!ret && answer.number != asked.question.number);
	return ret;
}

static int transfer_one(struct spi_controller *controller, struct spi_device *chip, struct spi_transfer *t)
{
	loff_t nowhere = 0;
	int ret;

	if (t->len > MOST)
		return -EMSGSIZE;
	mutex_lock(&bus);
	asked.question = (struct question) {
		asked.question.number + 1, spi_get_chipselect(chip, 0), fresh, t->len
	};
	fresh = false;
	if (t->tx_buf)
		memcpy(asked.bytes, t->tx_buf, t->len);
	else
		memset(asked.bytes, 0, t->len);
	memset(in, 0xff, t->len);
	ret = kernel_write(line, &asked, sizeof(asked.question) + t->len, &nowhere) < 0 ? -EIO : answered();
	if (t->rx_buf && !ret)
		memcpy(t->rx_buf, in, t->len);
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

	line = filp_open(LINE, O_RDWR | O_NOCTTY, 0);
	if (IS_ERR(line))
		return PTR_ERR(line);
	ret = platform_driver_register(&driver);
	if (ret)
		return ret;
	device = platform_device_register_simple("vspi", -1, NULL, 0);
	return PTR_ERR_OR_ZERO(device);
}

static void __exit stop(void)
{
	platform_device_unregister(device);
	platform_driver_unregister(&driver);
	filp_close(line, NULL);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A virtual SPI controller");
