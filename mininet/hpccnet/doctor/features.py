"""Features of this kernel, found by trying them in namespaces of their own."""

import json
import subprocess
import sys
from pathlib import Path

from ..errors import HpccnetError
from ..machine.isolation import isolate

_PAIR = ("probe0", "probe1")
_QDISCS = {
    "htb": ["htb", "default", "1"],
    "netem": ["netem", "delay", "1ms"],
    "fq": ["fq"],
}


def kernel_features() -> dict[str, bool]:
    """Each feature and whether it is there; {} without the right to look, or without `ip`."""
    # In a process of its own, since namespaces cannot be left again.
    argv = [sys.executable, "-m", "hpccnet.doctor.features"]
    folder = Path(__file__).resolve().parents[2]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def congestion_controls() -> list[str]:
    """Congestion controls that TCP sockets may select; others may be in modules not loaded."""
    return Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()


def _probe() -> dict[str, bool]:
    first, second = _PAIR
    veth = _works(["ip", "link", "add", first, "type", "veth", "peer", "name", second])
    device = first if veth else "lo"
    found = {"namespaces": True, "veth": veth}
    for name, arguments in _QDISCS.items():
        found[name] = _works(["tc", "qdisc", "replace", "dev", device, "root", *arguments])
    return found


def _works(argv: list[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    try:
        isolate("doctor-features")
    except HpccnetError as error:
        sys.exit(str(error))
    print(json.dumps(_probe()))
