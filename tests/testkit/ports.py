"""Ports for servers that begin later, or that come back at the same one."""

import contextlib
import random
import socket
from pathlib import Path


def free_port() -> int:
    """A port below those that the system gives to whoever connects: a port that is free now may be given to any client
    meanwhile, one that tries to reach a server that is down among them, and be kept from that server."""
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(16_000, _first_of_clients())
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _first_of_clients() -> int:
    try:
        return max(16_500, int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0]))
    except OSError:
        return 32_768
