import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { BinaryReader } from 'google-protobuf';
import { assert, unreachable } from '../../../../common/assert';
import * as p4info from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import type { P4Info } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4RUNTIME_SCHEMA } from '../../../../common/p4runtime/generated/schema';
import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import type { P4InfoFormat } from '../../../../common/p4runtime/load-p4info';
import { encodeMessage } from '../../../../common/p4runtime/message-encoder';
import type { TreeField, TreeValue } from '../../../../common/p4runtime/message-encoder';
import type { FieldSchema, ScalarType, Schema } from '../../../../common/p4runtime/schema';
import { parseTextFormat } from '../../../../common/p4runtime/text-format';
import { EXTERNS_P4INFO } from '../../../support/p4runtime/externs-program';
import { SAMPLE_P4INFO } from '../../../support/p4runtime/sample-program';
import { printTextFormat } from '../../../support/p4runtime/text-printer';
import { ROOT } from '../../../support/paths';
import { describeIf } from '../../../support/requires';

/**
 * Decodes the binary form of a message into a tree, fields in the order of their numbers. Fields
 * that the schema lacks are left out. The bytes come from a generated class, so they are sound.
 */
function decodeMessage(
  bytes: Uint8Array,
  messageType: string,
  schema: Schema,
): readonly TreeField[] {
  const known = schema.messages[messageType] ?? [];
  const found = new Map<FieldSchema, TreeValue[]>();
  const reader = new BinaryReader(bytes) as BinaryReader & PackableReader;
  while (reader.nextField()) {
    const field = known.find((each) => each.number === reader.getFieldNumber());
    if (field === undefined) reader.skipField();
    else found.set(field, [...(found.get(field) ?? []), ...fieldValues(reader, field, schema)]);
  }
  return known.flatMap((field) =>
    (found.get(field) ?? []).map((value) => ({ name: field.name, value, where: messageType })),
  );
}

/** Methods of google-protobuf 4 for numbers packed or one by one, which its types lack. */
interface PackableReader {
  readPackableBoolInto(list: boolean[]): void;
  readPackableInt32Into(list: number[]): void;
  readPackableUint32Into(list: number[]): void;
  readPackableEnumInto(list: number[]): void;
  readPackableInt64StringInto(list: string[]): void;
  readPackableUint64StringInto(list: string[]): void;
}

function fieldValues(
  reader: BinaryReader & PackableReader,
  field: FieldSchema,
  schema: Schema,
): readonly TreeValue[] {
  switch (field.kind) {
    case 'message':
      return [{ kind: 'message', fields: decodeMessage(reader.readBytes(), field.type, schema) }];
    case 'enum': {
      const numbers: number[] = [];
      reader.readPackableEnumInto(numbers);
      return numbers.map((each) => word(enumName(schema, field.type, each)));
    }
    case 'scalar':
      return scalars(reader, field.type);
    default:
      return unreachable(field);
  }
}

function scalars(reader: BinaryReader & PackableReader, type: ScalarType): readonly TreeValue[] {
  const words: (string | number | boolean)[] = [];
  switch (type) {
    case 'string':
    case 'bytes':
      return [{ kind: 'bytes', bytes: reader.readBytes() }];
    case 'bool':
      reader.readPackableBoolInto(words as boolean[]);
      break;
    case 'int32':
      reader.readPackableInt32Into(words as number[]);
      break;
    case 'uint32':
      reader.readPackableUint32Into(words as number[]);
      break;
    case 'int64':
      reader.readPackableInt64StringInto(words as string[]);
      break;
    case 'uint64':
      reader.readPackableUint64StringInto(words as string[]);
      break;
    default:
      unreachable(type);
  }
  return words.map((each) => word(String(each)));
}

/** A number that the enum does not define stands for itself. */
function enumName(schema: Schema, type: string, number: number): string {
  const members = Object.entries(schema.enums[type] ?? {});
  return members.find(([, each]) => each === number)?.[0] ?? String(number);
}

const word = (text: string): TreeValue => ({ kind: 'word', text });

/**
 * Writes a message tree in protobuf's JSON form: lower camel case names, 64-bit integers as
 * strings, bytes in base64, enums by name, maps as objects.
 */
function printJsonFormat(
  fields: readonly TreeField[],
  messageType: string,
  schema: Schema,
): string {
  return `${JSON.stringify(messageJson(fields, messageType, schema), null, 1)}\n`;
}

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

function messageJson(fields: readonly TreeField[], messageType: string, schema: Schema): Json {
  const known = schema.messages[messageType] ?? [];
  return Object.fromEntries(
    known.flatMap((field) => {
      const values = fields.filter(({ name }) => name === field.name).map(({ value }) => value);
      if (values.length === 0) return [];
      return [[field.jsonName, fieldJson(values, field, schema)]];
    }),
  );
}

function fieldJson(values: readonly TreeValue[], field: FieldSchema, schema: Schema): Json {
  const all = values.map((value) => valueJson(value, field, schema));
  if (field.kind === 'message' && field.map) {
    return Object.fromEntries(all.map((entry) => mapEntry(entry as Record<string, Json>)));
  }
  const [first] = all;
  assert(first !== undefined, 'a field that is there has a value');
  return field.repeated ? all : first;
}

/** An entry of a map leaves out an empty key or value, as any message does. */
function mapEntry({ key = '', value = {} }: Record<string, Json>): [string, Json] {
  return [typeof key === 'string' ? key : JSON.stringify(key), value];
}

function valueJson(value: TreeValue, field: FieldSchema, schema: Schema): Json {
  switch (value.kind) {
    case 'message':
      return messageJson(value.fields, field.type, schema);
    case 'bytes':
      return Buffer.from(value.bytes).toString(field.type === 'bytes' ? 'base64' : 'utf8');
    case 'word':
      return wordJson(value.text, field);
    default:
      return unreachable(value);
  }
}

function wordJson(text: string, field: FieldSchema): Json {
  if (field.type === 'bool') return text === 'true';
  const exact = field.type === 'int32' || field.type === 'uint32';
  const unnamed = field.kind === 'enum' && /^-?\d+$/.test(text);
  return exact || unnamed ? Number(text) : text;
}

const P4INFO = 'p4.config.v1.P4Info';

/** Writes P4Info in any form that p4c writes; the opposite of `parseP4Info`. */
function printP4Info(p4info: P4Info, format: P4InfoFormat): Uint8Array {
  const bytes = p4info.serialize();
  if (format === 'binary') return bytes;
  const tree = decodeMessage(bytes, P4INFO, P4RUNTIME_SCHEMA);
  switch (format) {
    case 'json':
      return Uint8Array.from(Buffer.from(printJsonFormat(tree, P4INFO, P4RUNTIME_SCHEMA)));
    case 'text':
      return Uint8Array.from(Buffer.from(printTextFormat(tree)));
    default:
      return unreachable(format);
  }
}

const FORMATS: readonly P4InfoFormat[] = ['text', 'json', 'binary'];
const PROGRAMS: readonly (readonly [string, Uint8Array, P4InfoFormat])[] = [
  ['the sample program', Buffer.from(SAMPLE_P4INFO), 'text'],
  ['the externs program', Buffer.from(EXTERNS_P4INFO), 'text'],
  ['hpcc.p4', fs.readFileSync(path.join(ROOT, 'p4src/artifacts/hpcc.p4info.json')), 'json'],
];

/** P4Info with everything that is hard to write: maps, 64 bits, enums, bytes, odd characters. */
function hard(name: string, bytes: Uint8Array, size: bigint): p4info.P4Info {
  const preamble = new p4info.Preamble({ id: 4294967295, name, annotations: [name, ''] });
  const call = new p4info.TableActionCall({
    arguments: [new p4info.TableActionCallArgument({ paramId: 1, value: bytes })],
  });
  const table = new p4info.Table({
    preamble,
    size: String(size),
    directResourceIds: [1, 300, 4294967295],
    matchFields: [
      new p4info.MatchField({ id: 1, name, matchType: p4info.MatchFieldMatchType.LPM }),
      new p4info.MatchField({ id: 2, otherMatchType: name }),
    ],
    initialDefaultAction: call,
    isConstTable: true,
  });
  const info = parseP4Info(Buffer.from(EXTERNS_P4INFO), 'text');
  info.tables = [table];
  return info;
}

describe('P4Info as text', () => {
  test.each(PROGRAMS)('%s is the same after printing and parsing', (_name, content, format) => {
    const original = parseP4Info(content, format);
    for (const each of FORMATS) {
      expect(parseP4Info(printP4Info(original, each), each).serialize()).toEqual(
        original.serialize(),
      );
    }
  });

  test('any names, bytes and numbers survive every form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ maxLength: 20 }),
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        (name, bytes, size) => {
          const original = hard(name, bytes, size);
          for (const format of FORMATS) {
            const again = parseP4Info(printP4Info(original, format), format);
            expect(again.serialize()).toEqual(original.serialize());
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('the text form is that of p4c: one field per line, strings escaped', () => {
    const info = new p4info.P4Info({
      pkgInfo: new p4info.PkgInfo({ arch: 'v1model "5"\n' }),
      tables: [new p4info.Table({ size: '1024', isConstTable: true })],
    });
    expect(Buffer.from(printP4Info(info, 'text')).toString()).toBe(
      [
        'pkg_info {',
        '  arch: "v1model \\"5\\"\\n"',
        '}',
        'tables {',
        '  size: 1024',
        '  is_const_table: true',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('the JSON form has 64-bit numbers as strings and enums by name', () => {
    const info = new p4info.P4Info({
      tables: [
        new p4info.Table({
          size: '9007199254740993',
          matchFields: [
            new p4info.MatchField({
              id: 7,
              matchType: p4info.MatchFieldMatchType.RANGE,
            }),
          ],
        }),
      ],
    });
    expect(JSON.parse(Buffer.from(printP4Info(info, 'json')).toString())).toEqual({
      tables: [{ size: '9007199254740993', matchFields: [{ id: 7, matchType: 'RANGE' }] }],
    });
  });
});

const hasProtoc = ((): boolean => {
  try {
    execFileSync('protoc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describeIf(hasProtoc, 'P4Info and protoc', 'protoc is not on PATH', () => {
  const protoc = (mode: 'encode' | 'decode', input: Uint8Array): Buffer =>
    execFileSync(
      'protoc',
      [
        `--${mode}=p4.config.v1.P4Info`,
        `--proto_path=${path.join(ROOT, 'common/p4runtime/proto')}`,
        'p4/config/v1/p4info.proto',
      ],
      { input },
    );

  test('protoc reads what is printed, and what protoc prints is read', () => {
    const original = hard('ein Name: "ö"\\', Uint8Array.of(0, 1, 200, 48), 5n);
    const encoded = protoc('encode', printP4Info(original, 'text'));
    expect(parseP4Info(encoded, 'binary').serialize()).toEqual(original.serialize());
    const text = protoc('decode', original.serialize());
    expect(parseP4Info(text, 'text').serialize()).toEqual(original.serialize());
    const tree = parseTextFormat(text.toString());
    const printed = parseTextFormat(printTextFormat(tree));
    expect(encodeMessage(printed, 'p4.config.v1.P4Info', P4RUNTIME_SCHEMA)).toEqual(
      encodeMessage(tree, 'p4.config.v1.P4Info', P4RUNTIME_SCHEMA),
    );
  });
});
