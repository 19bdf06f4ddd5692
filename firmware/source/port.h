/* What the box needs from the machine it runs on. None of these waits. */
#ifndef PORT_H
#define PORT_H
#include <stdint.h>

uint8_t port_room(void);                  /* bytes the line's buffer still takes */
void port_put(uint8_t byte);              /* only after port_room said so */
void port_lights(uint8_t mask);           /* one bit a light, 1 = lit */
void port_tone(uint16_t hertz);           /* 0 = silence */
void port_name(uint32_t identity);        /* keep for ever */

#endif
