"""Checks of this machine: missing features and programs, and the packages that install them."""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..launcher import COMMAND_VARIABLE
from ..runs.sampling import IdleMeter
from .features import congestion_controls, kernel_features

#: How long each kind of switch is measured, in seconds.
MEASURED_SECONDS = 2.0

_IDLE_SECONDS = 0.5
_EVERYTHING = "everything"


@dataclass(frozen=True)
class Check:
    """One thing that is there or not."""

    name: str
    ok: bool
    #: What was found, such as a version.
    found: str
    wanted: str
    neededFor: str
    #: Of Debian; empty when no package helps.
    packages: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Tool:
    name: str
    version: Sequence[str]
    wanted: str
    needed_for: str
    packages: Sequence[str]


_TOOLS = (
    _Tool("ip", ["ip", "-V"], "iproute2", _EVERYTHING, ["iproute2"]),
    _Tool("tc", ["tc", "-V"], "iproute2", "links that fail, delays", ["iproute2"]),
    _Tool("ethtool", ["ethtool", "--version"], "ethtool", _EVERYTHING, ["ethtool"]),
    _Tool("nsenter", ["nsenter", "--version"], "util-linux", "hpccnet enter", ["util-linux"]),
    _Tool("node", ["node", "--version"], "Node.js >= 20", _EVERYTHING, []),
    _Tool("tcpdump", ["tcpdump", "--version"], "tcpdump", "captures", ["tcpdump"]),
    _Tool("iperf3", ["iperf3", "--version"], "iperf3", "TCP flows", ["iperf3"]),
    _Tool("ping", ["ping", "-V"], "ping", "looking around by hand", ["iputils-ping"]),
    _Tool("tshark", ["tshark", "--version"], "tshark", "reading captures", ["tshark"]),
)


def examine(bmv2: str, capacity: bool) -> dict[str, Any]:
    """All that the doctor knows, as one document."""
    checks = [_root(), _mininet(), _yaml(), *map(_tool, _TOOLS), _bmv2(bmv2), *_kernel()]
    by_name = {each.name: each.ok for each in checks}
    able = all(by_name[name] for name in ("root", "Mininet", "ip", "ethtool", "node", "veth"))
    kinds = ["embedded", *(["bmv2"] if by_name["bmv2"] else [])]
    measured: list[dict[str, Any]] = []
    if capacity and able:
        measured = [found for kind in kinds for found in _capacity(kind)]
    return {
        "checks": [asdict(each) for each in checks],
        "install": _install_line(checks),
        "cores": os.cpu_count(),
        "idle": _idle(),
        "capacity": measured,
    }


def main(arguments: Sequence[str]) -> int:
    """The command; 1 when something is missing that everything needs."""
    parser = argparse.ArgumentParser(prog="hpccnet_doctor.py", description=__doc__)
    add_options(parser)
    return doctor(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of the doctor, alone or as a command of hpccnet."""
    parser.add_argument("--hpcc", metavar="JSON", help="argument list that runs hpcc")
    bmv2 = os.environ.get("HPCC_BMV2", "simple_switch_grpc")
    parser.add_argument("--bmv2", metavar="PATH", default=bmv2, help="of bmv2")
    parser.add_argument("--no-capacity", action="store_true", help="do not measure")
    parser.add_argument("--text", action="store_true", help="print text instead of JSON")


def doctor(options: argparse.Namespace) -> int:
    """Examine the machine and print what was found."""
    if options.hpcc is not None:
        os.environ[COMMAND_VARIABLE] = shlex.join(json.loads(options.hpcc))
    # Not from switches.py, which needs Mininet.
    os.environ["HPCC_BMV2"] = options.bmv2
    found = examine(options.bmv2, not options.no_capacity)
    print(_text(found) if options.text else json.dumps(found, indent=1))
    needed = [each for each in found["checks"] if each["neededFor"] == _EVERYTHING]
    return 0 if all(each["ok"] for each in needed) else 1


def _root() -> Check:
    ok = os.geteuid() == 0
    return Check("root", ok, "root" if ok else f"user {os.geteuid()}", "root", _EVERYTHING)


def _mininet() -> Check:
    script = "from mininet.net import VERSION; print(VERSION)"
    found = _output([sys.executable, "-c", script])
    wanted = "Mininet 2.3 for Python 3"
    return Check("Mininet", found != "", found or "none", wanted, _EVERYTHING, ["mininet"])


def _yaml() -> Check:
    found = _output([sys.executable, "-c", "import yaml; print(yaml.__version__)"])
    packages = ["python3-yaml"]
    return Check("PyYAML", found != "", found or "none", "PyYAML", "own topologies", packages)


def _tool(tool: _Tool) -> Check:
    found = _output(list(tool.version))
    packages = list(tool.packages)
    return Check(tool.name, found != "", found or "none", tool.wanted, tool.needed_for, packages)


def _bmv2(path: str) -> Check:
    found = _output([path, "--version"]) if shutil.which(path) else ""
    wanted = "simple_switch_grpc >= 1.15 (https://github.com/p4lang/behavioral-model)"
    return Check("bmv2", found != "", found or "none", wanted, "--switch bmv2")


def _kernel() -> list[Check]:
    found = kernel_features()
    controls = congestion_controls()

    def check(name: str, feature: str, wanted: str, needed_for: str) -> Check:
        ok = found.get(feature, False)
        return Check(name, ok, "works" if ok else "none", wanted, needed_for)

    return [
        check("network namespaces", "namespaces", "CONFIG_NET_NS, CONFIG_PID_NS", _EVERYTHING),
        check("veth", "veth", "CONFIG_VETH", _EVERYTHING),
        check("htb", "htb", "CONFIG_NET_SCH_HTB", "TCP senders that are paced by the kernel"),
        check("netem", "netem", "CONFIG_NET_SCH_NETEM", "links with a delay"),
        check("fq", "fq", "CONFIG_NET_SCH_FQ", "TCP pacing outside the TCP stack"),
        Check("tcp_bbr", "bbr" in controls, " ".join(controls), "CONFIG_TCP_CONG_BBR", "BBR flows"),
    ]


def _capacity(kind: str) -> list[dict[str, Any]]:
    folder = Path(__file__).resolve().parents[2]
    argv = [sys.executable, "-m", "hpccnet.doctor.capacity", kind, str(MEASURED_SECONDS)]
    done = subprocess.run(
        argv, cwd=folder, stdout=subprocess.PIPE, stderr=sys.stderr, text=True, check=False
    )
    return [json.loads(done.stdout)] if done.returncode == 0 else []


def _idle() -> float:
    """Share of the cores' time that others leave, over a moment."""
    meter = IdleMeter()
    time.sleep(_IDLE_SECONDS)
    return round(meter.share(), 3)


def _install_line(checks: Sequence[Check]) -> str:
    """The command that brings all that is missing and that Debian has; empty when none is."""
    packages = sorted({name for each in checks if not each.ok for name in each.packages})
    return f"apt-get install {' '.join(packages)}" if packages else ""


def _output(argv: list[str]) -> str:
    """The first line that a command prints; empty when it fails, or may not be run by this user."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except (FileNotFoundError, PermissionError):
        return ""
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines and done.returncode == 0 else ""


def _text(found: dict[str, Any]) -> str:
    lines = []
    for each in found["checks"]:
        sign = "ok     " if each["ok"] else "MISSING"
        note = each["found"] if each["ok"] else f"wanted {each['wanted']}"
        lines.append(f"{sign} {each['name']}: {note} (for {each['neededFor']})")
    for each in found["capacity"]:
        rate, size, idle = each["packetsPerSecond"], each["frameBytes"], each["idle"]
        lines.append(
            f"{each['kind']}: {rate} packets/s of {size} bytes, {idle:.0%} of the cores idle"
        )
    if found["install"]:
        lines.append(found["install"])
    return "\n".join(lines)
