"""SIGINT, SIGTERM and SIGHUP as an exception that does not get lost."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: Python drops an exception that a signal raises inside a destructor, so it is raised again after
#: this time, in seconds, for as long as the block goes on.
_AGAIN_SECONDS = 0.5

_received: str | None = None
_shielded = False


@contextmanager
def interruptible() -> Iterator[None]:
    """Signals end the block with Interrupted; one is enough, and later ones add nothing."""
    global _received
    _received = None
    before = {number: signal.getsignal(number) for number in (*_SIGNALS, signal.SIGALRM)}
    for number in before:
        signal.signal(number, _on_signal)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Finish what is inside, whatever signals arrive."""
    global _shielded
    _shielded = True
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _shielded = False


def _on_signal(number: int, _frame: FrameType | None) -> None:
    global _received
    if number != signal.SIGALRM and _received is None:
        _received = signal.Signals(number).name
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS, _AGAIN_SECONDS)
    elif number != signal.SIGALRM:
        return
    if _received is not None and not _shielded:
        raise Interrupted(_received)
