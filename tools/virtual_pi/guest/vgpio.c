// SPDX-License-Identifier: GPL-2.0
// A virtual header: the kernel's own GPIO character device sits on top, with the label of a Pi 5. Fingers write into /dev/vgpio
// ("17 0" connects line 17 to ground, "17 1" lets it go), eyes read there what every line shows.
#include <linux/gpio/driver.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/uaccess.h>

#define LINES 54

static struct { bool output, high, pulled_up, grounded, heard; } line[LINES];
static struct platform_device *device;
static struct gpio_chip chip;

static int level(unsigned int n)
{
	return line[n].output ? line[n].high : line[n].pulled_up && !line[n].grounded;
}

static int get(struct gpio_chip *c, unsigned int n) { return level(n); }
static void set(struct gpio_chip *c, unsigned int n, int high) { line[n].high = high; }

static int get_direction(struct gpio_chip *c, unsigned int n)
{
	return line[n].output ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int direction_input(struct gpio_chip *c, unsigned int n)
{
	line[n].output = false;
	return 0;
}

static int direction_output(struct gpio_chip *c, unsigned int n, int high)
{
	line[n].output = true;
	line[n].high = high;
	return 0;
}

/* As a Pi: it pulls, and leaves debouncing to the kernel. */
static int set_config(struct gpio_chip *c, unsigned int n, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		line[n].pulled_up = true;
		return 0;
	case PIN_CONFIG_BIAS_PULL_DOWN:
	case PIN_CONFIG_BIAS_DISABLE:
		line[n].pulled_up = false;
		return 0;
	default:
		return -ENOTSUPP;
	}
}

static void mask(struct irq_data *d)
{
	line[irqd_to_hwirq(d)].heard = false;
	gpiochip_disable_irq(&chip, irqd_to_hwirq(d));
}

static void unmask(struct irq_data *d)
{
	gpiochip_enable_irq(&chip, irqd_to_hwirq(d));
	line[irqd_to_hwirq(d)].heard = true;
}

static int set_type(struct irq_data *d, unsigned int type) { return 0; }

static const struct irq_chip edges = {
	.name = "vgpio", .irq_mask = mask, .irq_unmask = unmask, .irq_set_type = set_type,
	.flags = IRQCHIP_IMMUTABLE, GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static ssize_t hand(struct file *f, const char __user *from, size_t n, loff_t *o)
{
	char text[16] = "";
	unsigned int which, up;
	int before;

	if (n >= sizeof(text) || copy_from_user(text, from, n))
		return -EINVAL;
	if (sscanf(text, "%u %u", &which, &up) != 2 || which >= LINES)
		return -EINVAL;
	before = level(which);
	line[which].grounded = !up;
	if (level(which) != before && line[which].heard)
		generic_handle_domain_irq_safe(chip.irq.domain, which);
	return n;
}

static ssize_t eye(struct file *f, char __user *to, size_t n, loff_t *o)
{
	char text[LINES + 1];
	int i;

	for (i = 0; i < LINES; i++)
		text[i] = '0' + level(i);
	text[LINES] = '\n';
	return simple_read_from_buffer(to, n, o, text, sizeof(text));
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = eye, .write = hand };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "vgpio", .fops = &fops };

static int probe(struct platform_device *p)
{
	chip = (struct gpio_chip) {
		.label = "pinctrl-rp1", .parent = &p->dev, .owner = THIS_MODULE, .base = -1, .ngpio = LINES,
		.get = get, .set = set, .get_direction = get_direction, .direction_input = direction_input,
		.direction_output = direction_output, .set_config = set_config,
	};
	gpio_irq_chip_set_chip(&chip.irq, &edges);
	chip.irq.handler = handle_simple_irq;
	chip.irq.default_type = IRQ_TYPE_NONE;
	return devm_gpiochip_add_data(&p->dev, &chip, NULL);
}

static struct platform_driver driver = { .probe = probe, .driver = { .name = "vgpio" } };

static int __init start(void)
{
	int ret = misc_register(&misc);

	if (ret)
		return ret;
	ret = platform_driver_register(&driver);
	if (ret)
		return ret;
	device = platform_device_register_simple("vgpio", -1, NULL, 0);
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
MODULE_DESCRIPTION("A virtual GPIO header");
