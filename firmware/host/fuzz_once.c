/* Runs fuzz.c without libFuzzer: so many inputs, the same ones every time. Usage: fuzz-once [inputs] [seed] */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define LONGEST 8192

static uint32_t state;

static uint32_t next(void) /* xorshift */
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

int main(int count, char **words)
{
    unsigned long inputs = count > 1 ? strtoul(words[1], NULL, 10) : 1000;
    state = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 2463534242u;
    unsigned long bytes_in_all = 0;
    for (unsigned long i = 0; i < inputs; i++) {
        static uint8_t bytes[LONGEST];
        size_t size = next() % LONGEST;
        for (size_t at = 0; at < size; at++)
            bytes[at] = (uint8_t)(next() >> 8);
        bytes_in_all += size;
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%lu inputs: %lu bytes of chance, %lu bytes on the line, %lu answers, %lu events\n", inputs, bytes_in_all,
           fuzz_counts.line, fuzz_counts.answers, fuzz_counts.events);
    return 0;
}
