import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as fc from 'fast-check';
import * as p4info from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4RUNTIME_SCHEMA } from '../../../../common/p4runtime/generated/schema';
import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import type { P4InfoFormat } from '../../../../common/p4runtime/load-p4info';
import { encodeMessage } from '../../../../common/p4runtime/message-encoder';
import { printP4Info } from '../../../support/p4runtime/print-p4info';
import { parseTextFormat } from '../../../../common/p4runtime/text-format';
import { printTextFormat } from '../../../support/p4runtime/text-printer';
import { EXTERNS_P4INFO } from '../../../support/p4runtime/externs-program';
import { SAMPLE_P4INFO } from '../../../support/p4runtime/sample-program';
import { ROOT } from '../../../support/paths';
import { describeIf } from '../../../support/requires';

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
