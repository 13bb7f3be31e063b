#include "registers.h"

#include "hal.h"

uint8_t registers_get(uint8_t pad, uint8_t address)
{
    hal_select(pad);
    hal_exchange((uint8_t)(READ | address << 1));
    uint8_t value = hal_exchange(0);
    hal_deselect();
    return value;
}

void registers_put(uint8_t pad, uint8_t address, uint8_t value)
{
    hal_select(pad);
    hal_exchange((uint8_t)(address << 1));
    hal_exchange(value);
    hal_deselect();
}
