import { unreachable } from '../../common/assert';
import type { InstalledEntry, MatchIndex } from './match-index';
import type { KeyField } from '../control/table-control';

/** One condition of an entry: masked equality, or a range when `high` is given. */
interface Condition {
  readonly mask: bigint;
  readonly low: bigint;
  readonly high: bigint | undefined;
}

/** A condition on a field of at most 52 bits, as numbers. */
interface NumberCondition {
  readonly maskHigh: number;
  readonly maskLow: number;
  readonly low: number;
  /** Undefined for masked equality. */
  readonly high: number | undefined;
}

interface Rule {
  readonly entry: InstalledEntry;
  readonly conditions: readonly Condition[];
  readonly numberConditions: readonly NumberCondition[];
}

const WORD = 2 ** 32;

/**
 * Ternary, range and mixed keys: a list in order of precedence, searched from the front. The larger
 * priority wins; among equals, the entry that came first.
 * PERF: a lookup is linear in the entries, as on bmv2.
 */
export class PriorityIndex implements MatchIndex {
  readonly #widths: readonly number[];
  readonly #rules: Rule[] = [];

  constructor(widths: readonly number[]) {
    this.#widths = widths;
  }

  add(entry: InstalledEntry): void {
    const conditions = entry.key.map((field, i) => condition(field, this.#widths[i] ?? 0));
    const behind = this.#rules.findIndex((rule) => rule.entry.priority < entry.priority);
    const position = behind < 0 ? this.#rules.length : behind;
    const numberConditions = conditions.map(toNumbers);
    this.#rules.splice(position, 0, { entry, conditions, numberConditions });
  }

  remove(entry: InstalledEntry): void {
    const position = this.#rules.findIndex((rule) => rule.entry === entry);
    if (position >= 0) this.#rules.splice(position, 1);
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    for (const rule of this.#rules) if (matches(rule.conditions, values)) return rule.entry;
    return undefined;
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    for (const rule of this.#rules) {
      if (matchesNumbers(rule.numberConditions, values)) return rule.entry;
    }
    return undefined;
  }
}

function matches(conditions: readonly Condition[], values: readonly bigint[]): boolean {
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

function toNumbers({ mask, low, high }: Condition): NumberCondition {
  return {
    maskHigh: Number((mask >> 32n) & 0xffffffffn),
    maskLow: Number(mask & 0xffffffffn),
    low: Number(low),
    high: high === undefined ? undefined : Number(high),
  };
}

function matchesNumbers(conditions: readonly NumberCondition[], values: Float64Array): boolean {
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

function condition(field: KeyField, width: number): Condition {
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
