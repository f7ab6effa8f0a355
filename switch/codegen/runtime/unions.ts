import { assignHeader, headersEqual, isValid } from './headers';
import type { GeneratedPacket } from './generated-packet';

/** What an index gives that denotes no element of its stack. */
const NO_UNION = -1;

/** Union of a stack by position; negative outside the stack. */
export function unionElement(packet: GeneratedPacket, stack: number, index: number): number {
  return packet.shape.unionStacks[stack]?.[index] ?? NO_UNION;
}

/** Header of a union by position; negative for a union that does not exist. */
export function unionMember(packet: GeneratedPacket, union: number, member: number): number {
  return packet.shape.unions[union]?.[member] ?? NO_UNION;
}

export function isUnionValid(packet: GeneratedPacket, union: number): boolean {
  return members(packet, union).some((header) => isValid(packet, header));
}

/** Equal means: the same member is valid in both, and equal. */
export function unionsEqual(packet: GeneratedPacket, left: number, right: number): boolean {
  const others = members(packet, right);
  return members(packet, left).some((header, i) =>
    headersEqual(packet, header, others[i] ?? NO_UNION),
  );
}

/** Copies the valid member; an invalid or absent source leaves the target invalid. */
export function assignUnion(packet: GeneratedPacket, target: number, source: number): void {
  const from = members(packet, source);
  const to = members(packet, target);
  const chosen = from.findIndex((header) => isValid(packet, header));
  if (target === source) return;
  for (const header of to) packet.valid[header] = 0;
  const header = to[chosen];
  if (header !== undefined) assignHeader(packet, header, from[chosen] ?? NO_UNION);
}

/** Copies all elements and the count of a stack. */
export function assignUnionStack(packet: GeneratedPacket, target: number, source: number): void {
  const size = packet.shape.unionStacks[target]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignUnion(packet, unionElement(packet, target, i), unionElement(packet, source, i));
  }
  packet.counts[place(packet, target)] = packet.counts[place(packet, source)] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushUnions(packet: GeneratedPacket, stack: number, count: number): void {
  const size = packet.shape.unionStacks[stack]?.length ?? 0;
  for (let i = size - 1; i >= 0; i--) {
    assignUnion(packet, unionElement(packet, stack, i), unionElement(packet, stack, i - count));
  }
  const moved = (packet.counts[place(packet, stack)] ?? 0) + count;
  packet.counts[place(packet, stack)] = Math.min(moved, size);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popUnions(packet: GeneratedPacket, stack: number, count: number): void {
  const size = packet.shape.unionStacks[stack]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignUnion(packet, unionElement(packet, stack, i), unionElement(packet, stack, i + count));
  }
  const moved = (packet.counts[place(packet, stack)] ?? 0) - count;
  packet.counts[place(packet, stack)] = Math.max(moved, 0);
}

/** Where the count of a stack of unions is: behind those of the stacks of headers. */
function place(packet: GeneratedPacket, unionStack: number): number {
  return packet.shape.stacks.length + unionStack;
}

function members(packet: GeneratedPacket, union: number): readonly number[] {
  return packet.shape.unions[union] ?? [];
}
