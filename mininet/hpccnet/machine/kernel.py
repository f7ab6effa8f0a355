"""Wrappers of the few system calls that Python's standard library does not have."""

import ctypes
import os
import signal
from collections.abc import Callable

CLONE_NEWNS = 0x0002_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

_PR_SET_PDEATHSIG = 1
_MS_REC = 0x4000
_MS_PRIVATE = 1 << 18

_LIBC = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Leave the namespaces that `flags` names for new ones; a new PID namespace starts with the
    next child.
    """
    _check(_LIBC.unshare(flags), "unshare")


def enter_namespace(descriptor: int) -> None:
    """Enter the namespace that an open file of /proc/PID/ns stands for."""
    _check(_LIBC.setns(descriptor, 0), "setns")


def mount(kind: str, where: str) -> None:
    """Mount a file system without a device, such as proc, which shows the own namespaces."""
    _check(_LIBC.mount(kind.encode(), where.encode(), kind.encode(), 0, None), f"mount {where}")


def make_mounts_private() -> None:
    """Keep later mounts out of the namespace that this one came from."""
    _check(_LIBC.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "mount /")


def die_with_parent() -> None:
    """Have the kernel send SIGKILL to this process when its parent ends.

    It has no effect if the parent ended before; callers check that themselves.
    """
    _check(_LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")


def begin_session() -> None:
    """Make this process the leader of a session that the scheduler serves by its niceness.

    Each session is an autogroup (sched(7)): niceness counts among its own processes only, and
    against those of other sessions only that of the autogroup, which begins at 0.
    """
    os.setsid()
    try:
        with open("/proc/self/autogroup", "w", encoding="ascii") as autogroup:
            autogroup.write(str(os.getpriority(os.PRIO_PROCESS, 0)))
    except FileNotFoundError:
        pass  # A kernel without autogroups compares processes.


def child_setup(then: Callable[[], object] | None = None) -> Callable[[], None]:
    """Prepare a child between fork and exec, for `Popen(preexec_fn=...)`.

    It dies with its parent and gets back the signals that the parent blocks.
    """
    parent = os.getpid()

    def setup() -> None:
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        if then is not None:
            then()

    return setup


def _check(result: int, call: str) -> None:
    if result == 0:
        return
    code = ctypes.get_errno()
    raise OSError(code, f"{call}: {os.strerror(code)}")
