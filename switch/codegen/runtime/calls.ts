import { unreachable } from '../../../common/assert';
import { GREEN, meterCost } from '../../runtime/meter';
import type { Bytes } from '../../../common/units/units';
import type { InstalledEntry } from '../../tables/match-index';
import type { MatchTable } from '../../tables/match-table';
import type { ActionCall, ActionSignature } from '../../control/table-control';
import type { GeneratedPacket } from './generated-packet';

/** The call of an entry in a table without an action profile. */
export function directCall({ action }: InstalledEntry): ActionCall | undefined {
  return action.kind === 'call' ? action.call : undefined;
}

/** The call of an entry that points at a member or group; none when the group is empty. */
export function profileCall(
  table: MatchTable,
  { action }: InstalledEntry,
  select: (packet: GeneratedPacket) => number | bigint,
  packet: GeneratedPacket,
): ActionCall | undefined {
  switch (action.kind) {
    case 'call':
      return action.call;
    case 'member':
      return table.profile?.memberCall(action.memberId);
    case 'group':
      return table.profile?.groupCall(action.groupId, select(packet));
    default:
      return unreachable(action);
  }
}

/** As {@link profileCall}. PERF: a group of one member needs no hash. */
export function quickProfileCall(
  table: MatchTable,
  entry: InstalledEntry,
  select: (packet: GeneratedPacket) => number | bigint,
  packet: GeneratedPacket,
): ActionCall | undefined {
  const { action } = entry;
  const only = action.kind === 'group' ? table.profile?.onlyCall(action.groupId) : undefined;
  return only ?? profileCall(table, entry, select, packet);
}

/** The selector of profiles that have none. */
export function noHash(): number {
  return 0;
}

/** The colour of the direct meter of an entry; green where it is not configured. */
export function meterHit(
  { meter }: InstalledEntry,
  { now, receivedLength }: GeneratedPacket,
  unit: 'packets' | 'bytes',
): number {
  return meter?.execute(now, meterCost(unit, receivedLength)) ?? GREEN;
}

export function countHit({ counter }: InstalledEntry, bytes: Bytes): void {
  counter.packets += 1;
  counter.bytes += bytes;
}

/** Runtime data of a call in the representations of generated code. */
export interface PreparedCall {
  /** Two numbers per parameter: its value and 0, or the words of a pair. */
  readonly numbers: Float64Array;
  /** One bigint per parameter. */
  readonly bigints: readonly bigint[];
}

/** What tells the widths of parameters. */
interface Actions {
  action(id: number): ActionSignature | undefined;
}

const NUMBER_WIDTH = 52;
const NO_CALL: ActionCall = { actionId: -1, arguments: [] };

/**
 * Converts the runtime data of a call when it is first used; calls never change.
 * PERF: flows come in bursts, so the last call is tried before the map.
 */
export class PreparedCalls {
  readonly #actions: Actions;
  readonly #prepared = new WeakMap<ActionCall, PreparedCall>();
  #lastCall: ActionCall = NO_CALL;
  #last: PreparedCall = { numbers: new Float64Array(0), bigints: [] };

  constructor(actions: Actions) {
    this.#actions = actions;
  }

  of(call: ActionCall): PreparedCall {
    if (call === this.#lastCall) return this.#last;
    const prepared = this.#prepared.get(call) ?? this.#prepare(call);
    this.#lastCall = call;
    this.#last = prepared;
    return prepared;
  }

  #prepare(call: ActionCall): PreparedCall {
    const parameters = this.#actions.action(call.actionId)?.parameters ?? [];
    const numbers = new Float64Array(2 * parameters.length);
    const bigints = parameters.map(({ width }, i) => {
      const value = BigInt.asUintN(width, call.arguments[i] ?? 0n);
      const isPair = width > NUMBER_WIDTH && width <= 64;
      numbers[2 * i] = Number(isPair ? value >> 32n : value);
      numbers[2 * i + 1] = isPair ? Number(value & 0xffffffffn) : 0;
      return value;
    });
    const prepared = { numbers, bigints };
    this.#prepared.set(call, prepared);
    return prepared;
  }
}
