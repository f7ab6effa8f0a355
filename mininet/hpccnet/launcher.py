"""How this project's own command is called."""

import os
import shlex
from pathlib import Path

#: Instead of the `hpcc` of this checkout, as a shell would write it.
COMMAND_VARIABLE = "HPCC_COMMAND"

ROOT = Path(__file__).resolve().parents[2]


def hpcc(*arguments: str) -> list[str]:
    """Argument list of `hpcc` with arguments."""
    given = os.environ.get(COMMAND_VARIABLE)
    command = shlex.split(given) if given else [str(ROOT / "hpcc")]
    return [*command, *arguments]
