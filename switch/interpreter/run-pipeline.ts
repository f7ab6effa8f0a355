import { isValid } from '../executor/header-operations';
import { unreachable } from '../../common/assert';
import { computeHash } from './compute-hash';
import { evaluateBoolean } from './evaluate-expression';
import { executeAction } from './execute-action';
import { writeField } from './write-field';
import { meterCost } from '../runtime/meter';
import { END } from '../ir/nodes';
import type { ControlNode, TableSuccessor, Control, KeyPart, TableLayout } from '../ir/nodes';
import type { InstalledEntry } from '../tables/match-index';
import type { MatchTable } from '../tables/match-table';
import type { ActionCall } from '../control/table-control';
import type { InterpretedPacket } from './interpreted-packet';

/** Walks the graph of a control from its start to its end, or to an `exit`. */
export function runPipeline(control: Control, packet: InterpretedPacket): void {
  packet.exited = false;
  let node = control.nodes[control.start];
  while (node !== undefined && !packet.exited) {
    node = control.nodes[runNode(node, packet)];
  }
}

/** Position of the next node, or END. */
function runNode(node: ControlNode, packet: InterpretedPacket): number {
  switch (node.kind) {
    case 'conditional':
      return evaluateBoolean(node.condition, packet) ? node.whenTrue : node.whenFalse;
    case 'action-call':
      executeAction({ actionId: node.actionId, arguments: [] }, packet);
      return node.next;
    case 'table':
      return applyTable(node.table, node.next, packet);
    default:
      return unreachable(node);
  }
}

function applyTable(index: number, next: TableSuccessor, packet: InterpretedPacket): number {
  const layout = packet.program.tables[index];
  const table = packet.state.tableList[index];
  const key = packet.keys[index];
  if (layout === undefined || table === undefined || key === undefined) return END;
  readKey(layout.key, key, packet);
  const entry = table.lookup(key);
  if (entry !== undefined) noteHit(entry, layout, packet);
  const call = entry === undefined ? table.defaultAction : callOf(entry, table, index, packet);
  if (call !== undefined) executeAction(call, packet);
  return successor(next, entry !== undefined, call);
}

/** Counts and meters run on hits only, and before the action. */
function noteHit(entry: InstalledEntry, layout: TableLayout, packet: InterpretedPacket): void {
  if (layout.withIdleTimeout) entry.lastHit = packet.now;
  if (layout.withCounters) {
    entry.counter.packets += 1;
    entry.counter.bytes += packet.receivedLength;
  }
  if (layout.directMeter === undefined) return;
  const { meter, target } = layout.directMeter;
  const unit = packet.program.meters[meter]?.unit ?? 'packets';
  const colour = entry.meter?.execute(packet.now, meterCost(unit, packet.receivedLength)) ?? 0;
  writeField(target, BigInt(colour), packet);
}

function readKey(parts: readonly KeyPart[], key: bigint[], packet: InterpretedPacket): void {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined) continue;
    const value = keyValue(part, packet);
    key[i] = part.mask === undefined ? value : value & part.mask;
  }
}

/** A field of an invalid header reads as 0 here, unlike in an expression. */
function keyValue({ source, width }: KeyPart, packet: InterpretedPacket): bigint {
  if (source.kind === 'validity') return isValid(packet, source.header) ? 1n : 0n;
  const { field } = source;
  if (!isValid(packet, field.header)) return 0n;
  const value = packet.values[field.slot] ?? 0n;
  return field.signed ? BigInt.asUintN(width, value) : value;
}

/** Action call of a hit; undefined when the entry refers to an empty group. */
function callOf(
  entry: InstalledEntry,
  table: MatchTable,
  index: number,
  packet: InterpretedPacket,
): ActionCall | undefined {
  const { action } = entry;
  switch (action.kind) {
    case 'call':
      return action.call;
    case 'member':
      return table.profile?.memberCall(action.memberId);
    case 'group':
      return table.profile?.groupCall(action.groupId, selectorHash(index, packet));
    default:
      return unreachable(action);
  }
}

function selectorHash(table: number, packet: InterpretedPacket): bigint {
  const profile = packet.program.tables[table]?.actionProfile ?? -1;
  const inputs = packet.program.actionProfiles[profile]?.selector?.inputs;
  const unit = packet.state.selectorList[profile];
  return inputs === undefined || unit === undefined ? 0n : computeHash(unit, inputs, packet);
}

function successor(next: TableSuccessor, hit: boolean, call: ActionCall | undefined): number {
  if (next.kind === 'hit-or-miss') return hit ? next.hit : next.miss;
  if (call === undefined) return next.otherwise;
  return next.byAction.get(call.actionId) ?? next.otherwise;
}
