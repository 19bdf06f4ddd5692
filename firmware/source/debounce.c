#include "debounce.h"

void contact_start(struct contact *contact)
{
    contact->run = 0;
    contact->down = true;
    contact->real = false;
    contact->held = 0;
}

enum edge contact_step(struct contact *contact, bool closed)
{
    if (contact->down && contact->held < TIME_STUCK)
        contact->held++;
    if (closed == contact->down) {
        contact->run = 0;
        return contact->down && contact->real && contact->held == TIME_HOLD ? EDGE_HELD : EDGE_NONE;
    }
    if (++contact->run < (closed ? TIME_PRESS_STABLE : TIME_RELEASE_STABLE))
        return EDGE_NONE;
    contact->run = 0;
    contact->held = 0;
    contact->down = closed;
    contact->real = true;
    return closed ? EDGE_PRESS : EDGE_RELEASE;
}

bool contact_stuck(const struct contact *contact)
{
    return contact->down && contact->held == TIME_STUCK;
}
