#include "crc.h"

/* Eight shifts at once: the polynomial's taps (bits 0, 5, 12) folded by hand, so that no table lies in memory. */
uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

uint16_t crc_of(const void *bytes, uint8_t length)
{
    const uint8_t *byte = bytes;
    uint16_t crc = CRC_START;
    while (length--)
        crc = crc_add(crc, *byte++);
    return crc;
}
