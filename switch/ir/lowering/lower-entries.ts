import { parseHex } from '../json/checked';
import { malformed, refuse } from '../json/place';
import type { JsonEntryKey, JsonTable } from '../json/json-schema';
import type { Action, ConstantCall, ConstantEntry, ConstantKey, KeyPart } from '../nodes';
import type { Place } from '../json/place';

/** Lowers the entries that the program declares for a table. */
export function lowerEntries(
  actions: ReadonlyMap<number, Action>,
  key: readonly KeyPart[],
  json: NonNullable<JsonTable['entries']>,
  table: Place,
): ConstantEntry[] {
  return json.map((entry, i) => {
    const place = table.child('entries').child(i).in(entry.source_info);
    if (entry.match_key.length !== key.length) {
      malformed(`wanted ${key.length} key fields, found ${entry.match_key.length}`, place);
    }
    const { action_id: id, action_data: data } = entry.action_entry;
    return {
      key: entry.match_key.map((part, k) => lowerEntryKey(part, key[k]?.width ?? 0, place)),
      rank: entry.priority,
      call: lowerConstantCall(actions, { id, data }, place),
    };
  });
}

/** An action call with constant arguments; their number and widths are checked. */
export function lowerConstantCall(
  actions: ReadonlyMap<number, Action>,
  json: { readonly id: number; readonly data: readonly string[] },
  place: Place,
): ConstantCall {
  const action = actions.get(json.id) ?? malformed(`no action has the id ${json.id}`, place);
  if (json.data.length !== action.parameters.length) {
    const wanted = action.parameters.length;
    malformed(`'${action.name}' wants ${wanted} values, found ${json.data.length}`, place);
  }
  const values = action.parameters.map(({ width }, i) =>
    BigInt.asUintN(width, parseHex(json.data[i], place)),
  );
  return { actionId: json.id, arguments: values };
}

function lowerEntryKey(json: JsonEntryKey, width: number, place: Place): ConstantKey {
  const number = (value: unknown): bigint => BigInt.asUintN(width, parseHex(value, place));
  switch (json.match_type) {
    case 'exact':
      return { kind: 'exact', value: number(json.key) };
    case 'lpm':
      return lpmKey(number(json.key), json.prefix_length ?? width, width);
    case 'ternary':
    case 'optional': {
      const mask = json.mask === undefined ? BigInt.asUintN(width, -1n) : number(json.mask);
      return { kind: 'ternary', value: number(json.key) & mask, mask };
    }
    case 'range':
      return { kind: 'range', low: number(json.start), high: number(json.end) };
    default:
      return refuse(`match kind '${json.match_type}'`, place);
  }
}

/** Clears the bits behind the prefix, so that equal prefixes are equal numbers. */
function lpmKey(value: bigint, prefixLength: number, width: number): ConstantKey {
  const free = BigInt(Math.max(0, width - prefixLength));
  return { kind: 'lpm', value: (value >> free) << free, prefixLength };
}
