/* The box's machine-independent parts on a PC, driven over standard input for tests under sanitizers.

   crc HEX            crc NUMBER
   write HEX          line HEX                     (HEX: kind and fields)
   decode HEX         frames [HEX …]               (bytes from a line; goes on where the last one stopped)
   contact BITS       edges TEXT                   (one sample a character; . none, P press, H held, R release)
   start CAUSE NAME   ok                           (memory as it is)
   wipe BYTE          ok                           (memory filled with BYTE)
   harm OFFSET BYTE   ok                           (one byte of the memory changed)
   take HEX           ok
   tick MASK COUNT    out HEX | light M T | tone H T | name N …    (T: ticks since the start of this program)
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../source/box.h"
#include "../source/crc.h"
#include "../source/debounce.h"
#include "../source/frame.h"
#include "../source/port.h"

#define BUFFER 127
#define DRAIN 11   /* bytes the line carries in a millisecond */

static struct kept memory;
static unsigned waiting, long_ticks;
static uint8_t *sent;
static size_t sent_count, sent_size;

uint8_t port_room(void)
{
    return (uint8_t)(BUFFER - waiting);
}

void port_put(uint8_t byte)
{
    if (waiting >= BUFFER)
        abort();   /* the box promised to ask first */
    waiting++;
    if (sent_count == sent_size)
        sent = realloc(sent, sent_size = sent_size ? 2 * sent_size : 256);
    sent[sent_count++] = byte;
}

void port_lights(uint8_t mask)
{
    printf("light %u %u ", mask, long_ticks);
}

void port_tone(uint16_t hertz)
{
    printf("tone %u %u ", hertz, long_ticks);
}

void port_name(uint32_t identity)
{
    printf("name %u ", identity);
}

static size_t from_hex(const char *text, uint8_t *bytes)
{
    size_t count = 0;
    unsigned value;
    while (sscanf(text + 2 * count, "%2x", &value) == 1)
        bytes[count++] = (uint8_t)value;
    return count;
}

static void to_hex(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%02x", bytes[i]);
}

int main(void)
{
    static struct decoder decoder;
    struct contact contact;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    decoder_reset(&decoder);
    while ((length = getline(&line, &size, stdin)) > 0) {
        uint8_t *bytes = malloc((size_t)length);
        unsigned a, b;
        if (!strncmp(line, "crc ", 4)) {
            printf("crc %u", crc_of(bytes, (uint8_t)from_hex(line + 4, bytes)));
        } else if (!strncmp(line, "write ", 6)) {
            uint8_t out[FRAME_ON_LINE(LIMIT_FRAME)];
            size_t count = from_hex(line + 6, bytes);
            printf("line ");
            to_hex(out, frame_write(out, bytes, (uint8_t)count));
        } else if (!strncmp(line, "decode", 6)) {
            size_t count = line[6] == ' ' ? from_hex(line + 7, bytes) : 0;
            printf("frames");
            for (size_t i = 0; i < count; i++) {
                uint8_t found = decoder_take(&decoder, bytes[i]);
                if (found) {
                    printf(" ");
                    to_hex(decoder.bytes, found);
                }
            }
        } else if (!strncmp(line, "contact ", 8)) {
            contact_start(&contact);
            printf("edges ");
            for (char *sample = line + 8; *sample == '0' || *sample == '1'; sample++)
                putchar(".PHR"[contact_step(&contact, *sample == '1')]);
        } else if (sscanf(line, "start %u %u", &a, &b) == 2) {
            waiting = 0;
            box_start(&memory, (uint8_t)a, b);
            printf("ok");
        } else if (sscanf(line, "wipe %u", &a) == 1) {
            memset(&memory, (int)a, sizeof memory);
            printf("ok");
        } else if (sscanf(line, "harm %u %u", &a, &b) == 2) {
            ((uint8_t *)&memory)[a % sizeof memory] ^= (uint8_t)b;
            printf("ok");
        } else if (!strncmp(line, "take ", 5)) {
            size_t count = from_hex(line + 5, bytes);
            for (size_t i = 0; i < count; i++)
                box_take(bytes[i]);
            printf("ok");
        } else if (sscanf(line, "tick %u %u", &a, &b) == 2) {
            for (unsigned i = 0; i < b; i++) {
                long_ticks++;
                waiting = waiting > DRAIN ? waiting - DRAIN : 0;
                box_tick((uint8_t)a);
                box_send();
            }
            printf("out ");
            to_hex(sent, sent_count);
            sent_count = 0;
        } else {
            printf("unknown");
        }
        printf("\n");
        fflush(stdout);
        free(bytes);
    }
    free(line);
    free(sent);
    return 0;
}
