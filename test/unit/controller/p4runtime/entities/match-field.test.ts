import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { NameIndex } from '../../../../../common/p4runtime/name-index';
import type { MatchFieldInfo } from '../../../../../common/p4runtime/p4info';
import type { MatchKind } from '../../../../../common/p4runtime/key-field';
import { describeMatch } from '../../../../../controller/entities/match';
import type { FieldMatch, Match } from '../../../../../controller/entities/match';
import { decodeMatch, encodeMatch } from '../../../../../controller/p4runtime/entities/match-field';

const field = (id: number, name: string, width: number, matchKind: MatchKind): MatchFieldInfo => {
  return { id, name, alias: name, width, matchKind };
};
const table = (...fields: MatchFieldInfo[]) => {
  return { name: 't', matchFields: new NameIndex('match field', fields) };
};
const one = (width: number, kind: MatchKind) => table(field(1, 'hdr.f', width, kind));

/** Encodes and decodes a match over the wire; undefined when it is left out. */
const overTheWire = (owner: ReturnType<typeof table>, match: Match) =>
  decodeMatch(owner, encodeMatch(owner, match))['hdr.f'] as FieldMatch | undefined;

describe('matches as text', () => {
  test.each<[MatchKind, number, string | number | bigint, string]>([
    ['exact', 32, '10.0.0.1', '10.0.0.1'],
    ['exact', 48, '02-00-00-00-00-01', '02:00:00:00:00:01'],
    ['exact', 128, '2001:db8::1', '2001:db8::1'],
    ['exact', 9, 0, '0'],
    ['exact', 16, '0x10', '16'],
    ['exact', 64, 2n ** 64n - 1n, '18446744073709551615'],
    ['lpm', 32, '10.0.0.0/8', '10.0.0.0/8'],
    ['lpm', 32, '10.0.0.1', '10.0.0.1/32'],
    ['lpm', 128, '2001:db8::/32', '2001:db8::/32'],
    ['lpm', 9, '0x100/1', '256/1'],
    ['ternary', 16, '0x10&&&0xf0', '16&&&240'],
    ['ternary', 16, 5, '5&&&65535'],
    ['ternary', 32, '10.1.0.0/16', '10.1.0.0&&&255.255.0.0'],
    [
      'ternary',
      48,
      '01:00:5e:00:00:00&&&ff:ff:ff:80:00:00',
      '01:00:5e:00:00:00&&&ff:ff:ff:80:00:00',
    ],
    ['range', 16, '1..1023', '1..1023'],
    ['range', 16, ' 80 ', '80..80'],
    ['optional', 8, '17', '17'],
  ])('%s of %d bits: %s is read, and written as %s', (kind, width, input, text) => {
    const found = overTheWire(one(width, kind), { 'hdr.f': input });
    expect(found && describeMatch(found)).toBe(text);
  });

  test.each<[MatchKind, string]>([
    ['lpm', '*'],
    ['lpm', '0/0'],
    ['ternary', '*'],
    ['ternary', '0&&&0'],
    ['range', '*'],
    ['range', '0..65535'],
    ['optional', '*'],
  ])('%s %s matches anything and is left out', (kind, input) => {
    expect(encodeMatch(one(16, kind), { 'hdr.f': input })).toEqual([]);
  });

  test('what a match is written as is read as the same', () => {
    for (const [kind, text] of [
      ['lpm', '4096/4'],
      ['ternary', '1&&&3'],
      ['range', '0..9'],
    ] as const) {
      const found = overTheWire(one(16, kind), { 'hdr.f': text });
      expect(found && describeMatch(found)).toBe(text);
    }
  });

  test('a field that matches anything is left out though a switch returns it', () => {
    const ternary = new p4.FieldMatchTernary({ value: Uint8Array.of(0), mask: Uint8Array.of(0) });
    const sent = [new p4.FieldMatch({ fieldId: 1, ternary })];
    expect(decodeMatch(one(16, 'ternary'), sent)).toEqual({});
  });

  test('a field may go by the end of its name', () => {
    expect(overTheWire(one(8, 'exact'), { f: 1 })).toEqual({ exact: '1' });
  });

  const two = table(field(1, 'a.f', 8, 'exact'), field(2, 'b.f', 8, 'ternary'));
  test.each<[ReturnType<typeof table>, Match, string]>([
    [two, { f: 1 }, "table 't': 'f' may be any of the match fields a.f, b.f"],
    [two, { 'a.f': 1, g: 1 }, "table 't': no match field 'g'; it has: a.f, b.f"],
    [two, { 'b.f': 1 }, "table 't', field 'a.f': an exact field must be given"],
    [one(8, 'exact'), { f: 1, 'hdr.f': 1 }, "table 't', field 'hdr.f' is given twice"],
    [one(8, 'exact'), { f: '*' }, "table 't', field 'hdr.f': wanted a number up to 255, found '*'"],
    [one(8, 'exact'), { f: 256 }, "table 't', field 'hdr.f': 256 does not fit in 8 bits"],
    [one(8, 'exact'), { f: -1 }, "table 't', field 'hdr.f': -1 does not fit in 8 bits"],
    [
      one(8, 'exact'),
      { f: 1.5 },
      "table 't', field 'hdr.f': wanted a number up to 255, found '1.5'",
    ],
    [one(32, 'lpm'), { f: '10.0.0.1/8' }, "table 't', field 'hdr.f': 10.0.0.1/8 has bits behind"],
    [one(8, 'ternary'), { f: '3&&&1' }, "table 't', field 'hdr.f': the value has bits outside"],
    [one(8, 'range'), { f: '9..1' }, "table 't', field 'hdr.f': the range 9..1 is empty"],
    [one(32, 'lpm'), { f: '10.0.1.0/33' }, 'wanted a prefix length from 0 to 32, found 33'],
    [one(32, 'lpm'), { f: '10.0.1.0/' }, 'wanted a prefix length from 0 to 32, found NaN'],
    [one(32, 'ternary'), { f: '10.0.1.0/y' }, 'wanted a prefix length from 0 to 32, found NaN'],
    [one(32, 'ternary'), { f: '10.0.0.1/8' }, '10.0.0.1/8 has bits behind its prefix'],
    [one(8, 'ternary'), { f: '1&&&2&&&3' }, "wanted value&&&mask, found '1&&&2&&&3'"],
    [one(32, 'lpm'), { f: '1/2/3' }, "wanted value/prefix length, found '1/2/3'"],
    [one(8, 'range'), { f: '1..2..3' }, "table 't', field 'hdr.f': wanted low..high"],
    [one(48, 'exact'), { f: '1:2' }, 'or a MAC address'],
  ])('%# is refused by table, field and width', (owner, match, message) => {
    expect(() => encodeMatch(owner, match)).toThrow(message);
  });
});
