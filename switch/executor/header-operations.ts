import type { Program } from '../ir/nodes';
import type { Bytes } from '../../common/units/units';

/** Index of no element, for positions outside a stack. */
const NONE = -1;

/** Layout of a header, as operations on it need it. */
export interface HeaderFacts {
  readonly index: number;
  readonly typeName: string;
  readonly metadata: boolean;
  /** Length without the varbit field. */
  readonly byteLength: Bytes;
  /** Union that the header is a member of. */
  readonly union: number | undefined;
}

/** Headers that belong together, by index. */
export interface HeaderGroups {
  /** Headers of each stack. */
  readonly stacks: readonly (readonly number[])[];
  /** Members of each header union. */
  readonly unions: readonly (readonly number[])[];
  /** Unions of each stack of unions. */
  readonly unionStacks: readonly (readonly number[])[];
}

export function headerGroups({ stacks, unions, unionStacks }: Program): HeaderGroups {
  return {
    stacks: stacks.map(({ headers }) => headers),
    unions: unions.map(({ headers }) => headers),
    unionStacks: unionStacks.map((stack) => stack.unions),
  };
}

/**
 * A packet as operations on whole headers see it. How values are kept is the executor's affair; the
 * operations below say what they mean, as on bmv2, for all executors.
 */
export interface HeaderPacket<Header extends HeaderFacts = HeaderFacts> {
  readonly shape: HeaderGroups & { readonly headers: readonly Header[] };
  /** 1 for valid headers, by header index. */
  readonly valid: Uint8Array;
  /** Number of elements of each stack that were extracted or pushed; stacks of unions come last. */
  readonly counts: Int32Array;
  /** Present widths of varbit fields, in bits, by header index. */
  readonly widths: Int32Array;
  packetLength: Bytes;
  /** The values of one header are those of another of its type. */
  equalFields(left: Header, right: Header): boolean;
  copyFields(target: Header, source: Header): void;
  copyVarbit(target: Header, source: Header): void;
  /** Sets all fields to 0. */
  clearFields(header: Header): void;
}

export function isValid({ valid }: { readonly valid: Uint8Array }, header: number): boolean {
  return valid[header] === 1;
}

/** Equal means: both valid, of one type, and all fields equal. */
export function headersEqual<Header extends HeaderFacts>(
  packet: HeaderPacket<Header>,
  left: number,
  right: number,
): boolean {
  const a = packet.shape.headers[left];
  const b = packet.shape.headers[right];
  if (a === undefined || b === undefined || a.typeName !== b.typeName) return false;
  if (!isValid(packet, left) || !isValid(packet, right)) return false;
  return packet.widths[left] === packet.widths[right] && packet.equalFields(a, b);
}

/** Makes a header valid; of a union's members only the last one stays so. */
export function validate(packet: HeaderPacket, header: number): void {
  const union = packet.shape.headers[header]?.union;
  if (union !== undefined) invalidateUnion(packet, union);
  packet.valid[header] = 1;
}

function invalidateUnion(packet: HeaderPacket, union: number): void {
  for (const member of membersOf(packet, union)) packet.valid[member] = 0;
}

/** Length of a header on the wire, with the present width of its varbit field. */
export function headerLength(
  { widths }: { readonly widths: Int32Array },
  { index, byteLength }: HeaderFacts,
): Bytes {
  return byteLength + (widths[index] ?? 0) / 8;
}

/** Copies a varbit field with its width; nothing happens when a stack has no such element. */
export function assignVarbit<Header extends HeaderFacts>(
  packet: HeaderPacket<Header>,
  target: number,
  source: number,
): void {
  const to = packet.shape.headers[target];
  const from = packet.shape.headers[source];
  if (to === undefined || from === undefined) return;
  const before = headerLength(packet, to);
  packet.copyVarbit(to, from);
  packet.widths[target] = packet.widths[source] ?? 0;
  if (to.metadata || !isValid(packet, target)) return;
  packet.packetLength += headerLength(packet, to) - before;
}

/** Makes a header valid with all fields 0. A valid header stays as it is. */
export function addHeader<Header extends HeaderFacts>(
  packet: HeaderPacket<Header>,
  header: number,
): void {
  const layout = packet.shape.headers[header];
  if (layout === undefined || isValid(packet, header)) return;
  packet.clearFields(layout);
  packet.widths[header] = 0;
  validate(packet, header);
  packet.packetLength += layout.byteLength;
}

/** Makes a header invalid; its values stay stored. Metadata cannot be removed. */
export function removeHeader(packet: HeaderPacket, header: number): void {
  const layout = packet.shape.headers[header];
  if (layout === undefined || layout.metadata || !isValid(packet, header)) return;
  packet.valid[header] = 0;
  packet.packetLength -= headerLength(packet, layout);
}

/** Copies values and validity; as on bmv2, the packet's length stays. */
export function assignHeader<Header extends HeaderFacts>(
  packet: HeaderPacket<Header>,
  target: number,
  source: number,
): void {
  const to = packet.shape.headers[target];
  const from = packet.shape.headers[source];
  if (to === undefined) return;
  if (from === undefined || !isValid(packet, source)) {
    if (!to.metadata) packet.valid[target] = 0;
    return;
  }
  packet.copyFields(to, from);
  packet.widths[target] = packet.widths[source] ?? 0;
  validate(packet, target);
}

/** Header of a stack by position; negative outside the stack. */
export function stackElement({ shape }: HeaderPacket, stack: number, index: number): number {
  return shape.stacks[stack]?.[index] ?? NONE;
}

/** Copies all elements and the count of a stack. */
export function assignStack(packet: HeaderPacket, target: number, source: number): void {
  const size = packet.shape.stacks[target]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignHeader(packet, stackElement(packet, target, i), stackElement(packet, source, i));
  }
  packet.counts[target] = packet.counts[source] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushStack(packet: HeaderPacket, stack: number, count: number): void {
  const size = packet.shape.stacks[stack]?.length ?? 0;
  for (let i = size - 1; i >= 0; i--) {
    assignHeader(packet, stackElement(packet, stack, i), stackElement(packet, stack, i - count));
  }
  packet.counts[stack] = Math.min((packet.counts[stack] ?? 0) + count, size);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popStack(packet: HeaderPacket, stack: number, count: number): void {
  const size = packet.shape.stacks[stack]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignHeader(packet, stackElement(packet, stack, i), stackElement(packet, stack, i + count));
  }
  packet.counts[stack] = Math.max((packet.counts[stack] ?? 0) - count, 0);
}

function membersOf({ shape }: HeaderPacket, union: number): readonly number[] {
  return shape.unions[union] ?? [];
}

/** Union of a stack by position; negative outside the stack. */
export function unionElement({ shape }: HeaderPacket, stack: number, index: number): number {
  return shape.unionStacks[stack]?.[index] ?? NONE;
}

/** Header of a union by position; negative for a union that does not exist. */
export function unionMember({ shape }: HeaderPacket, union: number, member: number): number {
  return shape.unions[union]?.[member] ?? NONE;
}

export function isUnionValid(packet: HeaderPacket, union: number): boolean {
  return membersOf(packet, union).some((header) => isValid(packet, header));
}

/** Equal means: the same member is valid in both, and equal. */
export function unionsEqual(packet: HeaderPacket, left: number, right: number): boolean {
  return membersOf(packet, left).some((header, i) =>
    headersEqual(packet, header, unionMember(packet, right, i)),
  );
}

/** Copies the valid member; an invalid or absent source leaves the target invalid. */
export function assignUnion(packet: HeaderPacket, target: number, source: number): void {
  if (target === source) return;
  const chosen = membersOf(packet, source).findIndex((header) => isValid(packet, header));
  invalidateUnion(packet, target);
  const to = unionMember(packet, target, chosen);
  if (to >= 0) assignHeader(packet, to, unionMember(packet, source, chosen));
}

/** Copies all elements and the count of a stack. */
export function assignUnionStack(packet: HeaderPacket, target: number, source: number): void {
  const size = packet.shape.unionStacks[target]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignUnion(packet, unionElement(packet, target, i), unionElement(packet, source, i));
  }
  packet.counts[unionCountAt(packet, target)] = packet.counts[unionCountAt(packet, source)] ?? 0;
}

/** Moves all elements back by `count` and leaves the first ones invalid. */
export function pushUnions(packet: HeaderPacket, stack: number, count: number): void {
  const size = packet.shape.unionStacks[stack]?.length ?? 0;
  for (let i = size - 1; i >= 0; i--) {
    assignUnion(packet, unionElement(packet, stack, i), unionElement(packet, stack, i - count));
  }
  const at = unionCountAt(packet, stack);
  packet.counts[at] = Math.min((packet.counts[at] ?? 0) + count, size);
}

/** Moves all elements forward by `count` and leaves the last ones invalid. */
export function popUnions(packet: HeaderPacket, stack: number, count: number): void {
  const size = packet.shape.unionStacks[stack]?.length ?? 0;
  for (let i = 0; i < size; i++) {
    assignUnion(packet, unionElement(packet, stack, i), unionElement(packet, stack, i + count));
  }
  const at = unionCountAt(packet, stack);
  packet.counts[at] = Math.max((packet.counts[at] ?? 0) - count, 0);
}

/** Index of the count of a stack of unions, behind those of the stacks of headers. */
export function unionCountAt(
  { shape }: { readonly shape: HeaderGroups },
  unionStack: number,
): number {
  return shape.stacks.length + unionStack;
}
