/* The button box, apart from the machine it runs on. */
#ifndef BOX_H
#define BOX_H
#include <stdbool.h>
#include <stdint.h>
#include "queue.h"

#define FIRMWARE_VERSION 0x0100u   /* major, minor */
#define LIGHTS 4u

/* Memory the start of the program must not touch. */
struct kept {
    struct queue queue;
    uint32_t now;           /* milliseconds; goes on after a restart so that the times of kept presses stay true */
    uint32_t not_now;       /* its complement */
};

/* `cause` as in HELLO, `identity` 0 when none was given yet. `kept` is used as found when it is sound. */
void box_start(struct kept *kept, uint8_t cause, uint32_t identity);
void box_take(uint8_t byte);              /* one byte from the line */
void box_tick(uint8_t closed);            /* once a millisecond: the contacts as they are, one bit each, 1 = closed */
void box_send(void);                      /* sends what is due and finds room */

#endif
