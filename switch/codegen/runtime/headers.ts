import type { GeneratedPacket } from './generated-packet';
import type { HeaderExtent } from './state-shape';

/** What an index gives that denotes no element of its stack. */
const NO_HEADER = -1;

/** Header of a stack by position; negative outside the stack. */
export function stackElement(packet: GeneratedPacket, stack: number, index: number): number {
  return packet.shape.stacks[stack]?.[index] ?? NO_HEADER;
}

export function isValid(packet: GeneratedPacket, header: number): boolean {
  return packet.valid[header] === 1;
}

/** Equal means: both valid, of one type, and all fields equal. */
export function headersEqual(packet: GeneratedPacket, left: number, right: number): boolean {
  const a = packet.shape.headers[left];
  const b = packet.shape.headers[right];
  if (a === undefined || b === undefined || a.typeName !== b.typeName) return false;
  if (!isValid(packet, left) || !isValid(packet, right)) return false;
  const { words, numbers, bigints, widths } = packet;
  if (widths[left] !== widths[right]) return false;
  return (
    equalCells(words, { from: a.firstWord, end: a.endWord, other: b.firstWord }) &&
    equalCells(numbers, { from: a.firstNumber, end: a.endNumber, other: b.firstNumber }) &&
    equalCells(bigints, { from: a.firstBigint, end: a.endBigint, other: b.firstBigint })
  );
}

/** Makes a header valid; of a union's members only the last one stays so. */
export function validate(packet: GeneratedPacket, header: number): void {
  const union = packet.shape.headers[header]?.union;
  if (union !== undefined) {
    for (const member of packet.shape.unions[union] ?? []) packet.valid[member] = 0;
  }
  packet.valid[header] = 1;
}

/** Copies a varbit field with its width; nothing happens when a stack has no such element. */
export function assignVarbit(packet: GeneratedPacket, target: number, source: number): void {
  const to = packet.shape.headers[target];
  const from = packet.shape.headers[source];
  if (to?.varbitCell === undefined || from?.varbitCell === undefined) return;
  const before = headerLength(packet, to);
  packet.bigints[to.varbitCell] = packet.bigints[from.varbitCell] ?? 0n;
  packet.widths[target] = packet.widths[source] ?? 0;
  if (to.metadata || !isValid(packet, target)) return;
  packet.packetLength += headerLength(packet, to) - before;
}

/** Length of a header on the wire, with the present width of its varbit field. */
function headerLength(packet: GeneratedPacket, { index, byteLength }: HeaderExtent): number {
  return byteLength + (packet.widths[index] ?? 0) / 8;
}

/** Makes a header valid with all fields 0. A valid header stays as it is. */
export function addHeader(packet: GeneratedPacket, header: number): void {
  const extent = packet.shape.headers[header];
  if (extent === undefined || isValid(packet, header)) return;
  packet.words.fill(0, extent.firstWord, extent.endWord);
  packet.numbers.fill(0, extent.firstNumber, extent.endNumber);
  packet.bigints.fill(0n, extent.firstBigint, extent.endBigint);
  packet.widths[header] = 0;
  validate(packet, header);
  packet.packetLength += extent.byteLength;
}

/** Makes a header invalid; its values stay stored. Metadata cannot be removed. */
export function removeHeader(packet: GeneratedPacket, header: number): void {
  const extent = packet.shape.headers[header];
  if (extent === undefined || extent.metadata || !isValid(packet, header)) return;
  packet.valid[header] = 0;
  packet.packetLength -= headerLength(packet, extent);
}

/** Copies values and validity; the packet's length stays. */
export function assignHeader(packet: GeneratedPacket, target: number, source: number): void {
  const to = packet.shape.headers[target];
  const from = packet.shape.headers[source];
  if (to === undefined) return;
  if (from === undefined || !isValid(packet, source)) {
    if (!to.metadata) packet.valid[target] = 0;
    return;
  }
  copyCells(packet, to, from);
  if (to.varbitCell !== undefined) packet.widths[target] = packet.widths[source] ?? 0;
  validate(packet, target);
}

/** Copies all elements and the count of a stack. */
export function assignStack(packet: GeneratedPacket, target: number, source: number): void {
  const size = packet.shape.stacks[target]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignHeader(packet, stackElement(packet, target, i), stackElement(packet, source, i));
  }
  packet.counts[target] = packet.counts[source] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushStack(packet: GeneratedPacket, stack: number, count: number): void {
  const size = packet.shape.stacks[stack]?.length ?? 0;
  for (let i = size - 1; i >= 0; i--) {
    assignHeader(packet, stackElement(packet, stack, i), stackElement(packet, stack, i - count));
  }
  packet.counts[stack] = Math.min((packet.counts[stack] ?? 0) + count, size);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popStack(packet: GeneratedPacket, stack: number, count: number): void {
  const size = packet.shape.stacks[stack]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignHeader(packet, stackElement(packet, stack, i), stackElement(packet, stack, i + count));
  }
  packet.counts[stack] = Math.max((packet.counts[stack] ?? 0) - count, 0);
}

function equalCells(
  cells: ArrayLike<number | bigint>,
  { from, end, other }: { from: number; end: number; other: number },
): boolean {
  for (let i = 0; i < end - from; i++) if (cells[from + i] !== cells[other + i]) return false;
  return true;
}

function copyCells(packet: GeneratedPacket, to: HeaderExtent, from: HeaderExtent): void {
  const { words, numbers, bigints } = packet;
  words.copyWithin(to.firstWord, from.firstWord, from.endWord);
  numbers.copyWithin(to.firstNumber, from.firstNumber, from.endNumber);
  bigints.copyWithin(to.firstBigint, from.firstBigint, from.endBigint);
}
