"""Everything about the page that can be tuned, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSettings:
    """How the page is served. The defaults suit one table, its players and their spectators.

    hosts                  names by which the page may be addressed besides ``localhost`` and plain IP addresses. A name
                           that is not listed is refused, which stops DNS rebinding: a foreign page can point its own
                           name at this machine, but it cannot make the browser send an IP address as the host.
    body_bytes             largest request body, 1 KiB .. 1 MiB. An answer is a few hundred bytes.
    answers_burst          answers one address may send at once before it has to wait, 5 .. 200. A player correcting a whole
                           board by hand sends about thirty.
    answers_per_second     answers one address may send in the long run, 0.5 .. 50.
    picture_bytes          largest picture a phone may send, 1 .. 32 MiB; a 12-megapixel photo has six.
    sound_bytes            largest recording of a spoken command, 32 .. 512 KiB; eight seconds have 250.
    frames_per_second      pictures a phone may send in a second, 2 .. 60; more are not looked at anyway.
    streams                open event streams at the same time, 1 .. 500; one thread writes them all.
    player_streams         share of the streams that spectators cannot take, 0.05 .. 0.5: table, arbiter and seats, twice.
    streams_each           of these by one pass, 1 .. 50: a device or two, some open pages, and those that just vanished.
    stream_backlog         events a slow client may lag behind before it is dropped, 16 .. 10 000. It reconnects and resumes.
    heartbeat_seconds      a silent stream says so often that it is alive, 1 .. 60. A page that hears nothing for about twice as
                           long calls its connection lost: a network that vanishes closes nothing.
    retry_milliseconds     how long a browser waits before it reconnects, 200 .. 10 000.
    watch_seconds          how often changes without an event (a silent camera) are looked for, 0.1 .. 5.
    picture_seconds        age up to which one encoded picture serves every client, 0.05 .. 2.
    send_seconds           a client that takes no bytes for this long, or is silent between two requests, is dropped, 2 .. 60.
    request_seconds        a request has arrived as a whole after so long, 2 .. 60: a phone on a bad network needs one or two.
    upload_bytes_per_second  what a picture may take longer: its size at this rate, 16 .. 1024 KiB; a bad uplink has 64.
    arriving_bytes         bodies that are being received at the same time, altogether, 16 .. 256 MiB: eight largest pictures.
    connections            open connections at the same time, streams among them, 150 .. 800: below the 1024 files that a
                           process may usually open. Beyond that strangers are dropped first, then spectators.
    connections_each       of these by one address, players' and those being answered not counted, 8 .. 200: a club behind one
                           router is one address.
    answering_threads      threads that answer requests, players' and other visitors' each, begun as they are needed, 4 .. 64: a
                           request takes milliseconds, a large answer as long as its reader takes.
    idle_seconds           after how long without work such a thread ends, 1 .. 120.
    """

    hosts: tuple[str, ...] = ()
    body_bytes: int = 16 * 1024
    answers_burst: int = 40
    answers_per_second: float = 4.0
    picture_bytes: int = 8 * 1024 * 1024
    sound_bytes: int = 256 * 1024
    frames_per_second: int = 20
    streams: int = 112
    player_streams: float = 0.1
    streams_each: int = 8
    stream_backlog: int = 512
    heartbeat_seconds: float = 3.0
    retry_milliseconds: int = 1000
    watch_seconds: float = 0.4
    picture_seconds: float = 0.15
    send_seconds: int = 10
    request_seconds: float = 10.0
    upload_bytes_per_second: int = 64 * 1024
    arriving_bytes: int = 64 * 1024 * 1024
    connections: int = 400
    connections_each: int = 48
    answering_threads: int = 16
    idle_seconds: float = 20.0
