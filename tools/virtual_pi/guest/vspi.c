// SPDX-License-Identifier: GPL-2.0
// A virtual SPI controller: the kernel's own spidev sits on top, a process behind /dev/vspi plays the chips.
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/completion.h>
#include <linux/wait.h>
#include <linux/slab.h>

struct head { u8 kind, cs, mode, bits; u32 speed_hz, len; };  /* kind 0: select off, 1: select on, 2: transfer */
#define MOST 65536
static struct platform_device *pdev;
static DECLARE_WAIT_QUEUE_HEAD(asked);
static DECLARE_COMPLETION(answered);
static struct head head;
static u8 *out, *in;
static bool pending, attached;
static DEFINE_MUTEX(lock);

static int ask(struct spi_device *spi, u8 kind, const void *tx, void *rx, u32 len, u32 hz)
{
	int ret = 0;
	if (!attached) { if (rx) memset(rx, 0xff, len); return 0; }  /* nobody there: MISO floats high */
	if (len > MOST) return -EMSGSIZE;
	mutex_lock(&lock);
	head = (struct head){ kind, spi_get_chipselect(spi, 0), spi->mode & 0xff, spi->bits_per_word, hz, len };
	if (tx) memcpy(out, tx, len); else memset(out, 0, len);
	memset(in, 0xff, len);
	reinit_completion(&answered);
	WRITE_ONCE(pending, true);
	wake_up_interruptible(&asked);
	if (!wait_for_completion_timeout(&answered, HZ)) { pending = false; ret = kind == 2 ? -ETIMEDOUT : 0; }
	if (rx && !ret) memcpy(rx, in, len);
	mutex_unlock(&lock);
	return ret;
}

static int transfer_one(struct spi_controller *c, struct spi_device *spi, struct spi_transfer *t)
{
	int ret = ask(spi, 2, t->tx_buf, t->rx_buf, t->len, t->speed_hz);
	if (!ret) spi_finalize_current_transfer(c);
	return ret;
}

static void set_cs(struct spi_device *spi, bool high) { ask(spi, high ? 0 : 1, NULL, NULL, 0, 0); }

static ssize_t v_read(struct file *f, char __user *to, size_t n, loff_t *o)
{
	if (wait_event_interruptible(asked, READ_ONCE(pending))) return -ERESTARTSYS;
	if (n < sizeof head + head.len) return -EMSGSIZE;
	if (copy_to_user(to, &head, sizeof head) || copy_to_user(to + sizeof head, out, head.len)) return -EFAULT;
	pending = false;
	return sizeof head + head.len;
}
static ssize_t v_write(struct file *f, const char __user *from, size_t n, loff_t *o)
{
	if (n > MOST || copy_from_user(in, from, n)) return -EFAULT;
	complete(&answered);
	return n;
}
static __poll_t v_poll(struct file *f, poll_table *p)
{
	poll_wait(f, &asked, p);
	return EPOLLOUT | (READ_ONCE(pending) ? EPOLLIN : 0);
}
static int v_open(struct inode *i, struct file *f) { if (attached) return -EBUSY; attached = true; return 0; }
static int v_release(struct inode *i, struct file *f) { attached = false; complete(&answered); return 0; }
static const struct file_operations fops = { .owner = THIS_MODULE, .open = v_open, .release = v_release, .read = v_read, .write = v_write, .poll = v_poll };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "vspi", .fops = &fops };

static int probe(struct platform_device *p)
{
	struct spi_board_info info = { .modalias = "dh2228fv", .max_speed_hz = 125000000, .bus_num = 0 };
	struct spi_controller *c = devm_spi_alloc_master(&p->dev, 0);
	int i, ret;
	if (!c) return -ENOMEM;
	c->bus_num = 0; c->num_chipselect = 2; c->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	c->bits_per_word_mask = SPI_BPW_MASK(8);
	c->transfer_one = transfer_one; c->set_cs = set_cs;
	ret = devm_spi_register_controller(&p->dev, c);
	if (ret) return ret;
	for (i = 0; i < 2; i++) { info.chip_select = i; if (!spi_new_device(c, &info)) return -ENODEV; }
	return 0;
}
static struct platform_driver drv = { .probe = probe, .driver = { .name = "vspi" } };

static int __init start(void)
{
	int ret;
	out = kmalloc(MOST, GFP_KERNEL); in = kmalloc(MOST, GFP_KERNEL);
	if (!out || !in) return -ENOMEM;
	if ((ret = misc_register(&misc))) return ret;
	if ((ret = platform_driver_register(&drv))) return ret;
	pdev = platform_device_register_simple("vspi", -1, NULL, 0);
	return PTR_ERR_OR_ZERO(pdev);
}
static void __exit stop(void)
{
	platform_device_unregister(pdev); platform_driver_unregister(&drv); misc_deregister(&misc);
	kfree(out); kfree(in);
}
module_init(start); module_exit(stop);
MODULE_LICENSE("GPL");
