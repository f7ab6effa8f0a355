import { unreachable } from '../../common/assert';
import { evaluateData } from './evaluate-expression';
import { resolveUnion } from './union-operations';
import type { HeaderExpression } from '../ir/expressions';
import type { HeaderLayout } from '../ir/nodes';
import type { InterpretedPacket } from './interpreted-packet';

/** What an expression gives that denotes no element of its stack. */
const NO_HEADER = -1;

/** Index of the header that an expression denotes, or a negative number outside a stack. */
export function resolveHeader(node: HeaderExpression, packet: InterpretedPacket): number {
  switch (node.kind) {
    case 'header':
      return node.header;
    case 'stack-element': {
      const index = Number(evaluateData(node.index, packet));
      return packet.program.stacks[node.stack]?.headers[index] ?? NO_HEADER;
    }
    case 'stack-last': {
      const index = (packet.stackCounts[node.stack] ?? 0) - 1;
      return packet.program.stacks[node.stack]?.headers[index] ?? NO_HEADER;
    }
    case 'union-member': {
      const union = packet.program.unions[resolveUnion(node.union, packet)];
      return union?.headers[node.member] ?? NO_HEADER;
    }
    default:
      return unreachable(node);
  }
}

/** Equal means: both valid, of one type, and all fields equal. */
export function headersEqual(left: number, right: number, packet: InterpretedPacket): boolean {
  const a = packet.header(left);
  const b = packet.header(right);
  if (a === undefined || b === undefined || a.typeName !== b.typeName) return false;
  if (!packet.isValid(left) || !packet.isValid(right)) return false;
  if (packet.varbitWidths[left] !== packet.varbitWidths[right]) return false;
  return a.fields.every((field, i) => packet.values[field.slot] === packet.values[b.firstSlot + i]);
}

/** Makes a header valid with all fields 0. A valid header stays as it is. */
export function addHeader(header: number, packet: InterpretedPacket): void {
  const layout = packet.header(header);
  if (layout === undefined || packet.isValid(header)) return;
  packet.values.fill(0n, layout.firstSlot, layout.firstSlot + layout.fields.length);
  packet.varbitWidths[header] = 0;
  packet.validate(layout);
  packet.packetLength += layout.byteLength;
}

/** Makes a header invalid; its values stay stored. Metadata cannot be removed. */
export function removeHeader(header: number, packet: InterpretedPacket): void {
  const layout = packet.header(header);
  if (layout === undefined || layout.metadata || !packet.isValid(header)) return;
  packet.valid[header] = 0;
  packet.packetLength -= packet.headerLength(layout);
}

/** Copies values and validity; as on bmv2, the packet's length stays. */
export function assignHeader(target: number, source: number, packet: InterpretedPacket): void {
  const to = packet.header(target);
  const from = packet.header(source);
  if (to === undefined) return;
  if (from === undefined || !packet.isValid(source)) {
    if (!to.metadata) packet.valid[target] = 0;
    return;
  }
  copyValues(to, from, packet);
  packet.validate(to);
}

/** Copies all elements and the count of a stack. */
export function assignStack(target: number, source: number, packet: InterpretedPacket): void {
  const to = packet.program.stacks[target]?.headers ?? [];
  const from = packet.program.stacks[source]?.headers ?? [];
  to.forEach((header, i) => {
    assignHeader(header, from[i] ?? NO_HEADER, packet);
  });
  packet.stackCounts[target] = packet.stackCounts[source] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushStack(stack: number, count: number, packet: InterpretedPacket): void {
  const headers = packet.program.stacks[stack]?.headers ?? [];
  for (let i = headers.length - 1; i >= 0; i--) {
    assignHeader(headers[i] ?? NO_HEADER, headers[i - count] ?? NO_HEADER, packet);
  }
  const moved = (packet.stackCounts[stack] ?? 0) + count;
  packet.stackCounts[stack] = Math.min(moved, headers.length);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popStack(stack: number, count: number, packet: InterpretedPacket): void {
  const headers = packet.program.stacks[stack]?.headers ?? [];
  headers.forEach((header, i) => {
    assignHeader(header, headers[i + count] ?? NO_HEADER, packet);
  });
  packet.stackCounts[stack] = Math.max((packet.stackCounts[stack] ?? 0) - count, 0);
}

function copyValues(to: HeaderLayout, from: HeaderLayout, packet: InterpretedPacket): void {
  for (let i = 0; i < to.fields.length; i++) {
    packet.values[to.firstSlot + i] = packet.values[from.firstSlot + i] ?? 0n;
  }
  if (to.varbit !== undefined) packet.varbitWidths[to.index] = packet.varbitWidths[from.index] ?? 0;
}
