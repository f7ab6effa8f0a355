import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { allOnes, prefixMask } from '../../../../../common/p4runtime/bytestring';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import type { MatchFieldInfo, TableInfo } from '../../../../../common/p4runtime/p4info';
import { EntryNotes, keyText } from '../../../../../switch/server/state/entry-notes';
import { describeKey, encodeKey } from '../../../../../common/p4runtime/match-codec';
import { keyOf } from '../../../../../switch/server/tables/addressed-table';
import type { KeyField } from '../../../../../common/p4runtime/key-field';
import { sampleP4Info } from '../../../../conformance/p4runtime-target';
import { bytes, exact, lpm } from '../../../../support/p4runtime/sample-updates';

const index = new P4InfoIndex(sampleP4Info());
const acl = index.tables.get('acl');
const route = index.tables.get('ipv4_route');

const value = (width: number): fc.Arbitrary<bigint> => fc.bigInt(0n, allOnes(width));

/** Any field that the switch may hold, those that match everything included. */
function keyField({ matchKind, width }: MatchFieldInfo): fc.Arbitrary<KeyField> {
  switch (matchKind) {
    case 'exact':
      return value(width).map((each) => ({ kind: 'exact', value: each }));
    case 'lpm':
      return fc.tuple(value(width), fc.nat(width)).map(([each, prefixLength]) => {
        return { kind: 'lpm', value: each & prefixMask(prefixLength, width), prefixLength };
      });
    case 'ternary':
      return fc.tuple(value(width), value(width)).map(([each, mask]) => {
        return { kind: 'ternary', value: each & mask, mask };
      });
    case 'optional':
      return fc.option(value(width), { nil: undefined }).map((each) => ({
        kind: 'ternary',
        value: each ?? 0n,
        mask: each === undefined ? 0n : allOnes(width),
      }));
    case 'range':
      return fc.tuple(value(width), value(width)).map(([x, y]) => {
        return { kind: 'range', low: x < y ? x : y, high: x < y ? y : x };
      });
  }
}

const anyKeyOf = (table: TableInfo): fc.Arbitrary<KeyField[]> =>
  fc.tuple(...table.matchFields.all.map(keyField));

const anyKey: KeyField[] = [
  { kind: 'exact', value: 1n },
  { kind: 'ternary', value: 0n, mask: 0n },
  { kind: 'range', low: 0n, high: 0xffffn },
  { kind: 'ternary', value: 0n, mask: 0n },
];

describe('keys on the wire', () => {
  test.each([acl, route])('any key of $name survives the wire', (table) => {
    fc.assert(
      fc.property(anyKeyOf(table), (key) => {
        const wire = encodeKey(table, key).map((each) =>
          p4.FieldMatch.deserialize(each.serialize()),
        );
        expect(keyOf(table, wire)).toEqual(key);
      }),
    );
  });

  test('the order of fields on the wire does not matter', () => {
    fc.assert(
      fc.property(anyKeyOf(acl), (key) => {
        expect(keyOf(acl, encodeKey(acl, key).reverse())).toEqual(key);
      }),
    );
  });

  test('fields left out match everything', () => {
    expect(keyOf(acl, [exact(1, bytes(1))])).toEqual(anyKey);
    expect(keyOf(route, [])).toEqual([{ kind: 'lpm', value: 0n, prefixLength: 0 }]);
  });

  test('what matches everything is left out', () => {
    expect(encodeKey(acl, anyKey).map((each) => each.fieldId)).toEqual([1]);
    expect(encodeKey(route, [{ kind: 'lpm', value: 0n, prefixLength: 0 }])).toEqual([]);
  });

  test.each<[p4.FieldMatch[], string]>([
    [[lpm(bytes(10, 0, 0, 1), 24)], '10.0.0.1/24 has bits behind its prefix'],
    [
      [lpm(bytes(0), 0)],
      'prefix length 0 is not in 1..32; leave the field out to match everything',
    ],
    [[lpm(bytes(10, 0, 0, 0), 33)], 'prefix length 33 is not in 1..32'],
    [[exact(1, bytes(1))], 'wanted a match of kind lpm, found another'],
    [[lpm(bytes(1, 0, 0, 0, 0), 32)], '0x100000000 does not fit in 32 bits'],
  ])('a bad prefix is refused, naming table and field', (match, reason) => {
    const where = "table 'ingress.route.ipv4_route', field 'hdr.ipv4.dst_addr'";
    expect(() => keyOf(route, match)).toThrow(`${where}: ${reason}`);
  });

  test('people read keys in the notation of their fields', () => {
    expect(describeKey(acl, anyKey)).toBe(
      'hdr.ethernet.src_addr = 00:00:00:00:00:01, hdr.ipv4.src_addr = any, hdr.udp.dst_port = any, hdr.ipv4.protocol = any',
    );
    const key: KeyField[] = [
      { kind: 'exact', value: 0x0200_0000_00ffn },
      { kind: 'ternary', value: 0x0a000000n, mask: 0xff000000n },
      { kind: 'range', low: 1n, high: 1024n },
      { kind: 'ternary', value: 17n, mask: 255n },
    ];
    expect(describeKey(acl, key)).toBe(
      'hdr.ethernet.src_addr = 02:00:00:00:00:ff, hdr.ipv4.src_addr = 10.0.0.0&&&0xff000000, hdr.udp.dst_port = 1..1024, hdr.ipv4.protocol = 17&&&0xff',
    );
    expect(describeKey(route, [{ kind: 'lpm', value: 0x0a000100n, prefixLength: 24 }])).toBe(
      'hdr.ipv4.dst_addr = 10.0.1.0/24',
    );
  });
});

describe('notes on entries', () => {
  const metadata = Uint8Array.of(1);
  const note = { metadata, controllerMetadata: '0', idleTimeoutNs: 0n };

  test('equal keys have equal texts, different keys different ones', () => {
    fc.assert(
      fc.property(anyKeyOf(acl), anyKeyOf(acl), (a, b) => {
        expect(keyText(a)).toBe(keyText(structuredClone(a)));
        const same = keyText(a) === keyText(b);
        const sent = [a, b].map((key) => encodeKey(acl, key).map((each) => each.toObject()));
        expect(same).toBe(isDeepStrictEqual(sent[0], sent[1]));
      }),
    );
  });

  test('a note is of one table, key and priority', () => {
    const notes = new EntryNotes();
    notes.set('t', { key: anyKey, priority: 1 }, note);
    expect(notes.get('t', { key: anyKey, priority: 1 })).toEqual(note);
    expect(notes.get('t', { key: anyKey, priority: 2 })).toBeUndefined();
    expect(notes.get('u', { key: anyKey, priority: 1 })).toBeUndefined();
  });

  test('an empty note replaces what was there', () => {
    const notes = new EntryNotes();
    notes.set('t', { key: anyKey, priority: 1 }, note);
    notes.set(
      't',
      { key: anyKey, priority: 1 },
      { metadata: new Uint8Array(), controllerMetadata: '0', idleTimeoutNs: 0n },
    );
    expect(notes.get('t', { key: anyKey, priority: 1 })).toBeUndefined();
  });

  test('a deleted note is gone', () => {
    const notes = new EntryNotes();
    notes.delete('t', { key: anyKey, priority: 1 });
    notes.set('t', { key: anyKey, priority: 1 }, { ...note, controllerMetadata: '7' });
    notes.delete('t', { key: anyKey, priority: 1 });
    expect(notes.get('t', { key: anyKey, priority: 1 })).toBeUndefined();
  });
});
