"""Progress of a run: lines of JSON on standard output."""

import json
import sys
import time
from typing import Any


class Progress:
    """Writes events with seconds since readiness, which are null before."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._ready: float | None = None

    def mark_ready(self) -> None:
        """Seconds count from now on."""
        self._ready = time.monotonic()

    def start_seconds(self) -> float | None:
        """Seconds that nodes, links, processes and entries took until readiness; None before."""
        return None if self._ready is None else round(self._ready - self._begun, 3)

    def seconds(self, moment: float | None = None) -> float | None:
        """Seconds from readiness to a moment of the monotonic clock, or to now; may be negative."""
        if self._ready is None:
            return None
        return round((time.monotonic() if moment is None else moment) - self._ready, 6)

    def say(self, event: str, name: str | None = None, message: str | None = None) -> None:
        """Write one line at once, for the process that follows the run."""
        line: dict[str, Any] = {"event": event, "seconds": self.seconds()}
        if name is not None:
            line["name"] = name
        if message is not None:
            line["message"] = message
        try:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            pass  # The follower has gone, which is no reason to lose the run's files.
