import { code, joined, operand } from '../text/code';
import { toPair } from '../value/convert';
import { NUMBER_BITS, WORD_BITS } from '../layout/representation';
import { pair, scalar, unsigned } from '../value/value';
import type { BitPlace } from '../layout/layout';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/**
 * Fields of headers that lie in words as they do in the packet. A field is a part of a word, or of words
 * behind each other, of which the first is the most significant:
 *
 *     words[ipv4 + 0]   | version | ihl | dscp  | ecn | length             |
 *     words[ipv4 + 2]   | ttl           | protocol    | checksum           |
 */

/** The cell of the word so many behind the first one of a field. */
type CellAt = (word: number) => Code;

/** Part of a field in one word. */
interface Piece {
  readonly word: number;
  /** First bit, counted from the word's most significant one. */
  readonly first: number;
  readonly width: number;
  /** Bits of the field behind the piece. */
  readonly behind: number;
}

function piecesOf(bit: number, width: number): readonly Piece[] {
  const end = bit + width;
  const begin = Math.floor(bit / WORD_BITS);
  const words = Array.from({ length: Math.ceil(end / WORD_BITS) - begin }, (_, i) => begin + i);
  return words.map((word) => {
    const first = Math.max(bit - word * WORD_BITS, 0);
    const last = Math.min(end - word * WORD_BITS, WORD_BITS);
    return { word, first, width: last - first, behind: end - word * WORD_BITS - last };
  });
}

/** Code for the bits of a word, as an unsigned number. */
export function bitsOf(word: Code, first: number, width: number): Code {
  const right = WORD_BITS - first - width;
  if (first === 0) return right === 0 ? word : code`${word} >>> ${right}`;
  const moved = right === 0 ? word : code`(${word} >>> ${right})`;
  return code`${moved} & ${2 ** width - 1}`;
}

/** The value of a field; of more than 52 bits as two words. */
export function readBits({ bit, width }: BitPlace, at: CellAt): Value {
  if (width <= NUMBER_BITS) return unsigned(upToNumber(bit, width, at), width);
  const highWidth = width - WORD_BITS;
  return pair(upToNumber(bit, highWidth, at), upToNumber(bit + highWidth, WORD_BITS, at), width);
}

function upToNumber(bit: number, width: number, at: CellAt): Code {
  const pieces = piecesOf(bit, width).map((piece) => {
    const bits = bitsOf(code`words[${at(piece.word)}]`, piece.first, piece.width);
    if (piece.behind === 0) return bits;
    return code`${operand(bits)} * ${2 ** piece.behind}`;
  });
  return pieces.length === 1 ? (pieces[0] ?? code`0`) : joined(pieces.map(operand), ' + ');
}

/** Puts a value that fits already into a field. */
export function storeBits({ bit, width }: BitPlace, value: Value, at: CellAt, scope: Scope): void {
  if (width <= NUMBER_BITS) {
    storeUpToNumber({ bit, width }, scalar(value), at, scope);
    return;
  }
  // Both words are known before the first is stored: the value may read the field itself.
  const wide = toPair(value, scope);
  const low = scope.bindBeforeStore(wide.low);
  const highWidth = width - WORD_BITS;
  storeUpToNumber({ bit, width: highWidth }, wide.high, at, scope);
  storeUpToNumber({ bit: bit + highWidth, width: WORD_BITS }, low, at, scope);
}

function storeUpToNumber(
  { bit, width }: { readonly bit: number; readonly width: number },
  value: Code,
  at: CellAt,
  scope: Scope,
): void {
  const pieces = piecesOf(bit, width);
  const kept = pieces.length === 1 ? value : scope.bindBeforeStore(scope.bind(value));
  for (const piece of pieces) {
    const cell = at(piece.word);
    const part = partOf(kept, piece, width);
    const right = WORD_BITS - piece.first - piece.width;
    if (piece.width === WORD_BITS) {
      scope.writer.line(code`words[${cell}] = ${part};`);
      continue;
    }
    const others = (2 ** WORD_BITS - 1 - (2 ** piece.width - 1) * 2 ** right) | 0;
    const moved = right === 0 ? part : code`${operand(part)} << ${right}`;
    scope.writer.line(code`words[${cell}] = (words[${cell}] & ${others}) | ${operand(moved)};`);
  }
}

/** The bits of a value that a piece has, perhaps with further ones before them that its store cuts off. */
function partOf(value: Code, { behind }: Piece, width: number): Code {
  if (behind === 0) return value;
  return width > WORD_BITS
    ? code`Math.floor(${operand(value)} / ${2 ** behind})`
    : code`${operand(value)} >>> ${behind}`;
}
