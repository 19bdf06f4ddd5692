/* The machine around the box: pins, timers, line, watchdog, lasting memory. Nothing here waits for anything; the loop
   runs when an interrupt wakes it, does what there is to do and sleeps again. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include "box.h"
#include "frame.h"
#include "pins.h"
#include "port.h"

#define TICK_PRESCALER 64u
#define TONE_PRESCALER 8u
#define EEPROM_IDENTITY 0u   /* identity, then its complement; a blank or torn one counts as none */

#define OUT_SIZE 128u        /* powers of two: indices wrap by masking */
#define IN_SIZE 64u

static struct kept kept __attribute__((section(".noinit")));
static uint8_t reset_cause __attribute__((section(".noinit")));

static volatile uint8_t out[OUT_SIZE], out_head, out_tail;
static volatile uint8_t in[IN_SIZE], in_head, in_tail;
static volatile uint8_t ticks;

static uint8_t name_bytes[8];
static uint8_t name_left;

/* Runs before anything else: after a watchdog reset the watchdog still runs at its shortest time. */
__attribute__((naked, used, section(".init3"))) void early(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_enable(WDTO_250MS);
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

ISR(LINE_RECEIVED)
{
    uint8_t byte = LINE_DATA;
    uint8_t next = (in_head + 1) & (IN_SIZE - 1);
    if (next != in_tail) {   /* full: the frame is lost and asked for again */
        in[in_head] = byte;
        in_head = next;
    }
}

ISR(LINE_EMPTY)
{
    if (out_head == out_tail) {
        LINE_B &= (uint8_t)~(1 << UDRIE0);
        return;
    }
    LINE_DATA = out[out_tail];
    out_tail = (out_tail + 1) & (OUT_SIZE - 1);
}

uint8_t port_room(void)
{
    return (out_tail - out_head - 1) & (OUT_SIZE - 1);
}

void port_put(uint8_t byte)
{
    out[out_head] = byte;
    cli();
    out_head = (out_head + 1) & (OUT_SIZE - 1);
    LINE_B |= 1 << UDRIE0;
    sei();
}

void port_lights(uint8_t mask)
{
    LIGHTS_WRITE(mask);
}

void port_tone(uint16_t hertz)
{
    if (hertz < 16) {
        TCCR1A = 0;
        TCCR1B = 0;
        BUZZER_REST();
        return;
    }
    uint32_t top = F_CPU / 2 / TONE_PRESCALER / hertz - 1;
    OCR1A = (uint16_t)top;
    TCNT1 = 0;
    TCCR1A = 1 << COM1A0;               /* the timer itself toggles the buzzer's pin */
    TCCR1B = 1 << WGM12 | 1 << CS11;
}

void port_name(uint32_t identity)
{
    write_u32(name_bytes, identity);
    write_u32(name_bytes + 4, ~identity);
    name_left = sizeof name_bytes;
}

/* One byte whenever the last one is finished (3.4 ms each). */
static void name_step(void)
{
    if (!name_left || EECR & 1 << EEPE)
        return;
    uint8_t index = (uint8_t)(sizeof name_bytes - name_left--);
    EEAR = EEPROM_IDENTITY + index;
    EEDR = name_bytes[index];
    cli();
    EECR |= 1 << EEMPE;                 /* the write must follow within four cycles */
    EECR |= 1 << EEPE;
    sei();
}

static uint32_t name_read(void)
{
    uint8_t bytes[8];
    eeprom_read_block(bytes, (const void *)EEPROM_IDENTITY, sizeof bytes);
    uint32_t identity = read_u32(bytes);
    return identity == (uint32_t)~read_u32(bytes + 4) ? identity : 0;
}

static void set_up(void)
{
    CONTACTS_PULL_UP();
    LIGHTS_SET_UP();
    BUZZER_SET_UP();
    OCR0A = F_CPU / TICK_PRESCALER / 1000 - 1;
    TCCR0A = 1 << WGM01;
    TIMSK0 = 1 << OCIE0A;
    TCCR0B = 1 << CS01 | 1 << CS00;
    LINE_A = 1 << U2X0;
    LINE_RATE = (F_CPU + 4UL * PROTOCOL_BAUD) / (8UL * PROTOCOL_BAUD) - 1;
    LINE_C = 1 << UCSZ01 | 1 << UCSZ00;
    LINE_B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    set_sleep_mode(SLEEP_MODE_IDLE);
}

int main(void)
{
    box_start(&kept, reset_cause & 0x0F, name_read());
    set_up();
    sei();
    for (;;) {
        while (in_tail != in_head) {
            box_take(in[in_tail]);
            in_tail = (in_tail + 1) & (IN_SIZE - 1);
        }
        while (ticks) {
            cli();
            ticks--;
            sei();
            wdt_reset();                /* only a loop whose clock still runs feeds the watchdog */
            box_tick(CONTACTS_CLOSED());
        }
        box_send();
        name_step();
        cli();
        if (!ticks && in_tail == in_head) {
            sleep_enable();
            sei();                      /* takes effect after the next instruction: nothing can slip in between */
            sleep_cpu();
            sleep_disable();
        }
        sei();
    }
}
