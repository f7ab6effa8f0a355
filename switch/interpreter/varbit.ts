import { resolveHeader } from './header-operations';
import type { Statement } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

/** Copies a varbit field with its width; nothing happens when a stack has no such element. */
export function assignVarbit(
  statement: Extract<Statement, { kind: 'assign-varbit' }>,
  packet: InterpretedPacket,
): void {
  const to = packet.header(resolveHeader(statement.target, packet));
  const from = packet.header(resolveHeader(statement.source, packet));
  if (to === undefined || from === undefined) return;
  const before = packet.headerLength(to);
  const value = packet.values[from.firstSlot + statement.sourceOffset] ?? 0n;
  packet.values[to.firstSlot + statement.targetOffset] = value;
  packet.varbitWidths[to.index] = packet.varbitWidths[from.index] ?? 0;
  if (packet.isValid(to.index)) packet.packetLength += packet.headerLength(to) - before;
}
