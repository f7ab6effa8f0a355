"""Tests of the doctor's checks of a machine's programs."""

import os
import tempfile
import unittest
from pathlib import Path

from hpccnet.doctor.checks import _output


class OutputOfPrograms(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "tool"

    def _write(self, text: str, mode: int) -> None:
        self.program.write_text(f"#!/bin/sh\n{text}\n")
        self.program.chmod(mode)

    def test_is_its_first_line(self) -> None:
        self._write("echo; echo tool 1.2; echo more", 0o755)
        self.assertEqual(_output([str(self.program)]), "tool 1.2")

    def test_is_empty_when_it_fails(self) -> None:
        self._write("echo tool 1.2; exit 1", 0o755)
        self.assertEqual(_output([str(self.program)]), "")

    def test_is_empty_where_there_is_none(self) -> None:
        self.assertEqual(_output([str(self.program)]), "")

    def test_is_empty_where_this_user_may_not_run_it(self) -> None:
        # Not even root may run what nobody may.
        self._write("echo tool 1.2", 0o644)
        self.assertFalse(os.access(self.program, os.X_OK))
        self.assertEqual(_output([str(self.program)]), "")


if __name__ == "__main__":
    unittest.main()
