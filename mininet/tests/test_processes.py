"""Processes end when they are stopped, and when their starter ends."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from hpccnet.errors import HpccnetError, Interrupted
from hpccnet.machine import run_state
from hpccnet.machine.interruption import interruptible, undisturbed
from hpccnet.machine.process import Command, ManagedProcess
from hpccnet.machine.readiness import contains, wait_until
from hpccnet.machine.run_state import RUN_VARIABLE, STATE_VARIABLE, RunState, start_time

_FOLDER = Path(__file__).resolve().parents[1]
_DEADLINE_SECONDS = 10.0

#: Starts a process that has a child, prints both ids, and waits to be killed.
_OWNER = """
import sys, time
from pathlib import Path
from hpccnet.machine.process import Command, ManagedProcess
out = Path(sys.argv[1])
child = ManagedProcess(Command("child", ["sleep", "1000"], out, out))
print(child.pid, flush=True)
time.sleep(1000)
"""


class ProcessTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "state").mkdir()
        changes = {STATE_VARIABLE: str(self.folder / "state")}
        patch = mock.patch.dict(os.environ, changes)
        patch.start()
        self.addCleanup(patch.stop)
        current = mock.patch.object(run_state, "_current", None)
        current.start()
        self.addCleanup(current.stop)

    def start(self, *argv: str) -> ManagedProcess:
        out, err = self.folder / "out", self.folder / "err"
        process = ManagedProcess(Command("it", argv, out, err))
        self.addCleanup(process.stop, signal.SIGKILL)
        return process

    def shell(self, script: str) -> ManagedProcess:
        return self.start("sh", "-c", script)

    @unittest.skipUnless(
        os.geteuid() == 0 and shutil.which("unshare") and shutil.which("ip"),
        "needs root, unshare and ip",
    )
    def test_an_interface_is_found_where_sys_is_of_another_namespace(self) -> None:
        found = "interface_index('lone'), interface_index('no')"
        code = f"from hpccnet.machine.run_state import interface_index; print({found})"
        make_link = "ip link add lone index 77 type veth peer name other"
        script = f"{make_link} && '{sys.executable}' -c \"{code}\""
        environment = {**os.environ, "PYTHONPATH": str(_FOLDER)}
        argv = ["unshare", "--net", "sh", "-c", script]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "77 None\n")

    def test_exit_code_and_output_are_kept(self) -> None:
        process = self.shell("echo out; echo err >&2; exit 3")
        self.assertTrue(process.wait(_DEADLINE_SECONDS))
        self.assertEqual((process.exit_code, process.signal), (3, None))
        self.assertEqual(process.how_it_ended(), "ended with exit code 3")
        self.assertEqual((self.folder / "out").read_text(), "out\n")
        self.assertEqual(process.last_words(), "err")
        assert process.cpu_seconds is not None
        self.assertGreaterEqual(process.cpu_seconds, 0)

    @unittest.skipUnless(Path("/proc/self/autogroup").exists(), "needs a kernel with autogroups")
    def test_its_niceness_counts_against_processes_of_other_sessions(self) -> None:
        os.setpriority(os.PRIO_PROCESS, 0, niceness := os.getpriority(os.PRIO_PROCESS, 0) + 1)
        process = self.shell("cat /proc/self/autogroup")
        self.assertTrue(process.wait(_DEADLINE_SECONDS))
        self.assertRegex((self.folder / "out").read_text(), rf"nice {niceness}$")

    def test_a_process_that_ignores_sigterm_is_killed(self) -> None:
        process = self.shell("trap '' TERM; echo ready; while :; do sleep 1000; done")
        wait_until(process, lambda: contains(self.folder / "out", "ready"), "trap", 5)
        process.stop(grace=0.1)
        self.assertEqual((process.exit_code, process.signal), (None, "SIGKILL"))

    def test_children_of_a_process_end_with_it(self) -> None:
        process = self.shell("sleep 1000 & echo $!; wait")
        wait_until(process, lambda: contains(self.folder / "out", "\n"), "tell", 5)
        child = int((self.folder / "out").read_text())
        os.kill(process.pid, signal.SIGKILL)
        self.assertTrue(process.wait(_DEADLINE_SECONDS))
        self.assert_gone(child)

    def test_what_a_killed_script_had_started_ends_with_it(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(_FOLDER)}
        argv = [sys.executable, "-c", _OWNER, str(self.folder / "child")]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, env=environment) as owner:
            assert owner.stdout is not None
            child = int(owner.stdout.readline())
            self.assertIsNotNone(start_time(child))
            owner.kill()
        self.assert_gone(child)

    def test_an_end_before_readiness_is_told_with_the_last_words(self) -> None:
        process = self.shell("echo no such port >&2; exit 1")
        with self.assertRaisesRegex(HpccnetError, "it did not listen: it ended .* no such port"):
            wait_until(process, lambda: False, "listen", _DEADLINE_SECONDS)

    def test_a_program_that_does_not_exist_is_told_by_name(self) -> None:
        with self.assertRaisesRegex(HpccnetError, "cannot start it .*no-such-program"):
            self.start("/no-such-program")

    def test_the_next_run_removes_what_a_dead_one_left_and_nothing_else(self) -> None:
        dead, living = self.marked_process("dead-1"), self.marked_process("living-1")
        self.state_of("living-1", owner_started=start_time(os.getpid()) or 0)
        self.state_of("dead-1", owner_started=0)
        self.assertEqual(run_state.sweep(), ["dead-1"])
        dead.wait(_DEADLINE_SECONDS)
        self.assertIsNone(living.poll())
        self.assertEqual([each.run for each in run_state.all_runs()], ["living-1"])

    def test_a_run_of_another_process_namespace_is_not_judged(self) -> None:
        state = self.state_of("elsewhere", owner_started=0)
        content = {**state.content, "pidNamespace": "pid:[1]"}
        state.path.write_text(json.dumps(content))
        self.assertEqual(run_state.sweep(), [])

    def marked_process(self, run: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(["sleep", "1000"], env={**os.environ, RUN_VARIABLE: run})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def state_of(self, run: str, owner_started: int) -> RunState:
        state = RunState.create(run, str(self.folder), isolated=False)
        owner = {"pid": os.getpid(), "started": owner_started}
        state.path.write_text(json.dumps({**state.content, "owner": owner}))
        return state

    def assert_gone(self, process: int) -> None:
        deadline = time.monotonic() + _DEADLINE_SECONDS
        while start_time(process) is not None:
            self.assertLess(time.monotonic(), deadline, "it lives still")
            time.sleep(0.01)


class InterruptionTest(unittest.TestCase):
    def test_a_signal_ends_the_block(self) -> None:
        with self.assertRaisesRegex(Interrupted, "SIGTERM"), interruptible():
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(_DEADLINE_SECONDS)

    def test_a_signal_that_a_destructor_swallows_is_raised_again(self) -> None:
        class Swallows:
            def __del__(self) -> None:
                os.kill(os.getpid(), signal.SIGTERM)

        hook = mock.patch.object(sys, "unraisablehook", lambda _: None)
        with hook, self.assertRaises(Interrupted), interruptible():
            swallows: list[Swallows] = [Swallows()]
            swallows.clear()
            time.sleep(_DEADLINE_SECONDS)

    def test_a_signal_during_the_clean_up_disturbs_nothing(self) -> None:
        done = False
        with interruptible(), undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            done = True
        self.assertTrue(done)
