// SPDX-License-Identifier: GPL-2.0
// A virtual SPI controller: the kernel's own spidev sits on top, and whoever has /dev/vspi open plays the chips. They read
// a `question` and the bytes that go out, and write the question's number (4 bytes) and the bytes that come in.
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define MOST 4096
#define PATIENCE (5 * HZ)

struct question {
	u32 number;
	u8 select, fresh; /* `fresh`: the first bytes since this chip was selected */
	u16 length;
};

static struct question asked;
static u8 out[MOST], in[MOST];
static bool pending, attached, fresh;
static DECLARE_WAIT_QUEUE_HEAD(somebody_asks);
static DECLARE_COMPLETION(answered);
static DEFINE_MUTEX(bus);
static struct platform_device *device;

static int transfer_one(struct spi_controller *controller, struct spi_device *chip, struct spi_transfer *t)
{
	int ret = 0;

	if (t->len > MOST)
		return -EMSGSIZE;
	mutex_lock(&bus);
	memset(in, 0xff, t->len); /* nobody there: MISO floats */
	if (attached) {
		if (t->tx_buf)
			memcpy(out, t->tx_buf, t->len);
		else
			memset(out, 0, t->len);
		asked = (struct question) { asked.number + 1, spi_get_chipselect(chip, 0), fresh, t->len };
		fresh = false;
		reinit_completion(&answered);
		WRITE_ONCE(pending, true);
		wake_up_interruptible(&somebody_asks);
		if (!wait_for_completion_timeout(&answered, PATIENCE))
			ret = -ETIMEDOUT;
		WRITE_ONCE(pending, false);
	}
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

static ssize_t ask(struct file *f, char __user *to, size_t n, loff_t *o)
{
	if (wait_event_interruptible(somebody_asks, READ_ONCE(pending)))
		return -ERESTARTSYS;
	if (n < sizeof(asked) + asked.length)
		return -EMSGSIZE;
	WRITE_ONCE(pending, false);
	if (copy_to_user(to, &asked, sizeof(asked)) || copy_to_user(to + sizeof(asked), out, asked.length))
		return -EFAULT;
	return sizeof(asked) + asked.length;
}

/* An answer that comes too late belongs to another question, and is dropped. */
static ssize_t answer(struct file *f, const char __user *from, size_t n, loff_t *o)
{
	u32 number;

	if (n < sizeof(number) || n > sizeof(number) + MOST || copy_from_user(&number, from, sizeof(number)))
		return -EFAULT;
	if (number != asked.number)
		return n;
	if (copy_from_user(in, from + sizeof(number), n - sizeof(number)))
		return -EFAULT;
	complete(&answered);
	return n;
}

static int attach(struct inode *i, struct file *f)
{
	if (attached)
		return -EBUSY;
	attached = true;
	return 0;
}

static int detach(struct inode *i, struct file *f)
{
	attached = false;
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .open = attach, .release = detach, .read = ask, .write = answer,
};
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "vspi", .fops = &fops };

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
	int ret = misc_register(&misc);

	if (ret)
		return ret;
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
	misc_deregister(&misc);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A virtual SPI controller");
