import { assert, unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { KeyOutline, ActionOutline, TableOutline } from '../../stf/run/outline';
import type { EntryIdentity, NamedCall } from '../../stf/run/requests';

/** Distance between neighbours in a TCAM, so that a later entry finds room between them. */
const GAP = 16;

interface Placed {
  readonly rank: number;
  readonly address: number;
}

/**
 * Addresses of entries in tables that match in a TCAM, where the larger address wins. The harness
 * moves no entry, so each takes a place between those before and behind it.
 */
export class TcamPlaces {
  readonly #tables = new Map<string, Placed[]>();

  constructor(private readonly sizes: ReadonlyMap<string, number>) {}

  /**
   * @returns a free address above all entries of smaller rank, and below all of larger rank.
   * @throws InputError when there is none.
   */
  take(entry: EntryIdentity): number {
    const size = this.sizes.get(entry.table) ?? 0;
    const rank = rankOf(entry);
    const placed = this.#tables.get(entry.table) ?? [];
    const above = Math.min(size, ...placed.filter((p) => p.rank >= rank).map((p) => p.address));
    const below = Math.max(-1, ...placed.filter((p) => p.rank < rank).map((p) => p.address));
    const address = placeBetween(below, above, size);
    if (address <= below || address >= above) {
      throw new InputError(`no place in the TCAM of '${entry.table}' for one more entry`);
    }
    this.#tables.set(entry.table, [...placed, { rank, address }]);
    return address;
  }
}

function placeBetween(below: number, above: number, size: number): number {
  const hasBelow = below >= 0;
  const hasAbove = above < size;
  if (hasBelow && !hasAbove && below + GAP < above) return below + GAP;
  if (hasAbove && !hasBelow && above - GAP > below) return above - GAP;
  return Math.floor((below + above) / 2);
}

/** Entries compete by priority, or by the lengths of their prefixes. */
function rankOf({ key, priority }: EntryIdentity): number {
  if (priority !== 0) return priority;
  return key.reduce((sum, field) => sum + (field.kind === 'lpm' ? field.prefixLength : 0), 0);
}

/** True if the entries of a table compete with each other. */
export const isInTcam = ({ key }: TableOutline): boolean =>
  key.some(({ matchKind }) => matchKind !== 'exact');

/**
 * The command that adds an entry.
 * @param address in a TCAM, undefined in a table without one.
 * @param call the action as {@link callText} has it.
 */
export function addText(
  table: TableOutline,
  { key }: EntryIdentity,
  address: number | undefined,
  call: string,
): string {
  const place = address === undefined ? [] : [String(address)];
  const fields = table.key.map((field, i) => keyText(field, key[i]));
  return ['add', table.name, ...place, ...fields, call].join(' ');
}

/**
 * An action with its arguments by name.
 * @param before what else stands in front of them.
 * @param after what else stands behind them.
 */
export function callText(
  actions: readonly ActionOutline[],
  call: NamedCall,
  before: readonly string[] = [],
  after: readonly string[] = [],
): string {
  const action = actions.find(({ name }) => name === call.action);
  assert(action !== undefined, `the table has the action '${call.action}'`);
  const values = action.parameters.map(({ name }, i) => `${name}:${hex(call.arguments[i] ?? 0n)}`);
  return `${action.name}(${[...before, ...values, ...after].join(', ')})`;
}

function keyText({ name, width }: KeyOutline, field: KeyField | undefined): string {
  assert(field !== undefined, 'an entry has every field of the key');
  switch (field.kind) {
    case 'exact':
      return `${name}:${hex(field.value)}`;
    case 'lpm': {
      const known = field.prefixLength;
      return `${name}:${bits(field.value, width, (bit) => width - bit <= known)}`;
    }
    case 'ternary':
      return `${name}:${bits(field.value, width, (bit) => ((field.mask >> BigInt(bit)) & 1n) === 1n)}`;
    case 'range':
      throw new InputError('the harness of the Tofino model takes ranges of one TCAM row only');
    default:
      return unreachable(field);
  }
}

/** Binary digits, with `*` where a bit does not count. */
function bits(value: bigint, width: number, counts: (bit: number) => boolean): string {
  const digits = Array.from({ length: width }, (_, i) => {
    const bit = width - 1 - i;
    return counts(bit) ? String((value >> BigInt(bit)) & 1n) : '*';
  });
  return `0b${digits.join('')}`;
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
