/* Frames on the line: kind and fields, CRC-16 (low byte first), stuffed by COBS, a zero byte before and after. */
#ifndef FRAME_H
#define FRAME_H
#include <stdbool.h>
#include <stdint.h>
#include "protocol.h"

/* Bytes a frame with this many bytes of fields takes on the line: kind, CRC, one stuffing byte, two zeros. */
#define FRAME_ON_LINE(fields) ((fields) + 6u)

struct decoder {
    uint8_t bytes[LIMIT_FRAME];
    uint8_t length;   /* bytes unstuffed so far */
    uint8_t left;     /* bytes until the next stuffing byte */
    bool zero_due;    /* the next stuffing byte stands for a zero */
    bool broken;      /* too long: skip to the next zero */
};

void decoder_reset(struct decoder *decoder);

/* Takes one byte from the line. Returns the number of bytes of kind + fields now in `bytes` when this byte ended a good
   frame, else 0. What it returned stays valid until the next call. */
uint8_t decoder_take(struct decoder *decoder, uint8_t byte);

/* Writes the frame of kind + fields (`length` bytes in all, at most LIMIT_FRAME - 2) to `line`; returns how many bytes. */
uint8_t frame_write(uint8_t *line, const uint8_t *bytes, uint8_t length);

uint16_t read_u16(const uint8_t *bytes);
uint32_t read_u32(const uint8_t *bytes);
void write_u16(uint8_t *bytes, uint16_t value);
void write_u32(uint8_t *bytes, uint32_t value);

#endif
