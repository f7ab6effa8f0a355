import type { Random } from '../../../common/random/random';
import { writeBits } from '../../../switch/runtime/bit-fields';
import type { FieldLayout, Program } from '../../../switch/ir/nodes';
import type { ParserState } from '../../../switch/ir/parser-nodes';

const PAYLOAD_MAX = 40;
const STATES_MAX = 12;
/** Bytes that entries and packets share, so that they meet. */
const COMMON_BYTES = [0x00, 0x01, 0x02, 0x0a, 0x40, 0xff];

/** A byte that comes up often, or any byte. */
export function randomByte(random: Random): number {
  const common = COMMON_BYTES[random.below(2 * COMMON_BYTES.length)];
  return common ?? random.below(256);
}

export function randomBytes(random: Random, length: number): number[] {
  return Array.from({ length }, () => randomByte(random));
}

/**
 * A packet that leads into the parser: it walks along random transitions and writes the values that
 * the parser selects on. One in four is damaged afterwards.
 */
export function randomPacket(program: Program, random: Random): Uint8Array {
  const bytes = [
    ...guidedHeaders(program, random),
    ...randomBytes(random, random.below(PAYLOAD_MAX)),
  ];
  const packet = Uint8Array.from(bytes);
  if (random.below(4) !== 0) return packet;
  const position = random.below(packet.length + 1);
  if (random.below(2) === 0) return packet.subarray(0, position);
  if (position < packet.length) packet[position] = randomByte(random);
  return packet;
}

function guidedHeaders(program: Program, random: Random): number[] {
  const bytes: number[] = [];
  const starts = new Map<number, number>();
  const counts = new Map<number, number>();
  let state = program.parserStates[program.parserStart];
  for (let i = 0; state !== undefined && i < STATES_MAX; i++) {
    for (const header of extractedHeaders(state, program, counts)) {
      starts.set(header, bytes.length);
      bytes.push(...randomBytes(random, program.headers[header]?.byteLength ?? 0));
    }
    state = program.parserStates[chooseTransition(state, { program, starts, bytes }, random)];
  }
  return bytes;
}

function extractedHeaders(
  state: ParserState,
  program: Program,
  counts: Map<number, number>,
): number[] {
  return state.operations.flatMap((operation) => {
    const target = operation.kind === 'extract' ? operation.target : undefined;
    if (target?.kind === 'header') return [target.header];
    if (target?.kind !== 'next') return [];
    const count = counts.get(target.stack) ?? 0;
    counts.set(target.stack, count + 1);
    return program.stacks[target.stack]?.headers[count] ?? [];
  });
}

interface Walk {
  readonly program: Program;
  readonly starts: ReadonlyMap<number, number>;
  readonly bytes: number[];
}

/** A random transition, whose value the packet gets where the key is a field of it. */
function chooseTransition(state: ParserState, walk: Walk, random: Random): number {
  const chosen = state.transitions[random.below(state.transitions.length + 1)];
  if (chosen?.kind !== 'value') return state.defaultNext;
  const widths = state.key.map(({ width }) => (state.key.length === 1 ? width : (width + 7) & ~7));
  let shift = BigInt(widths.reduce((sum, width) => sum + width, 0));
  state.key.forEach((part, i) => {
    shift -= BigInt(widths[i] ?? 0);
    if (part.kind !== 'data' || part.value.kind !== 'field') return;
    const { slot } = part.value;
    const field = walk.program.headers.flatMap(({ fields }) => fields).find((f) => f.slot === slot);
    if (field !== undefined) putField(field, chosen.value >> shift, walk);
  });
  return chosen.next;
}

function putField(field: FieldLayout, value: bigint, { starts, bytes }: Walk): void {
  const start = starts.get(field.header);
  if (start === undefined) return;
  const bitOffset = start * 8 + field.bitOffset;
  const cleared = Uint8Array.from(bytes);
  for (let bit = bitOffset; bit < bitOffset + field.width; bit++) {
    cleared[bit >> 3] = (cleared[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7));
  }
  writeBits(cleared, { bitOffset, width: field.width }, value);
  bytes.splice(0, bytes.length, ...cleared);
}
