#include "box.h"
#include "debounce.h"
#include "frame.h"
#include "port.h"

#define ANSWERS (1u << BUTTON_ANSWER_A | 1u << BUTTON_ANSWER_B)
#define HOLDS (1u << BUTTON_AGAIN | 1u << BUTTON_ARBITER)
#define CLICK_HERTZ 2200u
#define REFUSED_HERTZ 300u
#define REFUSED_TIME 300u

static struct kept *kept;
static struct decoder decoder;
static struct contact contacts[BUTTONS];

static uint32_t identity;
static uint8_t cause;
static uint8_t closed_now;       /* contacts that count as down */
static uint8_t stuck_now;

static uint16_t host_silence;    /* milliseconds since the host's last good frame, stops at TIME_HOST_LOST */
static uint8_t in_flight;        /* presses sent and not acknowledged */
static uint8_t attempts;
static uint8_t retry_left;
static uint8_t since_hint;
static uint16_t beat_left;
static uint16_t beat_nonce;
static bool beat_due;
static uint16_t hello_nonce;
static bool hello_due;

static struct {
    uint8_t serial;
    uint16_t lights;
} shown;
static uint8_t lit = 0xFF;
static struct {
    uint16_t hertz, duration, gap, left;
    uint8_t repeats;
    bool sounding;
} tone;

static bool host_there(void)
{
    return host_silence < TIME_HOST_LOST;
}

/* --- sound and light: the same for every button ------------------------------------------------------------------ */

static void tone_start(uint16_t hertz, uint16_t duration, uint8_t repeats, uint16_t gap)
{
    tone.hertz = hertz;
    tone.duration = duration;
    tone.gap = gap;
    tone.repeats = hertz && duration ? repeats : 0;
    tone.left = 0;
    tone.sounding = false;
    if (!tone.repeats)
        port_tone(0);
}

static void tone_step(void)
{
    if (tone.left && --tone.left)
        return;
    if (tone.sounding) {
        tone.sounding = false;
        tone.left = tone.gap;
        port_tone(0);
        if (tone.left)
            return;
    }
    if (tone.repeats) {
        tone.repeats--;
        tone.sounding = true;
        tone.left = tone.duration;
        port_tone(tone.hertz);
    }
}

static void lights_step(void)
{
    uint16_t states = host_there() ? shown.lights : LIGHT_SLOW;   /* alone: the first light breathes, the others rest */
    bool slow = (uint16_t)kept->now & 512u, fast = (uint16_t)kept->now & 128u;
    uint8_t mask = 0;
    for (uint8_t light = 0; light < LIGHTS; light++, states >>= 2) {
        uint8_t state = states & 3u;
        if (state == LIGHT_ON || (state == LIGHT_SLOW && slow) || (state == LIGHT_FAST && fast))
            mask |= (uint8_t)(1u << light);
    }
    if (mask != lit)
        port_lights(lit = mask);
}

/* --- buttons ----------------------------------------------------------------------------------------------------- */

static void press(uint8_t button, uint8_t flags, uint32_t time)
{
    bool room = queue_add(&kept->queue, (uint8_t)(button | flags << 4), time);
    if (!tone.repeats && !tone.sounding)
        tone_start(room ? CLICK_HERTZ : REFUSED_HERTZ, room ? TIME_CLICK : REFUSED_TIME, 1, 0);
}

static void buttons_step(uint8_t closed)
{
    uint8_t down = 0, stuck = 0;
    for (uint8_t button = 0; button < BUTTONS; button++) {
        uint8_t bit = (uint8_t)(1u << button);
        uint8_t group = bit & ANSWERS ? ANSWERS : (uint8_t)~ANSWERS;
        enum edge edge = contact_step(&contacts[button], closed & bit);
        uint8_t flags = closed & group & ~bit & ~stuck_now ? FLAG_TOGETHER : 0;
        if (edge == EDGE_PRESS)
            press(button, flags, kept->now - (TIME_PRESS_STABLE - 1));
        else if (edge == EDGE_HELD && bit & HOLDS)
            press(button, flags | FLAG_HELD, kept->now);
        if (contacts[button].down)
            down |= bit;
        if (contact_stuck(&contacts[button]))
            stuck |= bit;
    }
    closed_now = down;
    stuck_now = stuck;
}

/* --- to the host ------------------------------------------------------------------------------------------------- */

static void put(uint8_t *bytes, uint8_t kind, uint8_t fields)
{
    uint8_t line[FRAME_ON_LINE(HELLO_LENGTH)];
    bytes[0] = kind;
    uint8_t length = frame_write(line, bytes, fields + 1);
    for (uint8_t i = 0; i < length; i++)
        port_put(line[i]);
}

static void send_hello(void)
{
    uint8_t bytes[1 + HELLO_LENGTH], *fields = bytes + 1;
    write_u16(fields + HELLO_MAGIC, PROTOCOL_MAGIC);
    fields[HELLO_VERSION] = PROTOCOL_VERSION;
    fields[HELLO_COMPATIBLE] = PROTOCOL_COMPATIBLE;
    write_u16(fields + HELLO_NONCE, hello_nonce);
    write_u32(fields + HELLO_IDENTITY, identity);
    write_u16(fields + HELLO_SESSION, kept->queue.session);
    fields[HELLO_FIRST] = kept->queue.first;
    fields[HELLO_WAITING] = kept->queue.count;
    write_u16(fields + HELLO_CAPABILITIES, CAN_LIGHTS | CAN_BUZZER | CAN_HOLD | CAN_NAME);
    fields[HELLO_BUTTONS] = BUTTONS;
    fields[HELLO_LIGHTS] = LIGHTS;
    write_u16(fields + HELLO_FIRMWARE, FIRMWARE_VERSION);
    fields[HELLO_CAUSE] = cause;
    write_u32(fields + HELLO_TIME, kept->now);
    put(bytes, KIND_HELLO, HELLO_LENGTH);
}

static void send_beat(void)
{
    uint8_t bytes[1 + BEAT_LENGTH], *fields = bytes + 1;
    write_u16(fields + BEAT_NONCE, beat_nonce);
    write_u16(fields + BEAT_SESSION, kept->queue.session);
    write_u32(fields + BEAT_TIME, kept->now);
    fields[BEAT_CLOSED] = closed_now;
    fields[BEAT_STUCK] = stuck_now;
    fields[BEAT_REFUSED] = kept->queue.refused;
    fields[BEAT_SHOWN] = shown.serial;
    fields[BEAT_WAITING] = kept->queue.count;
    put(bytes, KIND_BEAT, BEAT_LENGTH);
}

static void send_press(uint8_t index)
{
    const struct press *press = queue_at(&kept->queue, index);
    uint8_t bytes[1 + PRESS_LENGTH], *fields = bytes + 1;
    uint8_t button = press->what & 15u;
    write_u16(fields + PRESS_SESSION, kept->queue.session);
    fields[PRESS_SEQUENCE] = kept->queue.first + index;
    fields[PRESS_BUTTON] = (uint8_t)(button | (uint8_t)~button << 4);
    fields[PRESS_FLAGS] = press->what >> 4;
    for (uint8_t i = 0; i < 4; i++)
        fields[PRESS_TIME + i] = press->time[i];
    put(bytes, KIND_PRESS, PRESS_LENGTH);
}

void box_send(void)
{
    if (hello_due && port_room() >= FRAME_ON_LINE(HELLO_LENGTH)) {
        hello_due = false;
        send_hello();
    }
    if (!host_there())
        return;
    if (kept->queue.session) {
        while (in_flight < kept->queue.count && in_flight < LIMIT_WINDOW && port_room() >= FRAME_ON_LINE(PRESS_LENGTH)) {
            if (in_flight == 0)
                retry_left = attempts < COUNT_RETRY_FAST ? TIME_RETRY : TIME_RETRY_SLOW;
            send_press(in_flight++);
        }
    }
    if (beat_due && port_room() >= FRAME_ON_LINE(BEAT_LENGTH)) {
        beat_due = false;
        beat_left = TIME_BEAT;
        send_beat();
    }
}

/* --- from the host ----------------------------------------------------------------------------------------------- */

static void send_again(void)
{
    in_flight = 0;
    since_hint = 0;
}

static void acknowledge(const uint8_t *fields)
{
    if (!kept->queue.session || read_u16(fields + ACK_SESSION) != kept->queue.session)
        return;
    uint8_t dropped = queue_drop(&kept->queue, fields[ACK_NEXT]);
    if (dropped) {
        in_flight = in_flight > dropped ? in_flight - dropped : 0;
        attempts = 0;
        retry_left = TIME_RETRY;
    } else if (in_flight && fields[ACK_NEXT] == kept->queue.first && since_hint >= TIME_RETRY_HINT) {
        send_again();
    }
}

static void show(const uint8_t *fields)
{
    if (!fields[SHOW_SERIAL] || fields[SHOW_SERIAL] == shown.serial)
        return;
    shown.serial = fields[SHOW_SERIAL];
    shown.lights = read_u16(fields + SHOW_LIGHTS);
    tone_start(read_u16(fields + SHOW_TONE), read_u16(fields + SHOW_DURATION), fields[SHOW_REPEATS],
               read_u16(fields + SHOW_GAP));
}

static void name(const uint8_t *fields)
{
    uint32_t wanted = read_u32(fields + NAME_IDENTITY);
    if (!wanted || !~wanted || wanted != (uint32_t)~read_u32(fields + NAME_INVERSE))
        return;
    if (wanted != identity)
        port_name(identity = wanted);
}

static void receive(const uint8_t *bytes, uint8_t length)
{
    const uint8_t *fields = bytes + 1;
    length--;
    if (bytes[0] == KIND_HELLO_REQUEST && length >= HELLO_REQUEST_LENGTH) {
        hello_nonce = read_u16(fields + HELLO_REQUEST_NONCE);
        hello_due = true;
    } else if (bytes[0] == KIND_SESSION && length >= SESSION_LENGTH) {
        if (!kept->queue.session)
            queue_open(&kept->queue, read_u16(fields + SESSION_SESSION));
    } else if (bytes[0] == KIND_ACK && length >= ACK_LENGTH) {
        acknowledge(fields);
    } else if (bytes[0] == KIND_PING && length >= PING_LENGTH) {
        beat_nonce = read_u16(fields + PING_NONCE);
        beat_due = true;
    } else if (bytes[0] == KIND_SHOW && length >= SHOW_LENGTH) {
        show(fields);
    } else if (bytes[0] == KIND_NAME && length >= NAME_LENGTH) {
        name(fields);
    } else {
        return;   /* from a newer host, or damaged: not understood, not counted as company */
    }
    host_silence = 0;
}

void box_take(uint8_t byte)
{
    uint8_t length = decoder_take(&decoder, byte);
    if (length)
        receive(decoder.bytes, length);
}

/* --- time -------------------------------------------------------------------------------------------------------- */

void box_tick(uint8_t closed)
{
    kept->now++;
    kept->not_now = ~kept->now;
    if (host_there() && ++host_silence == TIME_HOST_LOST) {
        shown.serial = 0;
        shown.lights = 0;
        send_again();
        tone_start(0, 0, 0, 0);
    }
    if (since_hint < 255)
        since_hint++;
    if (in_flight && retry_left && --retry_left == 0) {
        if (attempts < COUNT_RETRY_FAST)
            attempts++;
        send_again();
    }
    if (beat_left)
        beat_left--;
    if (!beat_left && !beat_due) {
        beat_due = true;
        beat_nonce = 0;
    }
    buttons_step(closed);
    tone_step();
    lights_step();
}

void box_start(struct kept *memory, uint8_t why, uint32_t name_given)
{
    kept = memory;
    identity = name_given;
    cause = why;
    if (queue_sound(&kept->queue) && kept->now == (uint32_t)~kept->not_now) {
        cause |= CAUSE_KEPT;
    } else {
        queue_clear(&kept->queue);
        kept->now = 0;
        kept->not_now = ~kept->now;
    }
    decoder_reset(&decoder);
    for (uint8_t button = 0; button < BUTTONS; button++)
        contact_start(&contacts[button]);
    closed_now = stuck_now = 0;
    host_silence = TIME_HOST_LOST;
    in_flight = attempts = since_hint = 0;
    beat_left = TIME_BEAT;
    beat_due = hello_due = false;
    shown.serial = 0;
    shown.lights = 0;
    lit = 0xFF;
    tone_start(0, 0, 0, 0);
}
