import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { clamp, toBigint, toPair, wrapSigned, wrapUnsigned } from '../value/convert';
import { bigint, scalar, pair, ranged, unsigned } from '../value/value';
import { emitElement } from './emit-header';
import type { FieldFormat, FieldTarget } from '../../ir/statements';
import type { FieldLayout } from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Place } from '../layout/layout';
import type { Scope } from '../value/scope';
import type { Element } from './emit-header';
import type { Value } from '../value/value';

/** What is stored in a field. `element` moves to another element of the field's stack. */
export function readField(field: FieldLayout, scope: Scope, element?: Element): Value {
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
    default:
      unreachable(place.representation);
  }
}

/** How many low bits of a value matter that is written to a field of that format. */
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

/** Writes a value in the target's format; nothing happens when a stack has no such element. */
export function writeTarget(target: FieldTarget, value: Value, scope: Scope): void {
  const { layout } = scope;
  if (target.kind === 'field') {
    storeField(layout.place(target.slot), fit(value, target.format, scope), scope);
    return;
  }
  // What can be computed beforehand stands before the condition.
  const fitting = fit(value, target.format, scope);
  const element = emitElement(target.header, scope);
  if (element === undefined) return;
  const field = layout.header(element.header).fields[target.offset];
  if (field === undefined) return;
  const store = (): void => storeField(layout.place(field.slot), fitting, scope, element);
  if (element.exists === undefined) store();
  else scope.writer.block(code`if (${element.exists})`, store);
}

function cellOf(place: Place, offset: number, element: Element | undefined): Code {
  const own = offset === 0 ? code`${place.name}` : code`${place.name} + ${offset}`;
  if (element?.index === undefined) return own;
  return code`${own} + ${element.index} * ${strideOf(place, element)}`;
}

function strideOf(place: Place, { stride }: Element): number {
  switch (place.representation) {
    case 'word':
    case 'pair':
      return stride.words;
    case 'number':
      return stride.numbers;
    case 'bigint':
      return stride.bigints;
  }
}
