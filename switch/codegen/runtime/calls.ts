import { unreachable } from '../../../common/assert';
import { GREEN, meterCost } from '../../runtime/meter';
import type { Bytes } from '../../../common/units/units';
import type { Choice } from '../../tables/action-profile';
import type { InstalledEntry } from '../../tables/match-index';
import type { MatchTable } from '../../tables/match-table';
import type { ActionCall, ActionSignature } from '../../control/table-control';
import type { GeneratedPacket } from './generated-packet';

/** The call of an entry in a table without an action profile. */
function directCall({ action }: InstalledEntry): ActionCall | undefined {
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

/** Calls that an entry which points at a member or group chooses from; undefined for one with a call of its own. */
function choiceOf({ profile }: MatchTable, entry: InstalledEntry): Choice | undefined {
  const { action, choice } = entry;
  if (profile === undefined || action.kind === 'call') return undefined;
  if (choice?.version === profile.version) return choice;
  return (entry.choice = profile.choiceOf(action));
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
  readonly actionId: number;
  /** Two numbers per parameter: its value and 0, or the words of a pair. */
  readonly numbers: Float64Array;
  /** One bigint per parameter. */
  readonly bigints: readonly bigint[];
  /** Owner of the actions for which it was prepared. */
  readonly owner: object;
}

/** Signatures of actions, for the widths of parameters. */
interface Actions {
  action(id: number): ActionSignature | undefined;
  /** One for all who know the same actions, such as the switches of a fabric. Default: oneself. */
  readonly actions?: object;
}

const NUMBER_WIDTH = 52;
const NO_CALL: ActionCall = { actionId: -1, arguments: [] };

/** Symbol under which a call keeps its data in that form, hidden from printing and comparison. */
const PREPARED = Symbol('prepared');
type PreparableCall = ActionCall & { [PREPARED]?: PreparedCall };

/**
 * Converts the runtime data of a call when it is first used; calls never change.
 * PERF: flows come in bursts, so the last call is tried first; a weak map would take longer than the call.
 */
export class PreparedCalls {
  readonly #actions: Actions;
  #lastCall: ActionCall = NO_CALL;
  readonly #owner: object;
  #last: PreparedCall;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#owner = actions.actions ?? actions;
    this.#last = { actionId: -1, numbers: new Float64Array(0), bigints: [], owner: this.#owner };
  }

  /**
   * The call of an entry in a table without an action profile. PERF: it is kept with the entry, since each object on
   * the way to it is one more place in memory that a fabric with many tables does not find in the caches.
   */
  ofEntry(entry: InstalledEntry): PreparedCall | undefined {
    const kept = entry.prepared as PreparedCall | undefined;
    return kept?.owner === this.#owner ? kept : this.#keep(entry);
  }

  #keep(entry: InstalledEntry): PreparedCall | undefined {
    const prepared = this.of(directCall(entry));
    entry.prepared = prepared;
    return prepared;
  }

  /**
   * The call of {@link profileCall} in that form. PERF: without maps, and a group of one member needs no hash. The same
   * call for all packets is kept with the entry, others with the choice that entries share.
   */
  ofChosen(
    table: MatchTable,
    entry: InstalledEntry,
    select: (packet: GeneratedPacket) => number | bigint,
    packet: GeneratedPacket,
  ): PreparedCall | undefined {
    const version = table.profile?.version ?? 0;
    const kept = entry.prepared as PreparedCall | undefined;
    if (kept?.owner === this.#owner && entry.preparedIn === version) return kept;
    const choice = choiceOf(table, entry);
    if (choice === undefined) return this.ofEntry(entry);
    const { calls } = choice;
    if (calls.length <= 1) {
      entry.preparedIn = version;
      return (entry.prepared = this.of(calls[0]));
    }
    const hash = select(packet);
    const place =
      typeof hash === 'number' ? hash % calls.length : Number(hash % BigInt(calls.length));
    const prepared = choice.prepared[place] as PreparedCall | undefined;
    if (prepared?.owner === this.#owner) return prepared;
    return (choice.prepared[place] = this.of(calls[place]));
  }

  /** A call in that form. */
  of(call: ActionCall): PreparedCall;
  of(call: ActionCall | undefined): PreparedCall | undefined;
  of(call: ActionCall | undefined): PreparedCall | undefined {
    if (call === undefined) return undefined;
    if (call === this.#lastCall) return this.#last;
    const known = (call as PreparableCall)[PREPARED];
    const prepared = known?.owner === this.#owner ? known : this.#prepare(call);
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
    const prepared = { actionId: call.actionId, numbers, bigints, owner: this.#owner };
    if (Object.isExtensible(call)) {
      Object.defineProperty(call, PREPARED, { value: prepared, configurable: true });
    }
    return prepared;
  }
}
