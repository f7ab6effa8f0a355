import { Identifier, code, joined, operand } from '../text/code';
import { toBigint, wrapSigned, wrapUnsigned } from '../value/convert';
import { cellOf, readField, storeField } from './emit-fields';
import { bitsOf } from './emit-word-bits';
import { NUMBER_BITS, WORD_BITS } from '../layout/representation';
import { bigint, pair, scalar, unsigned } from '../value/value';
import type { FieldLayout, HeaderLayout } from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Element } from './emit-fields';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

const WORD_BYTES = 4;

/** Moves bits between the bytes of a packet and the cells of fields, as straight-line code. */

/** Bits of a byte array: the array, the byte where counting starts, and the range of bits. */
interface BitRange {
  readonly bytes: Code;
  readonly base: Code;
  readonly bitOffset: number;
  readonly width: number;
}

/** Start of a header, the element of a stack that it fills, and the width of a varbit field. */
interface ExtractionSource {
  readonly bytes: Code;
  readonly base: Code;
  readonly element?: Element | undefined;
  readonly width?: Code;
}

/** Stores fields of a header that begins at byte `base` of `bytes`. */
export function emitExtraction(
  fields: readonly FieldLayout[],
  { bytes, base, element, width: variableWidth }: ExtractionSource,
  scope: Scope,
): void {
  for (const field of fields) {
    const { bitOffset, width } = field;
    const raw =
      variableWidth === undefined
        ? loadBits({ bytes, base, bitOffset, width })
        : loadVarbit({ bytes, base, bitOffset, width }, variableWidth);
    const value = field.signed ? wrapSigned(raw, width, scope) : raw;
    storeField(scope.layout.place(field.slot), value, scope, element);
  }
}

/**
 * Fills the words of a packed header that begins at byte `base` of `input`.
 * PERF: a word by a view costs what one of its bytes costs.
 */
export function emitWords(
  { index, fields, byteLength }: HeaderLayout,
  { base, element }: Pick<ExtractionSource, 'base' | 'element'>,
  { layout, writer }: Scope,
): void {
  const place = layout.place(fields[0]?.slot ?? 0);
  for (let byte = 0; byte < byteLength; byte += WORD_BYTES) {
    const stored = Math.min(WORD_BYTES, byteLength - byte);
    const pieces: Code[] = [];
    for (let from = 0; from < stored;) {
      const bytes = largestAccess(stored - from);
      const here = byte + from === 0 ? base : code`${base} + ${byte + from}`;
      const value = code`input.${new Identifier(`getUint${bytes * 8}`)}(${here})`;
      from += bytes;
      pieces.push(from === WORD_BYTES ? value : code`${value} << ${WORD_BITS - 8 * from}`);
    }
    const cell =
      element?.index === undefined
        ? code`${layout.firstWord(index) + byte / WORD_BYTES}`
        : cellOf(place, byte / WORD_BYTES, element);
    writer.line(code`words[${cell}] = ${join(pieces)};`);
  }
}

/** Number of bytes, of so many, that a view reads or writes at once. */
const largestAccess = (left: number): number => (left >= 4 ? 4 : left >= 2 ? 2 : 1);

/** An unsigned value in bytes. Bytes that do not exist count as 0. */
export function loadBits(range: BitRange): Value {
  const { bytes, base, bitOffset, width } = range;
  if (width <= WORD_BITS) return loadWord(range);
  const low = loadWord({ ...range, bitOffset: bitOffset + width - WORD_BITS, width: WORD_BITS });
  if (width <= 2 * WORD_BITS) {
    const high = loadWord({ ...range, width: width - WORD_BITS });
    if (width > NUMBER_BITS) return pair(scalar(high), scalar(low), width);
    return unsigned(code`${operand(scalar(high))} * 4294967296 + ${operand(scalar(low))}`, width);
  }
  return bigint(code`readBits(${bytes}, ${operand(base)} * 8 + ${bitOffset}, ${width})`);
}

function loadVarbit({ bytes, base, bitOffset }: BitRange, width: Code): Value {
  return bigint(code`readBits(${bytes}, ${operand(base)} * 8 + ${bitOffset}, ${width})`);
}

function loadWord({ bytes, base, bitOffset, width }: BitRange): Value {
  // A field may have no bits at all.
  if (width === 0) return unsigned(code`0`, width);
  const end = bitOffset + width;
  const pieces: Code[] = [];
  for (let byte = bitOffset >> 3; byte * 8 < end; byte++) {
    const first = Math.max(bitOffset, byte * 8);
    const last = Math.min(end, byte * 8 + 8);
    const whole = code`${bytes}[${byte === 0 ? base : code`${base} + ${byte}`}]`;
    const right = byte * 8 + 8 - last;
    const moved = right === 0 ? whole : code`${whole} >> ${right}`;
    const masked = first > byte * 8 ? code`${moved} & ${2 ** (last - first) - 1}` : moved;
    pieces.push(end === last ? masked : code`${operand(masked)} << ${end - last}`);
  }
  const text = pieces.length === 1 ? code`${operand(pieces[0] ?? code`0`)} | 0` : join(pieces);
  return unsigned(width < WORD_BITS ? text : code`(${text}) >>> 0`, width);
}

/**
 * Stores the fields of a header into `view` from byte `at` on.
 * PERF: up to four bytes at once, which costs no more than one.
 */
export function emitPacking(header: HeaderLayout, at: Code, scope: Scope): void {
  if (scope.layout.isPacked(header.index)) {
    emitWordPacking(header, at, scope);
    return;
  }
  const words = header.fields.flatMap((field) => wordsOf(field, scope));
  let byte = 0;
  while (byte < header.byteLength) {
    const bytes = largestAccess(header.byteLength - byte);
    const here = byte === 0 ? at : code`${at} + ${byte}`;
    const set = new Identifier(`setUint${bytes * 8}`);
    scope.writer.line(code`view.${set}(${here}, ${packedBits(words, byte * 8, bytes * 8)});`);
    byte += bytes;
  }
  for (const field of header.fields) {
    const value = readField(field, scope);
    if (value.kind !== 'bigint') continue;
    const start = code`${at} * 8 + ${field.bitOffset}`;
    scope.writer.line(code`writeWideField(out, ${start}, ${field.width}, ${value.code});`);
  }
}

/**
 * Stores the words of a packed header; where it ends within a word, the first bytes of that.
 * PERF: all words are read before the first is stored, since the engine looks for the places of arrays again
 * behind every store to a view.
 */
function emitWordPacking({ index, byteLength }: HeaderLayout, at: Code, scope: Scope): void {
  const { layout, writer } = scope;
  const first = layout.firstWord(index);
  const count = Math.ceil(byteLength / WORD_BYTES);
  const words = Array.from({ length: count }, (_, i) =>
    scope.keep(code`words[${first + i}]`, 'word'),
  );
  for (let byte = 0; byte < byteLength;) {
    const bytes = largestAccess(byteLength - byte);
    const bit = (byte % WORD_BYTES) * 8;
    const value = bitsOf(words[byte >> 2] ?? code`0`, bit, bytes * 8);
    const here = byte === 0 ? at : code`${at} + ${byte}`;
    writer.line(code`view.${new Identifier(`setUint${bytes * 8}`)}(${here}, ${value});`);
    byte += bytes;
  }
}

/** As {@link emitPacking}, for a header with a varbit field: field by field, into zeros. */
export function emitVarbitPacking(header: HeaderLayout, at: Code, scope: Scope): void {
  const { writer, globals } = scope;
  const extra = scope.keep(code`widths[${globals.header(header.index)}]`, 'extra');
  const first = scope.keep(at, 'first');
  writer.line(code`out.fill(0, ${first}, ${first} + ${header.byteLength} + ${extra} / 8);`);
  let behind = code`${first} * 8`;
  for (const field of header.fields) {
    const start = code`${behind} + ${field.bitOffset}`;
    const width = field.variable ? extra : code`${field.width}`;
    const value = toBigint(readField(field, scope));
    writer.line(code`writeWideField(out, ${start}, ${width}, ${value});`);
    if (field.variable) behind = code`${first} * 8 + ${extra}`;
  }
}

/** Up to 32 bits at a place of a bit string. */
export interface PlacedWord {
  readonly code: Code;
  readonly bitOffset: number;
  readonly width: number;
}

/** A field as words; none when it is too wide for two. */
function wordsOf(field: FieldLayout, scope: Scope, bitOffset = field.bitOffset): PlacedWord[] {
  return placeWords(readField(field, scope), { bitOffset, width: field.width }, scope);
}

/** Bits behind each other in one word of a packed header. */
interface WordRun {
  readonly cell: number;
  readonly first: number;
  width: number;
  readonly bitOffset: number;
}

/**
 * Fields that follow each other as words. Those that lie behind each other in a word of a packed header
 * are one, so that a checksum over a header adds its words up.
 */
export function placeFields(
  fields: readonly FieldLayout[],
  from: number,
  scope: Scope,
): PlacedWord[] {
  const placed: PlacedWord[] = [];
  let run: WordRun | undefined;
  let bitOffset = from;
  const end = (): void => {
    if (run === undefined) return;
    const bits = bitsOf(code`words[${run.cell}]`, run.first, run.width);
    placed.push({ ...run, code: keepIfSplit(bits, run, scope) });
    run = undefined;
  };
  for (const field of fields) {
    const place = scope.layout.place(field.slot);
    const { width } = field;
    if (place.representation === 'bits' && place.bit + width <= WORD_BITS) {
      const { cell, bit: first } = place;
      if (run !== undefined && run.cell === cell && run.first + run.width === first) {
        run.width += width;
      } else {
        end();
        run = { cell, first, width, bitOffset };
      }
    } else {
      end();
      placed.push(...placeWords(readField(field, scope), { bitOffset, width }, scope));
    }
    bitOffset += width;
  }
  end();
  return placed;
}

/** A value of the given width as words, most significant first. */
export function placeWords(
  value: Value,
  { bitOffset, width }: { readonly bitOffset: number; readonly width: number },
  scope: Scope,
): PlacedWord[] {
  if (value.kind === 'bigint') return [];
  const wrapped = wrapUnsigned(value, width, scope);
  if (width <= WORD_BITS) {
    return [{ code: keepIfSplit(scalar(wrapped), { bitOffset, width }, scope), bitOffset, width }];
  }
  const halves = halvesOf(wrapped, scope);
  const highWidth = width - WORD_BITS;
  return [
    { code: halves.high, bitOffset, width: highWidth },
    { code: halves.low, bitOffset: bitOffset + highWidth, width: WORD_BITS },
  ];
}

function halvesOf(value: Value, scope: Scope): { readonly high: Code; readonly low: Code } {
  if (value.kind === 'pair') {
    return { high: scope.keep(value.high, 'high'), low: scope.keep(value.low, 'low') };
  }
  const whole = scope.keep(scalar(value), 'whole');
  return {
    high: scope.keep(code`Math.floor(${whole} / 4294967296)`, 'high'),
    low: scope.keep(code`${whole} >>> 0`, 'low'),
  };
}

/** A value that spreads over several bytes is read once. */
function keepIfSplit(
  value: Code,
  { bitOffset, width }: { readonly bitOffset: number; readonly width: number },
  scope: Scope,
): Code {
  return bitOffset >> 3 === (bitOffset + width - 1) >> 3 ? value : scope.keep(value, 'value');
}

/**
 * `width` bits from `bitOffset` on as one expression. Bits above them may be set: storing the
 * result cuts them off.
 */
export function packedBits(words: readonly PlacedWord[], bitOffset: number, width: number): Code {
  const end = bitOffset + width;
  const pieces = words.flatMap((word) => {
    const wordEnd = word.bitOffset + word.width;
    if (word.bitOffset >= end || wordEnd <= bitOffset) return [];
    if (wordEnd === end) return [operand(word.code)];
    return wordEnd > end
      ? [code`${operand(word.code)} >>> ${wordEnd - end}`]
      : [code`${operand(word.code)} << ${end - wordEnd}`];
  });
  return pieces.length === 0 ? code`0` : join(pieces);
}

function join(pieces: readonly Code[]): Code {
  return joined(pieces.length === 1 ? pieces : pieces.map(operand), ' | ');
}
