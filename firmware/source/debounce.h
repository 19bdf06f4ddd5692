/* One contact, sampled once a millisecond. A press is TIME_PRESS_STABLE samples closed without a gap, a release
   TIME_RELEASE_STABLE samples open without a gap. The longer release is what a bounce can never imitate. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H
#include <stdbool.h>
#include <stdint.h>
#include "protocol.h"

enum edge { EDGE_NONE, EDGE_PRESS, EDGE_HELD, EDGE_RELEASE };

struct contact {
    uint8_t run;      /* samples in a row that contradict `down` */
    bool down;
    bool real;        /* false for a contact closed since the start: it has not been pressed, so it cannot be held */
    uint16_t held;    /* milliseconds down, stops at TIME_STUCK */
};

/* At the start every contact counts as down, so that one held or shorted then is no press before it was let go. */
void contact_start(struct contact *contact);
enum edge contact_step(struct contact *contact, bool closed);
bool contact_stuck(const struct contact *contact);

#endif
