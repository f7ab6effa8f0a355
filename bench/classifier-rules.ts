import type { Random } from '../common/random/random';
import type { TableEntry } from '../switch/control/table-control';
import type { KeyField, MatchKind } from '../common/p4runtime/key-field';
import type { MatchTable } from '../switch/tables/match-table';
import { oneActionTable } from './one-action-table';

/** Different combinations of masks, drawn once; entries draw one of them each. */
const COMBINATIONS = 48;
const ADDRESSES = 256;
const PREFIX_LENGTHS = [0, 8, 16, 20, 24, 28, 32] as const;
const PROTOCOLS = [6, 17] as const;
const WELL_KNOWN = 1024;

/** Rules as access lists have them, over source, destination, protocol and two ports. */
export interface Classifier {
  readonly table: MatchTable;
  /** Half of them are drawn to meet an entry, half at random. */
  readonly keys: readonly Float64Array[];
}

/** Description of the rules and keys that {@link classifier} draws. */
export const CLASSIFIER_RULES = {
  key: 'source and destination of 32 bits, protocol of 8, two ports of 16',
  masks:
    `${COMBINATIONS} combinations: prefixes of 0, 8, 16, 20, 24, 28 or 32 bits of either address, ` +
    'protocol given or not, each port given (1 of 3) or not',
  values: `addresses near ${ADDRESSES} ones, protocols 6 and 17, any port`,
  ranges: 'of ports: one port, 1024 and above, any two bounds, or all, each 1 of 4',
  priorities: 'a fourth as many as entries, so that some are equal',
  keys: 'half drawn to meet an entry, half at random',
} as const;

interface Field {
  readonly name: string;
  readonly kind: MatchKind;
  readonly width: number;
}

/** Draws a table of so many entries, whose ports are matched by masks or by ranges. */
export function classifier(
  size: number,
  ports: 'ternary' | 'range',
  probes: number,
  random: Random,
): Classifier {
  const fields: readonly Field[] = [
    { name: 'source', kind: 'ternary', width: 32 },
    { name: 'destination', kind: 'ternary', width: 32 },
    { name: 'protocol', kind: 'ternary', width: 8 },
    { name: 'sourcePort', kind: ports, width: 16 },
    { name: 'destinationPort', kind: ports, width: 16 },
  ];
  const draw = new Draw(random);
  const combinations = Array.from({ length: COMBINATIONS }, () =>
    fields.map(({ width }) => draw.length(width)),
  );
  const key = fields.map(({ name, kind, width }) => ({ name, matchKind: kind, width }));
  const table = oneActionTable(ports, key, size);
  const action = { kind: 'call', call: { actionId: 1, arguments: [] } } as const;
  const entries: TableEntry[] = [];
  while (entries.length < size) {
    const lengths = draw.one(combinations);
    const key = fields.map(({ kind, width }, i) =>
      kind === 'range' ? draw.range(width) : draw.masked(width, lengths[i] ?? 0),
    );
    const entry = { key, priority: 1 + draw.below(Math.max(1, size >> 2)), action };
    if (table.find(key, entry.priority) !== undefined) continue;
    table.insert(entry);
    entries.push(entry);
  }
  const keys = Array.from({ length: probes }, (_, i) => {
    const met = i % 2 === 0 ? draw.one(entries) : undefined;
    return Float64Array.from(fields, ({ width }, place) => draw.probe(width, met?.key[place]));
  });
  return { table, keys };
}

class Draw {
  readonly #addresses: readonly number[];

  constructor(private readonly random: Random) {
    this.#addresses = Array.from({ length: ADDRESSES }, () => this.below(2 ** 32));
  }

  below(limit: number): number {
    return Math.floor(this.random.uniform() * limit);
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Prefix length of a field's mask, drawn at random. */
  length(width: number): number {
    if (width === 32) return this.one(PREFIX_LENGTHS);
    return width === 8 ? this.one([0, width]) : this.one([0, 0, width]);
  }

  value(width: number): number {
    if (width === 32) return (this.one(this.#addresses) ^ this.below(2 ** 16)) >>> 0;
    return width === 8 ? this.one(PROTOCOLS) : this.below(2 ** width);
  }

  masked(width: number, length: number): KeyField {
    const free = BigInt(width - length);
    const mask = ((1n << BigInt(length)) - 1n) << free;
    return { kind: 'ternary', value: BigInt(this.value(width)) & mask, mask };
  }

  range(width: number): KeyField {
    const most = 2 ** width - 1;
    const [a, b] = [this.below(2 ** width), this.below(2 ** width)];
    const [low, high] = this.one([
      [a, a],
      [WELL_KNOWN, most],
      [Math.min(a, b), Math.max(a, b)],
      [0, most],
    ] as const);
    return { kind: 'range', low: BigInt(low), high: BigInt(high) };
  }

  /** A value that meets the field of an entry, or any. */
  probe(width: number, met: KeyField | undefined): number {
    if (met?.kind === 'range') return Number(met.low) + this.below(Number(met.high - met.low) + 1);
    const drawn = met === undefined && width === 8 ? this.value(width) : this.below(2 ** width);
    if (met?.kind !== 'ternary') return drawn;
    return Number(met.value | (BigInt(drawn) & ~met.mask));
  }
}
