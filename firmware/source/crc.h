/* CRC-16 with polynomial 0x1021, started at 0xFFFF, not reflected, no final xor (catalogue name CRC-16/IBM-3740). */
#ifndef CRC_H
#define CRC_H
#include <stdint.h>

#define CRC_START 0xFFFFu

uint16_t crc_add(uint16_t crc, uint8_t byte);
uint16_t crc_of(const void *bytes, uint8_t length);

#endif
