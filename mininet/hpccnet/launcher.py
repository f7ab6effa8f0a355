"""Command line of this project's own command."""

import os
import shlex
import subprocess
from pathlib import Path

from .errors import HpccnetError

#: Instead of the `hpcc` of this checkout, as a shell would write it.
COMMAND_VARIABLE = "HPCC_COMMAND"

ROOT = Path(__file__).resolve().parents[2]


def prepare_command() -> None:
    """Bring this checkout up to date, once and while there is a network to fetch packages from.

    :raises HpccnetError: when that fails; its own messages are on standard error.
    """
    build = ROOT / "scripts" / "build"
    if os.environ.get(COMMAND_VARIABLE) or not build.exists():
        return
    if subprocess.run([str(build)], check=False).returncode != 0:
        raise HpccnetError(f"{build} failed; see its messages above")


def hpcc(*arguments: str) -> list[str]:
    """Argument list of `hpcc` with arguments."""
    given = os.environ.get(COMMAND_VARIABLE)
    command = shlex.split(given) if given else [str(ROOT / "hpcc")]
    return [*command, *arguments]
