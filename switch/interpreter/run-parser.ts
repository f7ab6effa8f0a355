import {
  stackElement,
  unionCountAt,
  unionElement,
  unionMember,
  validate,
} from '../executor/header-operations';
import { STATE_LIMIT, faultCode } from '../ir/parser-nodes';
import { unreachable } from '../../common/assert';
import { readBits } from '../runtime/bit-fields';
import { readHeader, readVarbitHeader } from '../runtime/header-codec';
import { evaluateBoolean, evaluateData } from './evaluate-expression';
import { runStatements } from './execute-action';
import { writeField } from './write-field';
import type {
  ExtractTarget,
  ParserFault,
  ParserOperation,
  ParserState,
  Transition,
  TransitionKeyPart,
} from '../ir/parser-nodes';
import type { HeaderLayout } from '../ir/nodes';
import type { InterpretedPacket } from './interpreted-packet';

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
      return extract(operation, packet);
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

/** A header that does not fit keeps its fields and its validity; its stack does not grow. */
function extract(
  { target, bits }: Extract<ParserOperation, { kind: 'extract' }>,
  packet: InterpretedPacket,
): number {
  const index = targetHeader(target, packet);
  const header = packet.header(index);
  if (header === undefined) return errorCode('StackOutOfBounds', packet);
  const error =
    bits === undefined
      ? extractFixed(header, packet)
      : extractVarbit(header, evaluateData(bits, packet), packet);
  if (error !== NO_ERROR) return error;
  validate(packet, index);
  if (target.kind === 'next') countUp(packet.counts, target.stack);
  if (target.kind === 'next-member') {
    countUp(packet.counts, unionCountAt(packet, target.unionStack));
  }
  return NO_ERROR;
}

function extractFixed(header: HeaderLayout, packet: InterpretedPacket): number {
  if (packet.offset + header.byteLength > packet.bytes.length) {
    return errorCode('PacketTooShort', packet);
  }
  readHeader(header.fields, packet.bytes, packet.offset, packet.values);
  packet.offset += header.byteLength;
  return NO_ERROR;
}

/** The next free element; negative when there is none. */
function targetHeader(target: ExtractTarget, packet: InterpretedPacket): number {
  switch (target.kind) {
    case 'header':
      return target.header;
    case 'next':
      return stackElement(packet, target.stack, packet.counts[target.stack] ?? 0);
    case 'next-member': {
      const next = packet.counts[unionCountAt(packet, target.unionStack)] ?? 0;
      return unionMember(packet, unionElement(packet, target.unionStack, next), target.member);
    }
    default:
      return unreachable(target);
  }
}

function countUp(counts: Int32Array, stack: number): void {
  counts[stack] = (counts[stack] ?? 0) + 1;
}

/** The order of the checks is bmv2's: whole bytes, enough of them, no more than the type takes. */
function extractVarbit(header: HeaderLayout, bits: bigint, packet: InterpretedPacket): number {
  const field = header.fields[header.varbit ?? -1];
  if (field === undefined) return NO_ERROR;
  if (bits < 0n || bits % 8n !== 0n) return errorCode('ParserInvalidArgument', packet);
  const extra = Number(bits);
  const length = header.byteLength + extra / 8;
  if (packet.offset + length > packet.bytes.length) return errorCode('PacketTooShort', packet);
  if (extra > field.width) return errorCode('HeaderTooShort', packet);
  const where = { bytes: packet.bytes, offset: packet.offset, extra };
  readVarbitHeader(header.fields, where, packet.values);
  packet.widths[header.index] = extra;
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

function errorCode(fault: ParserFault, { program }: InterpretedPacket): number {
  return faultCode(fault, program.errors);
}
