/* The entry that libFuzzer calls; fuzz_once.c calls it, too. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What came of all inputs so far: bytes that the line took, answers and events that came back. */
extern struct fuzz_counts {
    unsigned long line, answers, events;
} fuzz_counts;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
