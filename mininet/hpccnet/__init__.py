"""HPCC++ under Mininet: switches, hosts and links that measure what they are meant to.

Names are imported when they are first used, so that what needs no Mininet works without it.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "Bmv2Switch": "net.switches",
    "EmbeddedSwitch": "net.switches",
    "HpccSwitch": "net.switches",
    "SWITCH_KINDS": "net.switches",
    "HpccHost": "net.hosts",
    "HpccIntf": "net.links",
    "HpccLink": "net.links",
    "HpccTopo": "net.topology",
    "HpccnetError": "errors",
    "Interrupted": "errors",
    "apply_document": "net.controller",
    "document_of": "net.controller",
    "load_document": "net.document",
    "network_of": "net.document",
    "network": "net.session",
    "exit_codes": "net.session",
    "isolate": "machine.isolation",
    "is_isolated": "machine.isolation",
    "ManagedProcess": "machine.process",
    "RunningProcess": "machine.process",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"hpccnet has no {name}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
