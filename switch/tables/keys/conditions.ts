import { unreachable } from '../../../common/assert';
import type { KeyField } from '../../../common/p4runtime/key-field';

/** One condition of an entry: masked equality, or a range when `high` is given. */
export interface Condition {
  readonly mask: bigint;
  readonly low: bigint;
  readonly high: bigint | undefined;
}

/** A condition on a field of at most 52 bits, as numbers. */
export interface NumberCondition {
  readonly maskHigh: number;
  readonly maskLow: number;
  readonly low: number;
  /** Undefined for masked equality. */
  readonly high: number | undefined;
}

const WORD = 2 ** 32;

/** True if the values meet all conditions. */
export function matches(conditions: readonly Condition[], values: readonly bigint[]): boolean {
  for (let i = 0; i < conditions.length; i++) {
    const wanted = conditions[i];
    const value = values[i];
    if (wanted === undefined || value === undefined) return false;
    if (wanted.high === undefined) {
      if ((value & wanted.mask) !== wanted.low) return false;
    } else if (value < wanted.low || value > wanted.high) {
      return false;
    }
  }
  return true;
}

/** For values of at most 52 bits. */
export function toNumbers({ mask, low, high }: Condition): NumberCondition {
  return {
    maskHigh: Number((mask >> 32n) & 0xffffffffn),
    maskLow: Number(mask & 0xffffffffn),
    low: Number(low),
    high: high === undefined ? undefined : Number(high),
  };
}

/** As {@link matches}. */
export function matchesNumbers(
  conditions: readonly NumberCondition[],
  values: Float64Array,
): boolean {
  for (let i = 0; i < conditions.length; i++) {
    const wanted = conditions[i];
    if (wanted === undefined) return false;
    const value = values[i] ?? 0;
    if (wanted.high === undefined) {
      if (masked(value, wanted) !== wanted.low) return false;
    } else if (value < wanted.low || value > wanted.high) {
      return false;
    }
  }
  return true;
}

/** The masked value. PERF: most fields have no bits in the high word. */
function masked(value: number, { maskHigh, maskLow }: NumberCondition): number {
  const low = (value & maskLow) >>> 0;
  return maskHigh === 0 ? low : (Math.floor(value / WORD) & maskHigh) * WORD + low;
}

/** Condition that a field of an entry's key sets on a value of `width` bits. */
export function conditionOf(field: KeyField, width: number): Condition {
  const all = BigInt.asUintN(width, -1n);
  switch (field.kind) {
    case 'exact':
      return { mask: all, low: field.value, high: undefined };
    case 'lpm': {
      const free = BigInt(width - field.prefixLength);
      return { mask: (all >> free) << free, low: field.value, high: undefined };
    }
    case 'ternary':
      return { mask: field.mask, low: field.value, high: undefined };
    case 'range':
      return { mask: all, low: field.low, high: field.high };
    default:
      return unreachable(field);
  }
}
