/* Runs the box's image (.hex) in an emulated chip: its line on a pseudo-terminal, its pins on standard input and output.

   box_emulator IMAGE.hex [SPEED]      SPEED 1 = real time, 0 = as fast as it goes

   Commands, one a line:                                    Answers and reports, one a line:
     plug PATH        open a pseudo-terminal, link PATH       plugged DEVICE
     unplug           close it                                unplugged
     wave B T1 T2 …   toggle contact B (0–5) after T µs       light N 0|1 CYCLE
     after B GAP HOLD close B for HOLD µs, at least GAP µs after the last one so closed
     noise D F SEED   drop/alter bytes, parts per 10000       tone HERTZ CYCLE      (0 = silence)
     reset            the reset pin; memory stays             reset
     power            power off and on; memory is noise       power
     hang             the program stands still                reset (by the watchdog, after a while)
     eeprom [HEX]     the first bytes of lasting memory       eeprom HEX
     stack            deepest use of the stack so far         stack BYTES
     cycle            cycles so far                           cycle N
     line             bytes dropped, altered, in all          line DROPPED ALTERED ALL
     quit                                                                                                            */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>

#define FREQUENCY 16000000ULL
#define BYTE_CYCLES (FREQUENCY * 10 / 115200)
#define SLICE_CYCLES (FREQUENCY / 4000)
#define MCUSR_ADDRESS 0x54
#define RAM_START 0x100
#define PAINT 0xA5
#define CONTACTS 6
#define EVENTS 4096
#define QUEUE 65536

static avr_t *avr;
static avr_irq_t *line_in, *contact[CONTACTS];
static int master = -1, slave = -1;
static char link_path[512];
static uint8_t queue[QUEUE];
static unsigned queue_head, queue_tail;
static uint64_t next_byte;
static unsigned drop, alter, dropped, altered, passed;
static uint64_t noise_state = 1;
static struct event {
    uint64_t cycle;
    int contact, closed;
} events[EVENTS];
static int event_count;

static uint32_t noise(void)
{
    noise_state ^= noise_state << 13;
    noise_state ^= noise_state >> 7;
    noise_state ^= noise_state << 17;
    return (uint32_t)(noise_state >> 32);
}

/* Returns 0 when the line swallowed the byte. */
static int through_noise(uint8_t *byte)
{
    passed++;
    if (!drop && !alter)
        return 1;
    unsigned chance = noise() % 10000;
    if (chance < drop) {
        dropped++;
        return 0;
    }
    if (chance < drop + alter) {
        altered++;
        *byte ^= (uint8_t)(1 + noise() % 255);
    }
    return 1;
}

static void on_line_out(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint8_t byte = (uint8_t)value;
    if (through_noise(&byte) && master >= 0)
        (void)!write(master, &byte, 1);   /* a full buffer loses it, as a real line would */
}

static uint64_t last_edge;
static uint32_t tone_now;

static void tone(uint32_t hertz, uint64_t cycle)
{
    if (hertz == tone_now)
        return;
    tone_now = hertz;
    printf("tone %u %llu\n", hertz, (unsigned long long)cycle);
}

/* Two half periods of the same length make a tone; longer than 30 ms without an edge is silence. */
static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    static uint64_t last_gap;
    static uint32_t level;
    if ((value & 1) == level)
        return;   /* told twice: once by the timer, once by the port */
    level = value & 1;
    uint64_t gap = avr->cycle - last_edge;
    last_edge = avr->cycle;
    if (gap < FREQUENCY / 33 && gap * 9 < last_gap * 10 && last_gap * 9 < gap * 10) {
        uint32_t hertz = (uint32_t)(FREQUENCY / (gap + last_gap));
        if (hertz * 9 > tone_now * 10 || hertz * 10 < tone_now * 9)
            tone(hertz, avr->cycle - gap - last_gap);
    }
    last_gap = gap;
}

static void on_light(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    static int state[4] = {0, 0, 0, 0};
    int light = (int)(intptr_t)param;
    if (state[light] != (int)(value & 1)) {
        state[light] = (int)(value & 1);
        printf("light %d %u %llu\n", light, value & 1, (unsigned long long)avr->cycle);
    }
}

static void unplug(void)
{
    if (master >= 0) {
        close(slave);
        close(master);
        unlink(link_path);
        master = slave = -1;
    }
    queue_head = queue_tail = 0;
}

static void plug(const char *path)
{
    unplug();
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master)) {
        perror("pseudo-terminal");
        exit(2);
    }
    const char *device = ptsname(master);
    slave = open(device, O_RDWR | O_NOCTTY);   /* held open: a host that lets go is no hang-up */
    struct termios settings;
    tcgetattr(slave, &settings);
    cfmakeraw(&settings);
    tcsetattr(slave, TCSANOW, &settings);
    snprintf(link_path, sizeof link_path, "%s", path);
    unlink(path);
    if (symlink(device, path))
        perror(path);
    printf("plugged %s\n", device);
}

static int held[CONTACTS], was_reset;
static void (*chip_reset)(struct avr_t *);

static void on_reset(struct avr_t *chip)
{
    if (chip_reset)
        chip_reset(chip);
    was_reset = 1;
}

static void set_contact(int which, int closed)
{
    held[which] = closed;
    avr_raise_irq(contact[which], closed ? 0 : 1);
}

static void restart(int power)
{
    if (power)
        for (unsigned address = RAM_START; address <= avr->ramend; address++)
            avr->data[address] = (uint8_t)noise();
    avr_reset(avr);
    avr->data[MCUSR_ADDRESS] = power ? 1 : 2;
    tone_now = 0;
}

static unsigned stack_depth(void)
{
    /* From the top down to the first run of 24 painted bytes. */
    unsigned run = 0, address = avr->ramend;
    for (; address > RAM_START && run < 24; address--)
        run = avr->data[address] == PAINT ? run + 1 : 0;
    return avr->ramend - address - run;
}

static void schedule(uint64_t cycle, int which, int closed)
{
    if (event_count == EVENTS)
        return;
    int place = event_count++;
    for (; place > 0 && events[place - 1].cycle > cycle; place--)
        events[place] = events[place - 1];
    events[place] = (struct event){cycle, which, closed};
}

static void wave(char *rest)
{
    int which = (int)strtol(rest, &rest, 10), closed = 1;
    for (;;) {
        char *end;
        long after = strtol(rest, &end, 10);
        if (end == rest)
            return;
        rest = end;
        schedule(avr->cycle + (uint64_t)after * (FREQUENCY / 1000000), which, closed);
        closed = !closed;
    }
}

static uint16_t hang_word;
static uint32_t hang_at;

static void command(char *line)
{
    char path[400];
    unsigned a, b, c;
    unsigned long long seed;
    static uint64_t last;
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "plug %399s", path) == 1) {
        plug(path);
    } else if (!strcmp(line, "unplug")) {
        unplug();
        printf("unplugged\n");
    } else if (!strncmp(line, "wave ", 5)) {
        wave(line + 5);
    } else if (sscanf(line, "after %u %u %u", &a, &b, &c) == 3) {
        last += b * (FREQUENCY / 1000000);
        last = last > avr->cycle ? last : avr->cycle;
        schedule(last, (int)a, 1);
        schedule(last + c * (FREQUENCY / 1000000), (int)a, 0);
    } else if (sscanf(line, "noise %u %u %llu", &a, &b, &seed) == 3) {
        drop = a, alter = b, noise_state = seed * 2 + 1;
    } else if (!strcmp(line, "reset") || !strcmp(line, "power")) {
        restart(line[0] == 'p');
        printf("%s\n", line);
    } else if (!strcmp(line, "hang")) {
        /* "rjmp ." where the program is, and interrupts off: nothing but the watchdog ends that. */
        hang_at = avr->pc;
        memcpy(&hang_word, avr->flash + hang_at, 2);
        avr->flash[hang_at] = 0xFF, avr->flash[hang_at + 1] = 0xCF;
        avr->sreg[S_I] = 0;
        avr->state = cpu_Running;
    } else if (!strncmp(line, "eeprom", 6)) {
        uint8_t bytes[8];
        avr_eeprom_desc_t place = {.ee = bytes, .offset = 0, .size = sizeof bytes};
        if (strlen(line) == 7 + 16) {
            for (int i = 0; i < 8; i++)
                sscanf(line + 7 + 2 * i, "%2hhx", &bytes[i]);
            avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &place);
        }
        memset(bytes, 0, sizeof bytes);
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &place);
        printf("eeprom ");
        for (int i = 0; i < 8; i++)
            printf("%02x", bytes[i]);
        printf("\n");
    } else if (!strcmp(line, "stack")) {
        printf("stack %u\n", stack_depth());
    } else if (!strcmp(line, "cycle")) {
        printf("cycle %llu\n", (unsigned long long)avr->cycle);
    } else if (!strcmp(line, "line")) {
        printf("line %u %u %u\n", dropped, altered, passed);
    } else if (!strcmp(line, "quit")) {
        unplug();
        exit(0);
    } else {
        printf("unknown %s\n", line);
    }
}

/* Reads what came from the program's side of the control channel; whole lines only. */
static void control(void)
{
    static char buffer[16384];
    static size_t filled;
    ssize_t got = read(0, buffer + filled, sizeof buffer - 1 - filled);
    if (got == 0) {
        unplug();
        exit(0);
    }
    if (got < 0)
        return;
    filled += (size_t)got;
    buffer[filled] = 0;
    char *start = buffer, *end;
    while ((end = strchr(start, '\n'))) {
        *end = 0;
        command(start);
        start = end + 1;
    }
    filled -= (size_t)(start - buffer);
    memmove(buffer, start, filled);
    if (filled == sizeof buffer - 1)
        filled = 0;
}

static void step(void)
{
    int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
        printf("crashed\n");
        exit(3);
    }
    if (was_reset) {
        was_reset = 0;   /* the chip forgot its pins' levels, the wires did not */
        for (int i = 0; i < CONTACTS; i++) {
            avr_raise_irq(contact[i], held[i] ? 1 : 0);   /* a level that is no change would be ignored */
            set_contact(i, held[i]);
        }
    }
    while (event_count && events[0].cycle <= avr->cycle) {
        set_contact(events[0].contact, events[0].closed);
        memmove(events, events + 1, (size_t)--event_count * sizeof *events);
    }
    if (queue_tail != queue_head && next_byte <= avr->cycle) {
        uint8_t byte = queue[queue_tail];
        queue_tail = (queue_tail + 1) % QUEUE;
        next_byte = avr->cycle + BYTE_CYCLES;
        if (through_noise(&byte))
            avr_raise_irq(line_in, byte);
    }
    if (tone_now && avr->cycle - last_edge > FREQUENCY / 33)
        tone(0, last_edge);
    if (hang_at && avr->data[MCUSR_ADDRESS] & 8) {
        memcpy(avr->flash + hang_at, &hang_word, 2);
        hang_at = 0;
        printf("reset\n");
    }
}

static void no_sleep(avr_t *chip, avr_cycle_count_t how_long)
{
    (void)chip, (void)how_long;   /* this program paces the chip itself */
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    double speed = count > 2 ? atof(arguments[2]) : 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    uint32_t size, start;
    uint8_t *image = read_ihex_file(arguments[1], &size, &start);
    avr = image ? avr_make_mcu_by_name("atmega328p") : NULL;
    if (!avr || avr_init(avr))
        return 2;
    avr->frequency = FREQUENCY;
    avr->sleep = no_sleep;
    chip_reset = avr->reset;
    avr->reset = on_reset;
    avr->run_cycle_limit = 500;
    avr->log = LOG_ERROR;
    avr_loadcode(avr, image, size, start);
    avr->codeend = avr->flashend;
    memset(avr->data + RAM_START, PAINT, avr->ramend + 1 - RAM_START);
    avr->data[MCUSR_ADDRESS] = 1;

    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    line_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_line_out, NULL);
    for (int i = 0; i < CONTACTS; i++) {
        contact[i] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), IOPORT_IRQ_PIN0 + 2 + i);
        set_contact(i, 0);
    }
    for (int i = 0; i < 4; i++)
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_PIN5 - i), on_light,
                                (void *)(intptr_t)i);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), IOPORT_IRQ_PIN1), on_buzzer, NULL);
    fcntl(0, F_SETFL, O_NONBLOCK);
    printf("ready\n");

    uint64_t real = nanoseconds(), emulated = avr->cycle;
    for (;;) {
        struct pollfd watched[2] = {{0, POLLIN, 0}, {master, POLLIN, 0}};
        uint64_t now = nanoseconds();
        uint64_t due = speed > 0 ? emulated + (uint64_t)((double)(now - real) * speed * FREQUENCY / 1e9) : avr->cycle + SLICE_CYCLES;
        if (speed > 0 && due > avr->cycle + FREQUENCY / 10) {
            /* The machine was busy elsewhere: time goes on from here, it does not race to catch up. */
            real = now, emulated = avr->cycle, due = avr->cycle + SLICE_CYCLES;
        }
        while (avr->cycle < due)
            step();
        struct timespec pause = {0, speed > 0 ? 200000 : 0};
        if (ppoll(watched, master >= 0 ? 2 : 1, &pause, NULL) > 0) {
            if (watched[0].revents)
                control();
            if (master >= 0 && watched[1].revents & POLLIN) {
                uint8_t bytes[4096];
                unsigned room = (queue_tail - queue_head - 1 + 2 * QUEUE) % QUEUE;
                ssize_t got = read(master, bytes, room < sizeof bytes ? room : sizeof bytes);
                for (ssize_t i = 0; i < got; i++) {
                    queue[queue_head] = bytes[i];
                    queue_head = (queue_head + 1) % QUEUE;
                }
            }
        }
    }
}
