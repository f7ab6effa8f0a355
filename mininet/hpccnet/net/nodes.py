"""Common base of our hosts and switches: their processes die with the script."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mininet.node import Node

from ..launcher import hpcc
from ..machine import kernel
from ..machine.group_process import shared_group, stop_idle_groups
from ..machine.process import Command, ManagedProcess, RunningProcess, stop_all
from ..machine.run_state import current_run
from .host_routes import reroute
from .interfaces import ip_batch

#: The process that embedded switches, agents and senders share.
GROUP = "all-nodes"


class OwnedNode(Node):
    """A Mininet node whose shell, and whatever is started on it, ends with this script.

    Mix it in before Host or Switch.
    """

    def __init__(self, name: str, *args: Any, log_dir: str | None = None, **params: Any) -> None:
        #: Directory of the files that its processes write; the working directory unless given.
        self.log_dir = Path(log_dir or ".").resolve()
        self.processes: list[RunningProcess] = []
        #: Names of interfaces over which no way leads.
        self.unused: set[str] = set()
        super().__init__(name, *args, **params)

    def _popen(self, cmd: Sequence[str], **params: Any) -> Any:
        # Mininet's own way to start anything on a node, the shell included.
        state = current_run()
        params.setdefault("preexec_fn", kernel.child_setup())
        popen = super()._popen(cmd, **params)
        if state is not None:
            state.add_process(f"{self.name} {cmd[-1]}", popen.pid)
        return popen

    def launch(
        self, name: str, argv: Sequence[str], env: dict[str, str] | None = None
    ) -> ManagedProcess:
        """Start a process here that writes NAME.out and NAME.err in the log directory."""
        process = ManagedProcess(self._command(name, argv, env))
        self.processes.append(process)
        return process

    def launch_hpcc(self, name: str, words: Sequence[str], group: str | None) -> RunningProcess:
        """Run `hpcc` with these words here, in the process of that name with others, or alone."""
        if group is None:
            return self.launch(name, hpcc(*words))
        command = self._command(name, words)
        process = shared_group(group, self.log_dir).start(command)
        self.processes.append(process)
        return process

    def _command(
        self, name: str, argv: Sequence[str], env: dict[str, str] | None = None
    ) -> Command:
        self.log_dir.mkdir(parents=True, exist_ok=True)
        return Command(
            name=name,
            argv=argv,
            stdout=self.log_dir / f"{name}.out",
            stderr=self.log_dir / f"{name}.err",
            node_pid=self.node_pid(),
            env=env or {},
        )

    def node_pid(self) -> int | None:
        """Process whose namespaces have its interfaces; None where they are this process's."""
        return self.pid if self.inNamespace else None

    def set_interface(self, interface: str, up: bool) -> None:
        """Take an interface out of service or back, as when a cable is pulled."""
        self.change_interface(interface, up)
        (self.unused.discard if up else self.unused.add)(interface)
        reroute(self)

    def change_interface(self, interface: str, up: bool) -> None:
        """Do to the interface itself what that means on this kind of node."""
        ip_batch(self.node_pid(), [f"link set {interface} {'up' if up else 'down'}"])

    def terminate(self) -> None:
        # The last to be launched may depend on the others.
        stop_all(self.processes[::-1])
        stop_idle_groups()
        super().terminate()
