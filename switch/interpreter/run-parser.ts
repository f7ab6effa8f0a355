import { unreachable } from '../../common/assert';
import { readBits } from '../runtime/bit-fields';
import { readHeader, readVarbitHeader } from '../runtime/header-codec';
import { evaluateBoolean, evaluateData } from './evaluate-expression';
import { runStatements } from './execute-action';
import { writeField } from './write-field';
import type {
  ExtractTarget,
  ParserOperation,
  ParserState,
  Transition,
  TransitionKeyPart,
} from '../ir/parser-nodes';
import type { InterpretedPacket } from './interpreted-packet';

/** Names of the errors that the parser itself raises, as core.p4 declares them. */
type ParserFault =
  | 'PacketTooShort'
  | 'StackOutOfBounds'
  | 'HeaderTooShort'
  | 'ParserInvalidArgument'
  | 'ParserTimeout';

/** No sensible packet passes so many states; a loop that consumes nothing would. */
const STATE_LIMIT = 10_000;

const NO_ERROR = -1;

/**
 * Runs the parser over the stored bytes. An error ends parsing with its code in the packet; what
 * was extracted so far stays, and the packet goes on to ingress.
 */
export function runParser(packet: InterpretedPacket): void {
  packet.parserError = packet.program.errors.get('NoError') ?? 0;
  const states = packet.program.parserStates;
  let current = states[packet.program.parserStart];
  for (let visits = 0; current !== undefined; visits++) {
    if (visits >= STATE_LIMIT) {
      packet.parserError = errorCode('ParserTimeout', packet);
      return;
    }
    const error = runOperations(current, packet);
    if (error !== NO_ERROR) {
      packet.parserError = error;
      return;
    }
    current = states[nextState(current, packet)];
  }
}

/** The code of the first error, or NO_ERROR. */
function runOperations(state: ParserState, packet: InterpretedPacket): number {
  for (const operation of state.operations) {
    const error = runOperation(operation, packet);
    if (error !== NO_ERROR) return error;
  }
  return NO_ERROR;
}

function runOperation(operation: ParserOperation, packet: InterpretedPacket): number {
  switch (operation.kind) {
    case 'extract':
      return extract(operation.header, packet);
    case 'extract-next':
      return extractInto({ kind: 'next', stack: operation.stack }, packet);
    case 'extract-next-member':
      return extractInto({ ...operation, kind: 'next-member' }, packet);
    case 'extract-varbit':
      return extractInto(operation.target, packet, evaluateData(operation.bits, packet));
    case 'set':
      writeField(operation.target, evaluateData(operation.value, packet), packet);
      return NO_ERROR;
    case 'set-lookahead':
      return setLookahead(operation, packet);
    case 'verify':
      if (evaluateBoolean(operation.condition, packet)) return NO_ERROR;
      return Number(evaluateData(operation.error, packet));
    case 'advance':
      return advance(evaluateData(operation.bits, packet), packet);
    case 'statement':
      runStatements([operation.statement], packet);
      return NO_ERROR;
    default:
      return unreachable(operation);
  }
}

/** A header that does not fit keeps its fields and its validity. */
function extract(index: number, packet: InterpretedPacket): number {
  const header = packet.header(index);
  if (header === undefined) return NO_ERROR;
  if (packet.offset + header.byteLength > packet.bytes.length) {
    return errorCode('PacketTooShort', packet);
  }
  readHeader(header.fields, packet.bytes, packet.offset, packet.values);
  packet.validate(header);
  packet.offset += header.byteLength;
  return NO_ERROR;
}

/** With `bits`, the header's varbit field gets as many. A stack grows when nothing went wrong. */
function extractInto(target: ExtractTarget, packet: InterpretedPacket, bits?: bigint): number {
  const header = targetHeader(target, packet);
  if (header === undefined) return errorCode('StackOutOfBounds', packet);
  const error = bits === undefined ? extract(header, packet) : extractVarbit(header, bits, packet);
  if (error !== NO_ERROR) return error;
  if (target.kind === 'next') countUp(packet.stackCounts, target.stack);
  if (target.kind === 'next-member') countUp(packet.unionStackCounts, target.unionStack);
  return NO_ERROR;
}

function targetHeader(target: ExtractTarget, packet: InterpretedPacket): number | undefined {
  switch (target.kind) {
    case 'header':
      return target.header;
    case 'next':
      return packet.program.stacks[target.stack]?.headers[packet.stackCounts[target.stack] ?? 0];
    case 'next-member': {
      const { unionStack, member } = target;
      const unions = packet.program.unionStacks[unionStack]?.unions ?? [];
      const union = unions[packet.unionStackCounts[unionStack] ?? 0] ?? -1;
      return packet.program.unions[union]?.headers[member];
    }
    default:
      return unreachable(target);
  }
}

function countUp(counts: number[], stack: number): void {
  counts[stack] = (counts[stack] ?? 0) + 1;
}

/** The order of the checks is bmv2's: whole bytes, enough of them, no more than the type takes. */
function extractVarbit(index: number, bits: bigint, packet: InterpretedPacket): number {
  const header = packet.header(index);
  const field = header?.fields[header.varbit ?? -1];
  if (header === undefined || field === undefined) return NO_ERROR;
  if (bits < 0n || bits % 8n !== 0n) return errorCode('ParserInvalidArgument', packet);
  const extra = Number(bits);
  const length = header.byteLength + extra / 8;
  if (packet.offset + length > packet.bytes.length) return errorCode('PacketTooShort', packet);
  if (extra > field.width) return errorCode('HeaderTooShort', packet);
  const where = { bytes: packet.bytes, offset: packet.offset, extra };
  readVarbitHeader(header.fields, where, packet.values);
  packet.varbitWidths[index] = extra;
  packet.validate(header);
  packet.offset += length;
  return NO_ERROR;
}

/** As on bmv2, the check counts the bytes of the value from here and ignores the offset. */
function setLookahead(
  operation: Extract<ParserOperation, { kind: 'set-lookahead' }>,
  packet: InterpretedPacket,
): number {
  const needed = (operation.width + 7) >> 3;
  if (packet.offset + needed > packet.bytes.length) return errorCode('PacketTooShort', packet);
  writeField(operation.target, lookAhead(operation, packet), packet);
  return NO_ERROR;
}

function lookAhead(
  { bitOffset, width }: { readonly bitOffset: number; readonly width: number },
  packet: InterpretedPacket,
): bigint {
  return readBits(packet.bytes, packet.offset * 8 + bitOffset, width);
}

function advance(bits: bigint, packet: InterpretedPacket): number {
  if (bits < 0n || bits % 8n !== 0n) return errorCode('ParserInvalidArgument', packet);
  const bytes = Number(bits / 8n);
  if (packet.offset + bytes > packet.bytes.length) return errorCode('PacketTooShort', packet);
  packet.offset += bytes;
  return NO_ERROR;
}

function nextState(state: ParserState, packet: InterpretedPacket): number {
  if (state.transitions.length === 0) return state.defaultNext;
  const parts = state.key.map((part) => keyPart(part, packet));
  const key = concatenate(state.key, parts);
  for (const transition of state.transitions) {
    if (isTaken(transition, { key, parts }, packet)) return transition.next;
  }
  return state.defaultNext;
}

/** A key as a whole and in its parts. */
interface TransitionKey {
  readonly key: bigint;
  readonly parts: readonly bigint[];
}

function isTaken(
  transition: Transition,
  { key, parts }: TransitionKey,
  packet: InterpretedPacket,
): boolean {
  if (transition.kind === 'value-set') {
    return packet.state.valueSetList[transition.valueSet]?.has(parts) ?? false;
  }
  const { value, mask } = transition;
  return (mask === undefined ? key : key & mask) === value;
}

function keyPart(part: TransitionKeyPart, packet: InterpretedPacket): bigint {
  if (part.kind === 'lookahead') return lookAhead(part, packet);
  return BigInt.asUintN(part.width, evaluateData(part.value, packet));
}

/** Puts the parts one behind the other, each padded on the left to whole bytes. */
function concatenate(parts: readonly TransitionKeyPart[], values: readonly bigint[]): bigint {
  let key = 0n;
  for (let i = 0; i < parts.length; i++) {
    const padded = ((parts[i]?.width ?? 0) + 7) & ~7;
    key = i === 0 ? (values[i] ?? 0n) : (key << BigInt(padded)) | (values[i] ?? 0n);
  }
  return key;
}

function errorCode(fault: ParserFault, packet: InterpretedPacket): number {
  return packet.program.errors.get(fault) ?? DEFAULT_CODES[fault];
}

/** Codes of p4c, for programs that leave out the table of errors. */
const DEFAULT_CODES: Record<ParserFault, number> = {
  PacketTooShort: 1,
  StackOutOfBounds: 3,
  HeaderTooShort: 4,
  ParserTimeout: 5,
  ParserInvalidArgument: 6,
};
