import { assert } from '../common/assert';
import { CLASSIFIER_RULES, classifier } from './classifier-rules';
import { Random } from '../common/random/random';
import type { MatchTable } from '../switch/tables/match-table';
import { measureSpeed } from './measure';
import { oneActionTable } from './one-action-table';
import type { TableEntry } from '../switch/control/table-control';
import type { KeyField } from '../common/p4runtime/key-field';
import type { Speed } from './measure';

const LOOKUPS = 2_000_000;
/** In random order: branch predictors learn a short regular sequence of few entries by heart. */
const PROBES = 16_384;
const WIDTH = 32;
const CLASSIFIER_SIZES = [100, 1000, 10_000] as const;
const CLASSIFIER_LOOKUPS = 500_000;
const PREFIX_LENGTHS = [16, 20, 24, 28, 32] as const;
/** An odd factor permutes the 32-bit numbers, so neighbouring entries have unlike values. */
const SPREAD = 0x9e37_79b1;

interface Case {
  readonly kind: 'exact' | 'lpm' | 'ternary';
  readonly sizes: readonly number[];
}

const CASES: readonly Case[] = [
  { kind: 'exact', sizes: [100, 1000, 10_000] },
  { kind: 'lpm', sizes: [100, 1000, 10_000] },
  { kind: 'ternary', sizes: [100, 1000, 10_000] },
];

/**
 * Lookups per second in tables of one 32-bit key field, spread evenly over the entries; all hit.
 * The ratio is the speed with the fewest entries over the speed with the most: for exact and lpm it
 * stays far below the ratio of the sizes, and what it exceeds 1 by is the cache of the processor.
 * Beside them, ternary tables and tables with ranges as access lists have them.
 */
export function benchTables(rounds: number): object {
  const figures: Record<string, object> = {};
  for (const { kind, sizes } of CASES) {
    const speeds = sizes.map((size) => [size, measureTable({ kind, size }, rounds)] as const);
    const fewest = speeds[0]?.[1].perCpuSecond ?? 0;
    const most = speeds[speeds.length - 1]?.[1].perCpuSecond ?? 0;
    figures[kind] = {
      lookups: Object.fromEntries(speeds),
      ratio: Number((fewest / most).toFixed(2)),
    };
  }
  const classifiers = { rules: CLASSIFIER_RULES, ...benchClassifiers(rounds) };
  return { keyBits: WIDTH, ...figures, classifiers };
}

/** Ternary tables as access lists have them: many masks, overlaps, keys that hit and keys that miss. */
function benchClassifiers(rounds: number): object {
  const speeds = (ports: 'ternary' | 'range'): object =>
    Object.fromEntries(
      CLASSIFIER_SIZES.map((size) => [size, measureClassifier(ports, size, rounds)]),
    );
  return { 'ports by masks': speeds('ternary'), 'ports by ranges': speeds('range') };
}

function measureClassifier(ports: 'ternary' | 'range', size: number, rounds: number): object {
  const { table, keys } = classifier(size, ports, PROBES, new Random(1));
  let hits = 0;
  let wanted = 0;
  const speed = measureSpeed(rounds, CLASSIFIER_LOOKUPS, (count) => {
    wanted += count;
    for (let i = 0; i < count; i++) {
      if (table.lookupNumbers(keys[i & (PROBES - 1)] as Float64Array) !== undefined) hits += 1;
    }
  });
  return { ...speed, hits: Number((hits / wanted).toFixed(2)) };
}

interface Filling {
  readonly kind: Case['kind'];
  readonly size: number;
}

function measureTable(filling: Filling, rounds: number): Speed {
  const table = filledTable(filling);
  const random = new Random(1);
  const keys = Float64Array.from({ length: PROBES }, () =>
    valueOf(filling.kind, Math.floor(random.uniform() * filling.size)),
  );
  const lookups = LOOKUPS;
  let hits = 0;
  let wanted = 0;
  const key = new Float64Array(1);
  const speed = measureSpeed(rounds, lookups, (count) => {
    wanted += count;
    for (let i = 0; i < count; i++) {
      key[0] = keys[i & (PROBES - 1)] ?? 0;
      if (table.lookupNumbers(key) !== undefined) hits += 1;
    }
  });
  assert(hits === wanted, 'every lookup hits');
  return speed;
}

function filledTable({ kind, size }: Filling): MatchTable {
  const table = oneActionTable(kind, [{ name: 'address', matchKind: kind, width: WIDTH }], size);
  for (let i = 0; i < size; i++) table.insert(entryOf(kind, i));
  return table;
}

function entryOf(kind: Case['kind'], index: number): TableEntry {
  const action = { kind: 'call', call: { actionId: 1, arguments: [] } } as const;
  const priority = kind === 'ternary' ? index + 1 : 0;
  return { key: [keyOf(kind, index)], priority, action };
}

function keyOf(kind: Case['kind'], index: number): KeyField {
  const value = BigInt(valueOf(kind, index));
  switch (kind) {
    case 'exact':
      return { kind, value };
    case 'lpm':
      return { kind, value, prefixLength: prefixLengthOf(index) };
    case 'ternary':
      return { kind, value, mask: 0xffff_ffffn };
  }
}

/** For prefixes: the number in the leading bits and zeros behind them. */
function valueOf(kind: Case['kind'], index: number): number {
  if (kind !== 'lpm') return Math.imul(index, SPREAD) >>> 0;
  const free = WIDTH - prefixLengthOf(index);
  return Math.imul(index, 2 ** free) >>> 0;
}

const prefixLengthOf = (index: number): number =>
  PREFIX_LENGTHS[index % PREFIX_LENGTHS.length] ?? WIDTH;
