"""HPCC++ under Mininet: switches, hosts and links that measure what they are meant to.

Names are imported when they are first used, so that what needs no Mininet works without it.
"""

from importlib import import_module
from typing import Any, List

_HOMES = {
    "Bmv2Switch": "switches",
    "EmbeddedSwitch": "switches",
    "HpccSwitch": "switches",
    "SWITCH_KINDS": "switches",
    "HpccHost": "hosts",
    "HpccIntf": "links",
    "HpccLink": "links",
    "HpccTopo": "topology",
    "HpccnetError": "errors",
    "Interrupted": "errors",
    "apply_document": "controller",
    "document_of": "controller",
    "load_document": "document",
    "network_of": "document",
    "network": "session",
    "exit_codes": "session",
    "isolate": "isolation",
    "is_isolated": "isolation",
    "ManagedProcess": "process",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"hpccnet has no {name}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> List[str]:
    return __all__
