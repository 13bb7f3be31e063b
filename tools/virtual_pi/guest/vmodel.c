// SPDX-License-Identifier: GPL-2.0
// What a Pi 5 says of itself in /proc/device-tree/model, on a machine without a device tree.
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

static const char model[] = "Raspberry Pi 5 Model B Rev 1.0";
static struct proc_dir_entry *tree;

static int show(struct seq_file *file, void *v)
{
	return seq_write(file, model, sizeof(model)); /* with its zero, as the real one */
}

static int __init start(void)
{
	tree = proc_mkdir("device-tree", NULL);
	if (!tree || !proc_create_single("model", 0444, tree, show))
		return -ENOMEM;
	return 0;
}

static void __exit stop(void)
{
	proc_remove(tree);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The name of a Raspberry Pi");
