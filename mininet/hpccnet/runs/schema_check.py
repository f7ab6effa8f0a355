"""The part of JSON Schema that plan.schema.json uses, so that no package has to be installed."""

import re
from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


def faults(schema: dict[str, Any], value: Any, where: str = "") -> Iterator[str]:
    """Faults of `value`, as sentences that begin with the place."""
    place = where or "the document"
    kind = schema.get("type")
    if kind is not None and not _has_type(value, kind):
        yield f"{place}: wanted {kind}, found {_show(value)}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{place}: wanted {schema['const']!r}, found {_show(value)}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: wanted one of {schema['enum']}, found {_show(value)}"
    if "anyOf" in schema or "oneOf" in schema:
        yield from _choice_faults(schema.get("oneOf") or schema["anyOf"], value, where)
    if isinstance(value, str):
        yield from _string_faults(schema, value, place)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number_faults(schema, value, place)
    elif isinstance(value, list):
        yield from _array_faults(schema, value, where)
    elif isinstance(value, dict):
        yield from _object_faults(schema, value, where)


def _has_type(value: Any, kind: str) -> bool:
    # True is an int to Python, and no number to anybody else.
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, _TYPES[kind])


def _choice_faults(choices: list[dict[str, Any]], value: Any, where: str) -> Iterator[str]:
    found = [list(faults(choice, value, where)) for choice in choices]
    if all(found):
        # The choice with the fewest faults is most likely the one that was meant.
        yield from min(found, key=len)


def _string_faults(schema: dict[str, Any], value: str, place: str) -> Iterator[str]:
    pattern = schema.get("pattern")
    if pattern is not None and re.search(pattern, value) is None:
        yield f"{place}: wanted text like {pattern}, found {_show(value)}"
    if len(value) < schema.get("minLength", 0):
        yield f"{place}: wanted {schema['minLength']} characters at least, found {_show(value)}"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{place}: wanted {schema['maxLength']} characters at most, found {_show(value)}"


def _number_faults(schema: dict[str, Any], value: float, place: str) -> Iterator[str]:
    if value < schema.get("minimum", value):
        yield f"{place}: wanted {schema['minimum']} at least, found {value}"
    if value > schema.get("maximum", value):
        yield f"{place}: wanted {schema['maximum']} at most, found {value}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"{place}: wanted more than {schema['exclusiveMinimum']}, found {value}"


def _array_faults(schema: dict[str, Any], value: list[Any], where: str) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"{where}: wanted {schema['minItems']} items at least, found {len(value)}"
    for index, item in enumerate(value):
        yield from faults(schema.get("items", {}), item, f"{where}[{index}]")


def _object_faults(schema: dict[str, Any], value: dict[str, Any], where: str) -> Iterator[str]:
    prefix = f"{where}." if where else ""
    known = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{prefix}{name}: is missing"
    extra = schema.get("additionalProperties", {})
    for name, item in value.items():
        if name in known:
            yield from faults(known[name], item, f"{prefix}{name}")
        elif extra is False:
            yield f"{prefix}{name}: is not known"
        else:
            yield from faults(extra, item, f"{prefix}{name}")


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
