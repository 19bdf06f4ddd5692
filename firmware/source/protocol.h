/* Written by generate.py from protocol.toml; change it there. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_VERSION 1u
#define PROTOCOL_COMPATIBLE 1u
#define PROTOCOL_BAUD 115200u
#define PROTOCOL_MAGIC 22356u

#define LIMIT_FRAME 40u
#define LIMIT_QUEUE 32u
#define LIMIT_WINDOW 4u

#define TIME_PRESS_STABLE 5u
#define TIME_RELEASE_STABLE 20u
#define TIME_HOLD 1500u
#define TIME_STUCK 10000u
#define TIME_RETRY 30u
#define TIME_RETRY_SLOW 100u
#define TIME_RETRY_HINT 10u
#define TIME_BEAT 1000u
#define TIME_PING 250u
#define TIME_HOST_LOST 3000u
#define TIME_CLICK 15u
#define TIME_WATCHDOG 250u

#define COUNT_RETRY_FAST 8u

#define BUTTON_ANSWER_A 0u
#define BUTTON_ANSWER_B 1u
#define BUTTON_CLOCK_A 2u
#define BUTTON_CLOCK_B 3u
#define BUTTON_AGAIN 4u
#define BUTTON_ARBITER 5u

#define FLAG_TOGETHER 1u
#define FLAG_HELD 2u

#define LIGHT_OFF 0u
#define LIGHT_ON 1u
#define LIGHT_SLOW 2u
#define LIGHT_FAST 3u

#define CAN_LIGHTS 1u
#define CAN_BUZZER 2u
#define CAN_HOLD 4u
#define CAN_NAME 8u

#define CAUSE_UNKNOWN 0u
#define CAUSE_POWER 1u
#define CAUSE_EXTERNAL 2u
#define CAUSE_BROWN_OUT 4u
#define CAUSE_WATCHDOG 8u
#define CAUSE_KEPT 128u

#define BUTTONS 6u

#define KIND_HELLO_REQUEST 0x01u
#define HELLO_REQUEST_NONCE 0u
#define HELLO_REQUEST_VERSION 2u
#define HELLO_REQUEST_LENGTH 3u

#define KIND_SESSION 0x02u
#define SESSION_SESSION 0u
#define SESSION_LENGTH 2u

#define KIND_ACK 0x03u
#define ACK_SESSION 0u
#define ACK_NEXT 2u
#define ACK_LENGTH 3u

#define KIND_PING 0x04u
#define PING_NONCE 0u
#define PING_LENGTH 2u

#define KIND_SHOW 0x05u
#define SHOW_SERIAL 0u
#define SHOW_LIGHTS 1u
#define SHOW_TONE 3u
#define SHOW_DURATION 5u
#define SHOW_REPEATS 7u
#define SHOW_GAP 8u
#define SHOW_LENGTH 10u

#define KIND_NAME 0x06u
#define NAME_IDENTITY 0u
#define NAME_INVERSE 4u
#define NAME_LENGTH 8u

#define KIND_HELLO 0x81u
#define HELLO_MAGIC 0u
#define HELLO_VERSION 2u
#define HELLO_COMPATIBLE 3u
#define HELLO_NONCE 4u
#define HELLO_IDENTITY 6u
#define HELLO_SESSION 10u
#define HELLO_FIRST 12u
#define HELLO_WAITING 13u
#define HELLO_CAPABILITIES 14u
#define HELLO_BUTTONS 16u
#define HELLO_LIGHTS 17u
#define HELLO_FIRMWARE 18u
#define HELLO_CAUSE 20u
#define HELLO_TIME 21u
#define HELLO_LENGTH 25u

#define KIND_PRESS 0x82u
#define PRESS_SESSION 0u
#define PRESS_SEQUENCE 2u
#define PRESS_BUTTON 3u
#define PRESS_FLAGS 4u
#define PRESS_TIME 5u
#define PRESS_LENGTH 9u

#define KIND_BEAT 0x83u
#define BEAT_NONCE 0u
#define BEAT_SESSION 2u
#define BEAT_TIME 4u
#define BEAT_CLOSED 8u
#define BEAT_STUCK 9u
#define BEAT_REFUSED 10u
#define BEAT_SHOWN 11u
#define BEAT_WAITING 12u
#define BEAT_LENGTH 13u

#endif
