import { parseHex, refuse } from './checked';
import { resolveRealField } from './scope';
import type { JsonFieldList, JsonProgram } from './json-schema';
import type { FieldListElement, FieldListLayout, MeterArrayLayout, ValueSetLayout } from '../nodes';
import type { ParserState } from '../parser-nodes';
import type { Place } from './checked';
import type { Scope } from './scope';

/** Meters of P4-16 have two rates, and so do those of bmv2 for which nothing else is declared. */
export function lowerMeters(json: JsonProgram): MeterArrayLayout[] {
  return json.meter_arrays.map(({ name, size, type, is_direct }) => ({
    name,
    size: size ?? 0,
    unit: type,
    direct: is_direct,
  }));
}

/** A value set has the parts of the key that it is compared with. */
export function lowerValueSets(
  json: JsonProgram,
  states: readonly ParserState[],
): ValueSetLayout[] {
  return json.parse_vsets.map(({ name, compressed_bitwidth: width, max_size: size }, index) => {
    const user = states.find(({ transitions }) =>
      transitions.some((each) => each.kind === 'value-set' && each.valueSet === index),
    );
    const widths = user?.key.map((part) => part.width) ?? [width];
    return { name, size: size ?? Infinity, fieldWidths: widths };
  });
}

export function lowerFieldLists(
  scope: Scope,
  json: readonly JsonFieldList[],
  outer: Place,
): ReadonlyMap<number, FieldListLayout> {
  const lists = json.map(({ id, name, elements, source_info }, i): [number, FieldListLayout] => {
    const place = outer.child(i).in(source_info);
    const lowered = elements.map((element, k) =>
      lowerElement(scope, element, place.child('elements').child(k)),
    );
    return [id, { id, name, elements: lowered }];
  });
  return new Map(lists);
}

function lowerElement(
  scope: Scope,
  { type, value }: JsonFieldList['elements'][number],
  place: Place,
): FieldListElement {
  switch (type) {
    case 'field':
      return { kind: 'field', field: resolveRealField(scope, value, place) };
    case 'hexstr':
      return { kind: 'constant', value: parseHex(value, place) };
    default:
      return refuse(`a '${type}' in a field list`, place);
  }
}
