"""Errors of the environment and of input, apart from mistakes of the programmer."""


class HpccnetError(Exception):
    """One sentence for the person at the terminal: what, where, and what was expected."""


class Interrupted(BaseException):
    """SIGINT, SIGTERM or SIGHUP arrived: stop what runs and leave.

    Not an Exception, because Mininet has handlers of those that would go on.
    """

    def __init__(self, signal_name: str) -> None:
        super().__init__(f"interrupted by {signal_name}")
        self.signal_name = signal_name
