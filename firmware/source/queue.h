/* The presses nobody has acknowledged yet, in memory that a restart leaves alone. A checksum over all of it tells
   afterwards whether it survived. */
#ifndef QUEUE_H
#define QUEUE_H
#include <stdbool.h>
#include <stdint.h>
#include "protocol.h"

struct press {
    uint8_t what;       /* button in the low, flags in the high four bits */
    uint8_t time[4];    /* milliseconds, little-endian as on the line */
};

struct queue {
    uint16_t session;   /* 0: none yet */
    uint8_t first;      /* sequence number of the oldest press */
    uint8_t head;       /* where it lies in the ring */
    uint8_t count;
    uint8_t refused;    /* presses that found no room, stops at 255 */
    struct press ring[LIMIT_QUEUE];
    uint16_t check;
};

void queue_clear(struct queue *queue);
bool queue_sound(const struct queue *queue);
void queue_open(struct queue *queue, uint16_t session);
bool queue_add(struct queue *queue, uint8_t what, uint32_t time);
/* Drops every press before number `next` (modulo 256); returns how many. A number outside of what waits drops none. */
uint8_t queue_drop(struct queue *queue, uint8_t next);
const struct press *queue_at(const struct queue *queue, uint8_t index);

#endif
