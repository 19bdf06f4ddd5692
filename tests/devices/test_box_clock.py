"""Device milliseconds on the host's clock: within ten of them, whatever the resonator does."""

import random

import pytest

from companion.devices.boxes.clock import WRAP, DeviceClock


class Device:
    """A counter of milliseconds that started at host second 50 and is off by ``drift``."""

    def __init__(self, drift: float, begin: int = 0) -> None:
        self.drift, self.begin = drift, begin

    def at(self, host: float) -> int:
        return (self.begin + round((host - 50) * 1000 * (1 + self.drift))) % WRAP


def run(device: Device, until: float, seed: int = 1, start: float = 60.0) -> DeviceClock:
    """Pairs four times a second with a round trip of 2 to 30 ms, read anywhere within it."""
    clock, randomness = DeviceClock(), random.Random(seed)
    feed(clock, device, start, until, randomness)
    return clock


def feed(clock: DeviceClock, device: Device, start: float, until: float, randomness: random.Random) -> None:
    now = start
    while now < until:
        trip = randomness.choice([0.002, 0.003, 0.004, 0.018, 0.03])
        clock.add(device.at(now + randomness.random() * trip), now, now + trip)
        now += 0.25


@pytest.mark.parametrize("drift", [-0.005, -0.0003, 0.0, 0.005])
@pytest.mark.parametrize("begin", [0, WRAP - 30_000], ids=["fresh", "wrapping"])
def test_presses_are_dated_within_ten_milliseconds(drift: float, begin: int) -> None:
    device = Device(drift, begin)
    clock = run(device, 160.0)
    worst = 0.0
    for truth in [*(61 + step * 0.137 for step in range(700)), 160.0, 160.2]:
        found = clock.host(device.at(truth))
        assert found is not None
        host, error = found
        assert abs(host - truth) <= error + 0.001
        worst = max(worst, abs(host - truth))
    assert worst <= 0.010


def test_a_press_made_while_the_host_was_away_is_dated_as_well() -> None:
    device = Device(0.005)
    clock = run(device, 70.0)
    feed(clock, device, 250.0, 251.0, random.Random(3))
    for truth in (100.0, 160.0, 249.0):
        host, _ = clock.host(device.at(truth)) or (0.0, 0.0)
        assert abs(host - truth) <= 0.010


def test_a_clock_that_stood_still_for_a_moment_does_not_bend_the_times_around_it() -> None:
    clock, randomness = DeviceClock(), random.Random(4)
    device = Device(0.0)
    feed(clock, device, 60.0, 70.0, randomness)
    device.begin = -1500  # a second and a half in the boot loader
    feed(clock, device, 75.0, 80.0, randomness)
    before, _ = clock.host(Device(0.0).at(70.5)) or (0.0, 0.0)
    after, _ = clock.host(device.at(74.9)) or (0.0, 0.0)
    assert abs(before - 70.5) < 0.01 and abs(after - 74.9) < 0.016  # the first pair after it may be half of 30 ms off


def test_nothing_is_said_before_the_first_pair() -> None:
    assert DeviceClock().host(5) is None
