import * as fc from 'fast-check';
import * as info from '../../../../../common/p4runtime/generated/p4/config/v1/p4info';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import { MessageWriter } from '../../../../../common/protobuf/message-writer';
import { describeMatch } from '../../../../../controller/entities/match';
import type { FieldMatch } from '../../../../../controller/entities/match';
import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import type { TableEntry } from '../../../../../controller/entities/table-entry';
import {
  canonicalEntity,
  decodeEntity,
  encodeEntity,
} from '../../../../../controller/p4runtime/entities/entity';
import { writeEntity } from '../../../../../controller/p4runtime/entities/plain-entities';

const { EXACT, LPM, TERNARY, RANGE, OPTIONAL } = info.MatchFieldMatchType;
const KINDS = [EXACT, LPM, TERNARY, RANGE, OPTIONAL] as const;
const TABLE = 0x02000001;
const ACTION = 0x01000001;

interface Field {
  readonly width: number;
  readonly kind: (typeof KINDS)[number];
}

const WIDTHS = fc.oneof(
  fc.constantFrom(1, 8, 9, 16, 32, 48, 64, 128),
  fc.integer({ min: 1, max: 256 }),
);
const FIELDS = fc.array(fc.record({ width: WIDTHS, kind: fc.constantFrom(...KINDS) }), {
  minLength: 1,
  maxLength: 5,
});
const PARAMETERS = fc.array(WIDTHS, { maxLength: 4 });

/** P4Info with one table of these fields and one action of these parameters. */
function p4infoOf(fields: readonly Field[], parameters: readonly number[]): P4InfoIndex {
  const table = new info.Table({
    preamble: new info.Preamble({ id: TABLE, name: 'ingress.t', alias: 't' }),
    matchFields: fields.map(
      ({ width, kind }, i) =>
        new info.MatchField({ id: i + 1, name: `hdr.f${i}`, bitwidth: width, matchType: kind }),
    ),
    actionRefs: [new info.ActionRef({ id: ACTION })],
    size: '1024',
  });
  const action = new info.Action({
    preamble: new info.Preamble({ id: ACTION, name: 'ingress.a', alias: 'a' }),
    params: parameters.map(
      (bitwidth, i) => new info.ActionParam({ id: i + 1, name: `p${i}`, bitwidth }),
    ),
  });
  return new P4InfoIndex(new info.P4Info({ tables: [table], actions: [action] }));
}

const valueOf = (width: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n });

/** A match that leaves something out, so that it is there after the wire. */
function matchOf({ width, kind }: Field): fc.Arbitrary<FieldMatch> {
  const value = valueOf(width);
  const top = (1n << BigInt(width)) - 1n;
  switch (kind) {
    case LPM:
      return fc.tuple(value, fc.integer({ min: 1, max: width })).map(([bits, length]) => {
        const free = BigInt(width - length);
        return { lpm: [(bits >> free) << free, length] };
      });
    case TERNARY:
      return fc
        .tuple(
          value,
          valueOf(width).map((mask) => (mask === 0n ? 1n : mask)),
        )
        .map(([bits, mask]) => ({ ternary: [bits & mask, mask] }));
    case RANGE:
      return fc.tuple(value, value).map(([a, b]) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        return { range: low === 0n && high === top ? [low, high - 1n] : [low, high] };
      });
    case OPTIONAL:
      return value.map((optional) => ({ optional }));
    case EXACT:
      return value.map((exact) => ({ exact }));
  }
}

const record = <T>(prefix: string, values: readonly T[]): Record<string, T> =>
  Object.fromEntries(values.map((value, i) => [`${prefix}${i}`, value]));

const CASES = fc.tuple(FIELDS, PARAMETERS).chain(([fields, parameters]) =>
  fc
    .tuple(
      fc.tuple(...fields.map(matchOf)),
      fc.tuple(...parameters.map(valueOf)),
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    )
    .map(([matches, args, priority]) => {
      const needsPriority = fields.some(({ kind }) => kind !== EXACT && kind !== LPM);
      const entry: TableEntry = {
        kind: 'table-entry',
        table: 't',
        match: record('hdr.f', matches),
        priority: needsPriority ? priority : 0,
        action: { kind: 'action', action: { name: 'a', arguments: record('p', args) } },
      };
      return { index: p4infoOf(fields, parameters), entry, fields };
    }),
);

const overTheWire = (index: P4InfoIndex, entity: NamedEntity): p4.Entity =>
  p4.Entity.deserialize(encodeEntity(index, entity).serialize());

const written = (index: P4InfoIndex, entity: NamedEntity): Uint8Array => {
  const writer = new MessageWriter();
  writeEntity(writer, index, entity);
  return writer.getResultBuffer();
};

describe('random entries of random P4Infos', () => {
  test('are written as their messages are', () => {
    fc.assert(
      fc.property(CASES, ({ index, entry }) => {
        expect(written(index, entry)).toEqual(encodeEntity(index, entry).serialize());
      }),
    );
  });

  test('what is read back means the same, and is stable from then on', () => {
    fc.assert(
      fc.property(CASES, ({ index, entry }) => {
        const sent = overTheWire(index, entry);
        const read = decodeEntity(index, sent);
        const again = overTheWire(index, read);
        expect(again.serialize()).toEqual(sent.serialize());
        expect(decodeEntity(index, again)).toEqual(read);
      }),
    );
  });

  test('the canonical form of an entry is what comes back over the wire', () => {
    fc.assert(
      fc.property(CASES, ({ index, entry }) => {
        expect(canonicalEntity(index, entry)).toEqual(
          decodeEntity(index, overTheWire(index, entry)),
        );
      }),
    );
  });

  test('matches written as text are the same matches', () => {
    fc.assert(
      fc.property(CASES, ({ index, entry }) => {
        const read = decodeEntity(index, overTheWire(index, entry)) as TableEntry;
        const match = Object.fromEntries(
          Object.entries(read.match).map(([name, each]) => [name, describeMatch(each)]),
        );
        const sent = overTheWire(index, { ...entry, match });
        expect(sent.serialize()).toEqual(overTheWire(index, entry).serialize());
      }),
    );
  });

  test('values travel in the shortest form', () => {
    fc.assert(
      fc.property(CASES, ({ index, entry }) => {
        for (const { value } of overTheWire(index, entry).tableEntry.action.action.params) {
          expect(value.length === 1 || value[0] !== 0).toBe(true);
        }
      }),
    );
  });

  test('a value of one bit too many is refused by table, field and width', () => {
    fc.assert(
      fc.property(CASES, fc.nat(), ({ index, entry, fields }, choice) => {
        const place = choice % fields.length;
        const width = fields[place]?.width ?? 0;
        const wide = { exact: 1n << BigInt(width) };
        const field = index.tables.get('t').matchFields.byNumber(place + 1);
        const match = { ...entry.match, [`hdr.f${place}`]: bare(wide.exact, fields[place]) };
        expect(() => encodeEntity(index, { ...entry, match })).toThrow(
          `table 'ingress.t', field '${field?.name ?? ''}': ${wide.exact} does not fit in ${width} bits`,
        );
      }),
    );
  });
});

/** The match of exactly this value, in the kind of the field. */
function bare(value: bigint, field: Field | undefined): FieldMatch {
  if (field?.kind === LPM) return { lpm: [value, field.width] };
  if (field?.kind === TERNARY) return { ternary: [value, value] };
  if (field?.kind === RANGE) return { range: [value, value] };
  return field?.kind === OPTIONAL ? { optional: value } : { exact: value };
}
