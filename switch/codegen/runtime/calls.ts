import { unreachable } from '../../../common/assert';
import { GREEN, meterCost } from '../../runtime/meter';
import type { Bytes } from '../../../common/units/units';
import type { InstalledEntry } from '../../tables/match-index';
import type { MatchTable } from '../../tables/match-table';
import type { ActionCall } from '../../control/table-control';
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
