import { p4InfoFormatOf, parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { SAMPLE_P4INFO } from '../../../support/p4runtime/sample-program';

const text = (content: string): Uint8Array => Uint8Array.from(Buffer.from(content));
const fromText = (content: string) => parseP4Info(text(content), 'text');
const fromJson = (content: unknown) => parseP4Info(text(JSON.stringify(content)), 'json');

describe('loading P4Info', () => {
  test('the text form is read completely', () => {
    const info = fromText(SAMPLE_P4INFO);
    expect(info.tables.map((each) => each.preamble.name)).toEqual([
      'ingress.route.ipv4_route',
      'ingress.route.ecmp_seed',
      'ingress.acl',
      'ingress.mirror',
      'ingress.classes',
      'ingress.marks',
      'egress.port_record',
    ]);
    expect(info.tables[2]?.matchFields.map((each) => each.matchType)).toEqual([2, 4, 5, 6]);
    expect(info.tables[0]?.implementationId).toBe(285212673);
    expect([...(info.tables[1]?.initialDefaultAction.arguments[0]?.value ?? [])]).toEqual([0, 0]);
    expect(info.actionProfiles[0]?.tableIds).toEqual([33554433]);
    expect(info.registers[0]?.typeSpec.bitstring.bit.bitwidth).toBe(48);
  });

  test('the binary form says the same as the text it was made of', () => {
    const info = fromText(SAMPLE_P4INFO);
    expect(parseP4Info(info.serialize(), 'binary').toObject()).toEqual(info.toObject());
  });

  test('the JSON form says the same, in both spellings of names', () => {
    const fromBoth = [
      {
        tables: [
          {
            preamble: { id: 1, name: 't' },
            matchFields: [{ id: 1, matchType: 'LPM' }],
            size: '9007199254740993',
          },
        ],
      },
      {
        tables: [
          {
            preamble: { id: 1, name: 't' },
            match_fields: [{ id: 1, match_type: 3 }],
            size: '9007199254740993',
          },
        ],
      },
    ].map((each) => fromJson(each).toObject());
    expect(fromBoth[0]).toEqual(fromBoth[1]);
    const sameText =
      'tables { preamble { id: 1 name: "t" } match_fields { id: 1 match_type: LPM } size: 9007199254740993 }';
    expect(fromText(sameText).toObject()).toEqual(fromBoth[0]);
  });

  test('64-bit sizes keep all their bits', () => {
    expect(fromText('tables { size: 9223372036854775807 }').tables[0]?.size).toBe(
      '9223372036854775807',
    );
    expect(fromText('tables { size: -9223372036854775808 }').tables[0]?.size).toBe(
      '-9223372036854775808',
    );
  });

  test('maps are read from text and from JSON', () => {
    const inText = fromText(
      'type_info { new_types { key: "port_t" value { translated_type { uri: "u" sdn_bitwidth: 9 } } } }',
    );
    const inJson = fromJson({
      typeInfo: { newTypes: { port_t: { translatedType: { uri: 'u', sdnBitwidth: 9 } } } },
    });
    expect(inJson.typeInfo.newTypes.get('port_t')?.translatedType.sdnBitwidth).toBe(9);
    expect(inText.typeInfo.newTypes.get('port_t')?.toObject()).toEqual(
      inJson.typeInfo.newTypes.get('port_t')?.toObject(),
    );
  });

  test('bytes are base64 in JSON, and booleans and null are understood', () => {
    const info = fromJson({
      pkgInfo: null,
      tables: [
        {
          isConstTable: true,
          initialDefaultAction: { arguments: [{ paramId: 1, value: 'AQI=' }] },
        },
      ],
    });
    expect(info.tables[0]?.isConstTable).toBe(true);
    expect([...(info.tables[0]?.initialDefaultAction.arguments[0]?.value ?? [])]).toEqual([1, 2]);
    expect(info.hasPkgInfo).toBe(false);
  });

  test.each([
    ['tables { sise: 1 }', "line 1: p4.config.v1.Table has no field 'sise'"],
    ['\ntables { size: x }', "line 2: 'size' wants int64, found 'x'"],
    ['tables { size: "1" }', "line 1: 'size' wants int64, found a string"],
    ['tables: 1', "line 1: 'tables' wants p4.config.v1.Table, found '1'"],
    ['tables { size: 1 size: 2 }', "line 1: 'size' of p4.config.v1.Table is set twice"],
    ['tables { is_const_table: maybe }', "line 1: 'is_const_table' wants bool, found 'maybe'"],
    ['tables { preamble { id: 4294967296 } }', "line 1: 'id' wants uint32, found '4294967296'"],
    [
      'tables { match_fields { match_type: 2147483648 } }',
      "line 1: 'match_type' wants p4.config.v1.MatchField.MatchType, found '2147483648'",
    ],
    [
      'tables { preamble { name: "a\\377" } }',
      "line 1: 'name' wants a string in UTF-8, found other bytes",
    ],
    ['tables { preamble { name: 1 } }', "line 1: 'name' wants string, found '1'"],
    [
      'tables { match_fields { match_type: FUZZY } }',
      "line 1: 'match_type' wants p4.config.v1.MatchField.MatchType, found 'FUZZY'",
    ],
  ])('%j is refused, naming line and field', (content, message) => {
    expect(() => fromText(content)).toThrow(message);
  });

  test.each<[unknown, string]>([
    [{ tabels: [] }, '$.tabels: p4.config.v1.P4Info has no such field'],
    [{ tables: {} }, '$.tables: wanted a list'],
    [{ tables: [1] }, '$.tables[0]: wanted an object, found 1'],
    [{ tables: [{ size: 1.5 }] }, '$.tables[0].size: wanted int64, found 1.5'],
    [[], '$: wanted an object, found []'],
  ])('%j is refused, naming the path', (content, message) => {
    expect(() => fromJson(content)).toThrow(message);
  });

  test('text that is not JSON and bytes that are no message are refused', () => {
    expect(() => parseP4Info(text('{'), 'json')).toThrow('this is not JSON');
    expect(() => parseP4Info(Uint8Array.of(0x0a, 0xff), 'binary')).toThrow(
      'this is not a binary P4Info',
    );
  });

  test.each([
    ['hpcc.p4info.txtpb', 'text'],
    ['hpcc.p4info.txt', 'text'],
    ['hpcc.p4info.json', 'json'],
    ['hpcc.p4info.bin', 'binary'],
    ['hpcc.p4info.pb', 'binary'],
  ])('%s is in %s', (name, format) => {
    expect(p4InfoFormatOf(name)).toBe(format);
  });

  test('octal numbers, as C writes them, are numbers', () => {
    expect(fromText('tables { preamble { id: 017 } }').tables[0]?.preamble.id).toBe(15);
    expect(fromText('tables { preamble { id: 0x10 } }').tables[0]?.preamble.id).toBe(16);
  });

  test('octal numbers with other digits are refused', () => {
    const text = 'tables { preamble { id: 0369 } }';
    expect(() => fromText(text)).toThrow(/'id' wants uint32, found '0369'/);
  });
});
