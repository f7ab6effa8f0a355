"""Answers of Mininet's command line to somebody at a terminal, as JSON.

Call it as `prompt.py --line nodes --line pingall -- SCRIPT [ARGUMENT ...]`.
"""

import argparse
import json
import os
import pty
import select
import sys
import time

PROMPT = b"mininet> "
SECONDS_MAX = 120.0


def read_until(terminal: int, end: bytes, after: str) -> bytes:
    """All that comes until `end`, which is left out, after what was done."""
    found = b""
    deadline = time.monotonic() + SECONDS_MAX
    while not found.endswith(end):
        if not select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))[0]:
            sys.exit(f"no {end!r} {SECONDS_MAX} s after {after}, only {found!r}")
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            piece = b""
        if not piece:
            sys.exit(f"the script ended after {after} without {end!r}: {found!r}")
        found += piece
    return found[: -len(end)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--line", action="append", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, *options.command])
    read_until(terminal, PROMPT, "start")
    answers = []
    for line in options.line:
        os.write(terminal, line.encode() + b"\n")
        # The terminal repeats what is typed.
        _, _, answer = read_until(terminal, PROMPT, line).decode().partition("\r\n")
        answers.append(answer.splitlines())
    os.write(terminal, b"exit\n")
    while select.select([terminal], [], [], SECONDS_MAX)[0]:
        try:
            if not os.read(terminal, 4096):
                break
        except OSError:
            break
    _, status = os.waitpid(process, 0)
    print(json.dumps({"answers": answers, "status": os.waitstatus_to_exitcode(status)}))


if __name__ == "__main__":
    main()
