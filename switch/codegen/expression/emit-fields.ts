import { assert, unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { clamp, toBigint, toPair, wrapSigned, wrapUnsigned } from '../value/convert';
import { readBits, storeBits } from './emit-word-bits';
import { bigint, literal, scalar, pair, ranged, unsigned } from '../value/value';
import type { FieldFormat } from '../../ir/statements';
import type { FieldLayout, HeaderLayout } from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Place, Stride } from '../layout/layout';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** A header, or the element of a stack that only running decides. */
export interface Element {
  /** The header, or the first one of the stack. */
  readonly header: number;
  /** Position in the stack; undefined for a header that is known. */
  readonly index: Code | undefined;
  /** Code that is true if the stack has that element; undefined when it certainly has. */
  readonly exists: Code | undefined;
  readonly stride: Stride;
}

/** Code for the value of a field; `element` selects another element of the field's stack. */
export function readField(field: FieldLayout, scope: Scope, element?: Element): Value {
  // A number of no bits has no half: its bounds would be no integers.
  if (field.width === 0 && !field.variable) return literal(0);
  const place = scope.layout.place(field.slot);
  const at = (offset = 0): Code => cellOf(place, offset, element);
  switch (place.representation) {
    case 'word':
      return unsigned(code`words[${at()}]`, field.width);
    case 'number': {
      const text = code`numbers[${at()}]`;
      const half = 2 ** (field.width - 1);
      return field.signed ? ranged(text, -half, half - 1) : unsigned(text, field.width);
    }
    case 'pair':
      return pair(code`words[${at()}]`, code`words[${at(1)}]`, field.width);
    case 'bigint':
      return bigint(code`bigints[${at()}]`);
    case 'bits':
      return readBits(place, at);
  }
}

/** Puts a value that fits already into a field. */
export function storeField(place: Place, value: Value, scope: Scope, element?: Element): void {
  const at = (offset = 0): Code => cellOf(place, offset, element);
  switch (place.representation) {
    case 'word':
      scope.writer.line(code`words[${at()}] = ${scalar(value)};`);
      return;
    case 'number':
      scope.writer.line(code`numbers[${at()}] = ${scalar(value)};`);
      return;
    case 'pair': {
      // Both words are known before the first is stored: the value may read the field itself.
      const wide = toPair(value, scope);
      const low = scope.bindBeforeStore(wide.low);
      scope.writer.line(code`words[${at()}] = ${wide.high};`);
      scope.writer.line(code`words[${at(1)}] = ${low};`);
      return;
    }
    case 'bigint':
      scope.writer.line(code`bigints[${at()}] = ${toBigint(value)};`);
      return;
    case 'bits':
      storeBits(place, value, at, scope);
      return;
    default:
      unreachable(place);
  }
}

/** Sets all fields of a known header to 0. */
export function clearHeader({ index, byteLength, fields }: HeaderLayout, scope: Scope): void {
  const { layout, writer } = scope;
  if (!layout.isPacked(index)) {
    for (const field of fields) clearField(layout.place(field.slot), scope);
    return;
  }
  const first = layout.firstWord(index);
  for (let i = 0; i * 4 < byteLength; i++) writer.line(code`words[${first + i}] = 0;`);
}

function clearField({ name, representation }: Place, { writer }: Scope): void {
  switch (representation) {
    case 'word':
      writer.line(code`words[${name}] = 0;`);
      return;
    case 'number':
      writer.line(code`numbers[${name}] = 0;`);
      return;
    case 'pair':
      writer.line(code`words[${name}] = 0;`);
      writer.line(code`words[${name} + 1] = 0;`);
      return;
    case 'bigint':
      writer.line(code`bigints[${name}] = 0n;`);
      return;
    case 'bits':
      assert(false, 'packed headers are cleared as a whole');
  }
}

/** Number of low bits that matter of a value written to a field of that format. */
export function demandOf({ width, saturating }: FieldFormat): number {
  return saturating ? Infinity : width;
}

/** The value that a field of that format holds after writing. */
export function fit(value: Value, format: FieldFormat, scope: Scope): Value {
  const { width, signed, saturating } = format;
  if (!saturating) {
    return signed ? wrapSigned(value, width, scope) : wrapUnsigned(value, width, scope);
  }
  const half = width === 0 ? 0n : 1n << BigInt(width - 1);
  const clamped = signed
    ? clamp(value, -half, width === 0 ? 0n : half - 1n, scope)
    : clamp(value, 0n, (1n << BigInt(width)) - 1n, scope);
  return signed ? wrapSigned(clamped, width, scope) : wrapUnsigned(clamped, width, scope);
}

/** Code that is true if a given header is valid; metadata always is. */
export function validity(header: number, scope: Scope): Code {
  if (scope.layout.header(header).metadata) return code`true`;
  return code`valid[${scope.globals.header(header)}] === 1`;
}

export function cellOf(place: Place, offset: number, element: Element | undefined): Code {
  const own = offset === 0 ? code`${place.name}` : code`${place.name} + ${offset}`;
  if (element?.index === undefined) return own;
  return code`${own} + ${element.index} * ${strideOf(place, element)}`;
}

function strideOf(place: Place, { stride }: Element): number {
  switch (place.representation) {
    case 'word':
    case 'pair':
    case 'bits':
      return stride.words;
    case 'number':
      return stride.numbers;
    case 'bigint':
      return stride.bigints;
  }
}
