/* Which pin is what. Contacts close to ground (the pull-ups inside the chip are on), lights are lit high. */
#ifndef PINS_H
#define PINS_H
#include <avr/io.h>

#if defined(__AVR_ATmega328P__)   /* Arduino Uno and Nano: D2–D7, lights D13 (on the board), D12, D11, D10, buzzer D9 */

#define CONTACTS_PULL_UP() (PORTD |= 0xFC)
#define CONTACTS_CLOSED() ((uint8_t)(~PIND) >> 2)
#define LIGHTS_SET_UP() (DDRB |= 0x3C)
#define LIGHTS_WRITE(m)                                                                                                \
    (PORTB = (uint8_t)((PORTB & ~0x3C) | ((m) & 1 ? 1 << 5 : 0) | ((m) & 2 ? 1 << 4 : 0) | ((m) & 4 ? 1 << 3 : 0) |   \
                       ((m) & 8 ? 1 << 2 : 0)))
#define BUZZER_SET_UP() (DDRB |= 1 << 1)
#define BUZZER_REST() (PORTB &= (uint8_t)~(1 << 1))
#define LINE_A UCSR0A
#define LINE_B UCSR0B
#define LINE_C UCSR0C
#define LINE_RATE UBRR0
#define LINE_DATA UDR0
#define LINE_RECEIVED USART_RX_vect
#define LINE_EMPTY USART_UDRE_vect

#elif defined(__AVR_ATmega32U4__)   /* Pro Micro: D2–D7, lights D10, D16, D14, D15, buzzer D9; line on RX/TX pins */

#define CONTACTS_PULL_UP() (PORTD |= 1 << 0 | 1 << 1 | 1 << 4 | 1 << 7, PORTC |= 1 << 6, PORTE |= 1 << 6)
#define CONTACTS_CLOSED()                                                                                              \
    ((uint8_t)((PIND & 1 << 1 ? 0 : 1) | (PIND & 1 << 0 ? 0 : 2) | (PIND & 1 << 4 ? 0 : 4) | (PINC & 1 << 6 ? 0 : 8) | \
               (PIND & 1 << 7 ? 0 : 16) | (PINE & 1 << 6 ? 0 : 32)))
#define LIGHTS_SET_UP() (DDRB |= 1 << 6 | 1 << 2 | 1 << 3 | 1 << 1)
#define LIGHTS_WRITE(m)                                                                                                \
    (PORTB = (uint8_t)((PORTB & ~0x4E) | ((m) & 1 ? 1 << 6 : 0) | ((m) & 2 ? 1 << 2 : 0) | ((m) & 4 ? 1 << 3 : 0) |   \
                       ((m) & 8 ? 1 << 1 : 0)))
#define BUZZER_SET_UP() (DDRB |= 1 << 5)
#define BUZZER_REST() (PORTB &= (uint8_t)~(1 << 5))
#define LINE_A UCSR1A
#define LINE_B UCSR1B
#define LINE_C UCSR1C
#define LINE_RATE UBRR1
#define LINE_DATA UDR1
#define LINE_RECEIVED USART1_RX_vect
#define LINE_EMPTY USART1_UDRE_vect
/* The same bits under the other line's names. */
#define U2X0 U2X1
#define RXEN0 RXEN1
#define TXEN0 TXEN1
#define RXCIE0 RXCIE1
#define UDRIE0 UDRIE1
#define UCSZ00 UCSZ10
#define UCSZ01 UCSZ11

#else
#error "no pins are defined for this chip"
#endif

#endif
