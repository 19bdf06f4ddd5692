#include "frame.h"
#include "crc.h"

void decoder_reset(struct decoder *decoder)
{
    decoder->length = 0;
    decoder->left = 0;
    decoder->zero_due = false;
    decoder->broken = false;
}

static void append(struct decoder *decoder, uint8_t byte)
{
    if (decoder->length == LIMIT_FRAME)
        decoder->broken = true;
    else
        decoder->bytes[decoder->length++] = byte;
}

static uint8_t finish(struct decoder *decoder)
{
    uint8_t length = decoder->length;
    bool whole = !decoder->broken && decoder->left == 0 && length >= 3;
    decoder_reset(decoder);
    if (!whole)
        return 0;
    length -= 2;
    return crc_of(decoder->bytes, length) == read_u16(decoder->bytes + length) ? length : 0;
}

uint8_t decoder_take(struct decoder *decoder, uint8_t byte)
{
    if (byte == 0)
        return finish(decoder);
    if (decoder->broken)
        return 0;
    if (decoder->left) {
        append(decoder, byte);
        decoder->left--;
        return 0;
    }
    if (decoder->zero_due)
        append(decoder, 0);
    decoder->left = byte - 1;
    decoder->zero_due = byte != 0xFF;
    return 0;
}

uint8_t frame_write(uint8_t *line, const uint8_t *bytes, uint8_t length)
{
    uint16_t crc = crc_of(bytes, length);
    uint8_t end = 2, code = 1;   /* line[code] counts the bytes up to the next zero */
    line[0] = 0;
    for (uint8_t i = 0; i < length + 2; i++) {
        uint8_t byte = i < length ? bytes[i] : i == length ? (uint8_t)crc : (uint8_t)(crc >> 8);
        if (byte) {
            line[end++] = byte;
        } else {
            line[code] = end - code;
            code = end++;
        }
    }
    line[code] = end - code;
    line[end++] = 0;
    return end;
}

uint16_t read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8);
}

uint32_t read_u32(const uint8_t *bytes)
{
    return read_u16(bytes) | (uint32_t)read_u16(bytes + 2) << 16;
}

void write_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

void write_u32(uint8_t *bytes, uint32_t value)
{
    write_u16(bytes, (uint16_t)value);
    write_u16(bytes + 2, (uint16_t)(value >> 16));
}
