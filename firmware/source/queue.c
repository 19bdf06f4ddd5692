#include "queue.h"
#include <stddef.h>
#include <string.h>
#include "crc.h"
#include "frame.h"

static uint16_t checksum(const struct queue *queue)
{
    /* Inverted, so that memory of all zeros or all ones is never sound by accident. */
    return (uint16_t)~crc_of(queue, offsetof(struct queue, check));
}

static void seal(struct queue *queue)
{
    queue->check = checksum(queue);
}

void queue_clear(struct queue *queue)
{
    memset(queue, 0, sizeof *queue);
    seal(queue);
}

bool queue_sound(const struct queue *queue)
{
    return queue->check == checksum(queue) && queue->count <= LIMIT_QUEUE && queue->head < LIMIT_QUEUE;
}

void queue_open(struct queue *queue, uint16_t session)
{
    queue->session = session;
    seal(queue);
}

bool queue_add(struct queue *queue, uint8_t what, uint32_t time)
{
    bool room = queue->count < LIMIT_QUEUE;
    if (room) {
        struct press *press = &queue->ring[(queue->head + queue->count) % LIMIT_QUEUE];
        press->what = what;
        write_u32(press->time, time);
        queue->count++;
    } else if (queue->refused < 255) {
        queue->refused++;
    }
    seal(queue);
    return room;
}

uint8_t queue_drop(struct queue *queue, uint8_t next)
{
    uint8_t dropped = next - queue->first;
    if (dropped == 0 || dropped > queue->count)
        return 0;
    queue->first = next;
    queue->head = (queue->head + dropped) % LIMIT_QUEUE;
    queue->count -= dropped;
    seal(queue);
    return dropped;
}

const struct press *queue_at(const struct queue *queue, uint8_t index)
{
    return &queue->ring[(queue->head + index) % LIMIT_QUEUE];
}
