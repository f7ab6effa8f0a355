import { lookUp, parseHex, malformed, refuse } from './checked';
import { fieldTarget } from './lower-expression';
import { resolveField, resolveRealField } from './scope';
import type { JsonEntryKey, JsonMeterArray, JsonTable } from './json-schema';
import type {
  Action,
  ConstantCall,
  ConstantEntry,
  ConstantKey,
  KeyPart,
  TableLayout,
} from '../nodes';
import type { Place } from './checked';
import type { Scope } from './scope';
import type { MatchKind } from '../../../common/p4runtime/key-field';

/** Objects that the tables of a control refer to, besides fields. */
export interface TableContext {
  readonly scope: Scope;
  readonly actions: ReadonlyMap<number, Action>;
  /** Positions of the action profiles by name. */
  readonly profiles: ReadonlyMap<string, number>;
  readonly meters: readonly JsonMeterArray[];
}

export function lowerTable(
  context: TableContext,
  json: JsonTable,
  index: number,
  outer: Place,
): TableLayout {
  const place = outer.in(json.source_info);
  const key = lowerKey(context.scope, json.key, place.child('key'));
  const kind = matchKind(json.match_type, place);
  checkKinds(kind, key, place);
  const defaultEntry = json.default_entry;
  const call =
    defaultEntry &&
    lowerConstantCall(
      context.actions,
      { id: defaultEntry.action_id, data: defaultEntry.action_data },
      place.child('default_entry'),
    );
  return {
    name: json.name,
    source: place.source,
    index,
    matchKind: kind,
    key,
    size: json.max_size,
    actionIds: checkActions(context, json, place),
    withCounters: json.with_counters,
    directMeter: directMeterOf(context, json, place),
    withIdleTimeout: json.support_timeout,
    actionProfile: profileOf(context, json, place),
    defaultCall: call,
    defaultIsConstant:
      defaultEntry !== undefined && (defaultEntry.action_const || defaultEntry.action_entry_const),
    entries: json.entries && lowerEntries(context.actions, key, json.entries, place),
  };
}

function directMeterOf(
  context: TableContext,
  json: JsonTable,
  place: Place,
): TableLayout['directMeter'] {
  if (json.direct_meters === null || json.direct_meters === undefined) return undefined;
  const meter = lookUp(context.scope.meters, json.direct_meters, 'meter array', place);
  const target = context.meters[meter]?.result_target;
  if (target === null || target === undefined) {
    return malformed(`the direct meter '${json.direct_meters}' has no result`, place);
  }
  return { meter, target: fieldTarget(resolveRealField(context.scope, target, place)) };
}

function profileOf(context: TableContext, json: JsonTable, place: Place): number | undefined {
  switch (json.type) {
    case 'simple':
      return undefined;
    case 'indirect':
    case 'indirect_ws': {
      const name = json.action_profile ?? malformed('an indirect table needs a profile', place);
      return lookUp(context.profiles, name, 'action profile', place);
    }
    default:
      return refuse(`a table of type '${json.type}'`, place);
  }
}

function checkActions(context: TableContext, json: JsonTable, place: Place): readonly number[] {
  for (const id of json.action_ids) {
    if (!context.actions.has(id)) malformed(`no action has the id ${id}`, place);
  }
  return json.action_ids;
}

function lowerKey(scope: Scope, json: JsonTable['key'], place: Place): KeyPart[] {
  const parts: KeyPart[] = [];
  json.forEach((part, i) => {
    // Selector keys choose a member of a group; the lookup does not see them.
    if (part.match_type === 'selector') return;
    const at = place.child(i);
    const source = resolveField(scope, part.target, at.child('target'));
    const width = source.kind === 'field' ? source.field.width : 1;
    const name = typeof part.target === 'string' ? part.target : part.target.join('.');
    const hasMask = part.mask !== null && part.mask !== undefined;
    parts.push({
      name: part.name ?? name,
      matchKind: matchKind(part.match_type, at),
      width,
      source,
      mask: hasMask ? parseHex(part.mask, at.child('mask')) : undefined,
    });
  });
  return parts;
}

/** The table's kind decides the index behind it, so it has to cover what the key uses. */
function checkKinds(kind: MatchKind, key: readonly KeyPart[], place: Place): void {
  const used = key.map((part) => part.matchKind).filter((part) => part !== 'exact');
  if (kind === 'exact' && used.length > 0) {
    malformed(`an exact table has a key of kind '${used[0] ?? ''}'`, place);
  }
  if (kind === 'lpm' && (used.length !== 1 || used[0] !== 'lpm')) {
    malformed('an lpm table wants exactly one lpm key, and exact ones beside it', place);
  }
}

function matchKind(name: string, place: Place): MatchKind {
  switch (name) {
    case 'exact':
    case 'lpm':
    case 'ternary':
    case 'range':
    case 'optional':
      return name;
    default:
      return refuse(`match kind '${name}'`, place);
  }
}

/** Lowers the entries that the program declares for a table. */
function lowerEntries(
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
function lowerConstantCall(
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
