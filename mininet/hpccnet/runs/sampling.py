"""Load of the machine and counters of ports, written beside the run in a thread."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

#: Order of the fields of /proc/net/dev that are kept.
_COUNTERS = {
    "rxBytes": 0,
    "rxPackets": 1,
    "rxDropped": 3,
    "txBytes": 8,
    "txPackets": 9,
    "txDropped": 11,
}


class IdleMeter:
    """Share of all cores' time that was idle since the last look."""

    def __init__(self) -> None:
        self._last = cpu_times()

    def share(self) -> float:
        """Share from 0 to 1; 1 when no time has passed."""
        now = cpu_times()
        total = sum(now) - sum(self._last)
        # Waiting for a disk (the fifth field) is idle as far as packets are concerned.
        idle = now[3] + now[4] - self._last[3] - self._last[4]
        self._last = now
        return min(1.0, max(0.0, idle / total)) if total > 0 else 1.0


def cpu_times() -> list[int]:
    """Ticks of all cores together by kind, from user to steal."""
    with open("/proc/stat", encoding="ascii") as file:
        # Time of guests, which comes behind, is part of user time already.
        return [int(each) for each in file.readline().split()[1:9]]


def port_counters(text: str, ports: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Counters by name of port, from the text of /proc/net/dev.

    :param ports: names of ports by names of interfaces.
    """
    found = {}
    for line in text.splitlines()[2:]:
        name, _, numbers = line.partition(":")
        port = ports.get(name.strip())
        if port is not None:
            fields = [int(each) for each in numbers.split()]
            found[port] = {counter: fields[index] for counter, index in _COUNTERS.items()}
    return found


class Sampler:
    """Calls a function at regular times and writes what it returns as lines of JSON."""

    def __init__(
        self,
        path: Path,
        milliseconds: int,
        look: Callable[[], dict[str, Any]],
        zero: float,
        first: dict[str, Any] | None = None,
    ) -> None:
        """`first` is a line that was taken before; it has its own time."""
        self._path = path
        self._first = first
        self._period = milliseconds / 1000
        self._look = look
        self._zero = zero
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=path.name, daemon=True)
        #: Why it ended before it was stopped.
        self.error: str | None = None
        self._thread.start()

    def stop(self) -> None:
        """Write a last line and end."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with open(self._path, "w", encoding="ascii") as file:
                self._write_lines(file)
        except (OSError, ValueError, IndexError) as error:
            self.error = f"{self._path.name}: {error}"

    def _write_lines(self, file: Any) -> None:
        if self._first is not None:
            file.write(json.dumps(self._first) + "\n")
        due = self._zero + self._period
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            self._write(file)
            # Not from now on, or the times would drift; a late look does not cause two.
            late = max(0.0, time.monotonic() - due)
            due += self._period * (1 + int(late / self._period))
        self._write(file)

    def _write(self, file: Any) -> None:
        seconds = round(time.monotonic() - self._zero, 6)
        file.write(json.dumps({"seconds": seconds, **self._look()}) + "\n")
        file.flush()


def cpu_sampler(path: Path, milliseconds: int, zero: float) -> Sampler:
    """`zero` is the moment of the monotonic clock that seconds count from."""
    meter = IdleMeter()
    return Sampler(path, milliseconds, lambda: {"idle": round(meter.share(), 4)}, zero)


def port_sampler(path: Path, milliseconds: int, zero: float, before: "PortCounters") -> Sampler:
    """Counters of the interfaces in the namespace of this process, from before the run on."""
    first = {"seconds": round(before.moment - zero, 6), "ports": before.counters}
    look = partial(_ports_line, before.ports)
    return Sampler(path, milliseconds, look, zero, first)


class PortCounters:
    """Counters of the kernel for the ports of switches at one moment."""

    def __init__(self, ports: Mapping[str, str]) -> None:
        """:param ports: names of ports by names of interfaces."""
        self.ports = ports
        self.moment = time.monotonic()
        self.counters = _ports_line(ports)["ports"]

    def wait_quiet(self, quiet: float = 0.2, limit: float = 5.0) -> bool:
        """Wait until no port counts anything for a while, at most `limit` seconds; True if it did.

        Switches then have no packet left in a queue: what came in and did not go out is lost.
        """
        end = time.monotonic() + limit
        while time.monotonic() < end:
            time.sleep(quiet)
            now = _ports_line(self.ports)["ports"]
            if now == self.counters:
                return True
            self.counters = now
        return False


def _ports_line(ports: Mapping[str, str]) -> dict[str, Any]:
    return {"ports": port_counters(Path("/proc/net/dev").read_text(encoding="ascii"), ports)}
