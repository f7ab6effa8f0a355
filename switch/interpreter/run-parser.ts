import { unreachable } from '../../common/assert';
import { readBits } from '../runtime/bit-fields';
import { readHeader } from '../runtime/header-codec';
import { evaluateBoolean, evaluateData } from './evaluate-expression';
import { executeStatement, writeField } from './execute-action';
import type { ParserOperation, ParserState, TransitionKeyPart } from '../ir/parser-nodes';
import type { InterpretedPacket } from './interpreted-packet';

/** Names of the errors that the parser itself raises, as core.p4 declares them. */
type ParserFault =
  'PacketTooShort' | 'StackOutOfBounds' | 'ParserInvalidArgument' | 'ParserTimeout';

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
      return extractNext(operation.stack, packet);
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
      return runStatement(operation.statement, packet);
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
  packet.valid[index] = 1;
  packet.offset += header.byteLength;
  return NO_ERROR;
}

function extractNext(stack: number, packet: InterpretedPacket): number {
  const count = packet.stackCounts[stack] ?? 0;
  const header = packet.program.stacks[stack]?.headers[count];
  if (header === undefined) return errorCode('StackOutOfBounds', packet);
  const error = extract(header, packet);
  if (error === NO_ERROR) packet.stackCounts[stack] = count + 1;
  return error;
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

function runStatement(
  statement: Extract<ParserOperation, { kind: 'statement' }>['statement'],
  packet: InterpretedPacket,
): number {
  // Loading refuses jumps in parser states.
  if (statement.kind !== 'jump' && statement.kind !== 'jump-if-false') {
    executeStatement(statement, packet);
  }
  return NO_ERROR;
}

function nextState(state: ParserState, packet: InterpretedPacket): number {
  if (state.transitions.length === 0) return state.defaultNext;
  const key = transitionKey(state.key, packet);
  for (const { value, mask, next } of state.transitions) {
    if ((mask === undefined ? key : key & mask) === value) return next;
  }
  return state.defaultNext;
}

/** Concatenates the parts of the key, each padded on the left to whole bytes. */
function transitionKey(parts: readonly TransitionKeyPart[], packet: InterpretedPacket): bigint {
  let key = 0n;
  for (const part of parts) {
    const value =
      part.kind === 'data'
        ? BigInt.asUintN(part.width, evaluateData(part.value, packet))
        : lookAhead(part, packet);
    const padded = (part.width + 7) & ~7;
    key = parts.length === 1 ? value : (key << BigInt(padded)) | value;
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
  ParserTimeout: 5,
  ParserInvalidArgument: 6,
};
