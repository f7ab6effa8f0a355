import { bitLength } from './convert';
import type { Value } from './value';

/** Two operands, and how many low bits of the result matter; Infinity when all do. */
export interface Operands {
  readonly left: Value;
  readonly right: Value;
  readonly bits: number;
}

export function lowOf(value: Value): number {
  return value.kind === 'number' ? value.low : -Infinity;
}

export function highOf(value: Value): number {
  return value.kind === 'number' ? value.high : Infinity;
}

/** Widths of operands as unsigned numbers; Infinity where an operand may be negative. */
export function unsignedWidths(left: Value, right: Value): [number, number] {
  return [unsignedWidth(left), unsignedWidth(right)];
}

function unsignedWidth(value: Value): number {
  if (value.kind === 'pair') return value.width;
  if (value.kind === 'bigint' || value.low < 0) return Infinity;
  return bitLength(value.high);
}

export function nonNegativeWidths(left: Value, right: Value): number[] {
  return unsignedWidths(left, right).filter((width) => width !== Infinity);
}
