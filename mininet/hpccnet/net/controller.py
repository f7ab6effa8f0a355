"""Bringing running switches to what a document says, with `hpcc controller`."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from ..errors import HpccnetError
from ..launcher import hpcc
from .document import Network
from .switches import HpccSwitch

#: How long an apply may take, in seconds.
APPLY_SECONDS = 60.0


def document_of(network: Network, switches: Sequence[HpccSwitch]) -> dict[str, Any]:
    """The document with the addresses at which the switches listen."""
    by_name = {each.name: each for each in switches}
    return {
        **network.text,
        "switches": [_with_addresses(each, by_name) for each in network.text["switches"]],
    }


def _with_addresses(each: dict[str, Any], running: dict[str, HpccSwitch]) -> dict[str, Any]:
    switch = running.get(each["name"])
    if switch is None:
        raise HpccnetError(f"the document has switch {each['name']}, which does not run here")
    return {**each, "address": switch.grpc_address, "thrift": switch.thrift_address}


def apply_document(network: Network, switches: Sequence[HpccSwitch], path: str | Path) -> str:
    """Write the document with addresses to `path`, apply it, and return what was done.

    :raises HpccnetError: with the controller's own words when it fails.
    """
    Path(path).write_text(yaml.safe_dump(document_of(network, switches), sort_keys=False))
    argv = hpcc("controller", "apply", str(path))
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, check=False, timeout=APPLY_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise HpccnetError(f"{' '.join(argv)} took more than {APPLY_SECONDS:g} s") from error
    if done.returncode != 0:
        raise HpccnetError(f"{' '.join(argv)}: {done.stderr.strip()}")
    return done.stdout
