"""What a run says of itself while it goes on: lines of JSON on standard output."""

import json
import sys
import time
from typing import Any


class Progress:
    """Writes events with seconds since readiness, which are null before."""

    def __init__(self) -> None:
        self._ready: float | None = None

    def mark_ready(self) -> None:
        """Seconds count from now on."""
        self._ready = time.monotonic()

    def seconds(self, moment: float | None = None) -> float | None:
        """Of a moment of the monotonic clock, or of now; negative before readiness."""
        if self._ready is None:
            return None
        return round((time.monotonic() if moment is None else moment) - self._ready, 6)

    def say(self, event: str, name: str | None = None, message: str | None = None) -> None:
        """Write one line at once, for whoever follows the run."""
        line: dict[str, Any] = {"event": event, "seconds": self.seconds()}
        if name is not None:
            line["name"] = name
        if message is not None:
            line["message"] = message
        try:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            pass  # Nobody follows any more, which is no reason to lose the run's files.
