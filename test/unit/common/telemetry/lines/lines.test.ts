import * as fs from 'node:fs';
import * as fc from 'fast-check';
import { decodeCapture } from '../../../../../common/telemetry/decode/decode-capture';
import type { DecodeOptions } from '../../../../../common/telemetry/decode/decode-capture';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import { DECODE_FORMATS } from '../../../../../common/telemetry/decode/telemetry';
import type { DecodeFormat } from '../../../../../common/telemetry/decode/telemetry';
import { telemetryLine } from '../../../../../common/telemetry/decode/telemetry-line';
import { ByteText } from '../../../../../common/telemetry/lines/byte-text';
import { csvColumns, CsvLines } from '../../../../../common/telemetry/lines/csv-lines';
import { JsonLines } from '../../../../../common/telemetry/lines/json-lines';
import { TableLines } from '../../../../../common/telemetry/lines/table-lines';
import type { LineFormat } from '../../../../../common/telemetry/lines/line-format';
import { FORMAT_FIELDS, HOP_FIELDS } from '../../../../../common/telemetry/lines/telemetry-fields';
import { WireFault } from '../../../../../common/wire/fault';
import { fixture } from '../../../../support/paths';
import { FOREIGN_FRAMES } from '../../../../support/wire/foreign-frames';
import { formatFrames } from '../../../../support/wire/format-frames';
import { pcapFile } from '../../../../support/wire/pcap-file';

const damaged = (bytes: Uint8Array): Uint8Array => {
  const copy = bytes.slice();
  copy[43] = 255;
  return copy;
};

const frames = formatFrames().map(([, bytes]) => bytes);
const CAPTURES: Uint8Array[] = [
  pcapFile([...frames, damaged(frames[0] ?? new Uint8Array())]),
  pcapFile(FOREIGN_FRAMES.map(([, bytes]) => bytes)),
  ...['telemetry-vectors.pcap', 'ioam6-linux-6.18-qdepth.pcapng'].map((name) =>
    fs.readFileSync(fixture('wire', name)),
  ),
];

const SETTINGS: DecodeOptions[] = [
  {},
  { settings: { csigDialect: 'uec' } },
  { settings: { padding: 'published' } },
  ...DECODE_FORMATS.map((format) => ({ format })),
];

type Json = Readonly<Record<string, unknown>>;

function each(options: DecodeOptions, lines: LineFormat): { text: string; objects: Json[] } {
  const out = new ByteText();
  const objects: Json[] = [];
  lines.start(out);
  for (const capture of CAPTURES) {
    for (const { frame, time, decoded } of decodeCapture(capture, options)) {
      if (decoded instanceof WireFault) continue;
      for (const found of decoded.telemetry) {
        lines.write(out, { frame, time, decoded }, found);
        const line = telemetryLine(frame, time, decoded, found);
        objects.push(JSON.parse(JSON.stringify(line)) as Json);
      }
    }
  }
  return { text: Buffer.from(out.written).toString(), objects };
}

/** Cells of one line, by RFC 4180. */
function cells(line: string): string[] {
  const found = line.matchAll(/("(?:[^"]|"")*"|[^",]*)(,|$)/g);
  const all = [...found].map(([, cell = '']) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
  );
  return line.endsWith(',') ? all : all.slice(0, -1);
}

test.each(SETTINGS)('lines of JSON are the objects of the library (%j)', (options) => {
  const { text, objects } = each(options, new JsonLines());
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(objects);
});

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

test.each(SETTINGS)('CSV has a line per hop with the same values (%j)', (options) => {
  const format = options.format ?? 'auto';
  const { text, objects } = each(options, new CsvLines(format, DEFAULT_DECODE_SETTINGS));
  const [head = '', ...lines] = text.split('\n').slice(0, -1);
  const columns = csvColumns(format);
  expect(head.split(',')).toEqual(columns);
  expect(new Set(columns).size).toBe(columns.length);
  const wanted = objects.flatMap((object): Row[] => {
    const {
      hops = [],
      fault,
      flow = {},
      ...rest
    } = object as Json & { hops?: Json[]; flow?: Json };
    const list: (Json | undefined)[] = hops.length === 0 ? [undefined] : hops;
    return list.map((hop, i) => ({ hop, fault, flow, rest, number: hop && i + 1 }));
  });
  expect(lines).toHaveLength(wanted.length);
  lines.forEach((line, i) => {
    const row = cells(line);
    expect(row).toHaveLength(columns.length);
    expect(row).toEqual(columns.map((column) => expected(column, format, wanted[i])));
  });
});

interface Row {
  readonly hop: Json | undefined;
  readonly number: number | undefined;
  readonly flow: Json;
  readonly fault: unknown;
  readonly rest: Json;
}

const FLOW = ['source', 'destination', 'protocol', 'sourcePort', 'destinationPort', 'dscp'];

function expected(column: string, format: DecodeFormat | 'auto', row: Row | undefined): unknown {
  if (row === undefined) return undefined;
  if (column === 'hop') return asText(row.number);
  if (column === 'fault') return row.fault === undefined ? '' : (expect.any(String) as unknown);
  if (FLOW.includes(column)) return asText(row.flow[column]);
  const own = format === 'auto' ? [] : FORMAT_FIELDS[format].hop;
  const isOfHop = [...HOP_FIELDS.map(([name]): string => name), ...own].includes(column);
  return asText(isOfHop ? row.hop?.[column] : row.rest[column.replace(`${format}.`, '')]);
}

test('every field that a line may have is a column of its format', () => {
  const shared = HOP_FIELDS.map(([name]): string => name);
  const missing: string[] = [];
  for (const options of SETTINGS) {
    for (const {
      format,
      hops = [],
      frame: _f,
      time: _t,
      flow: _w,
      kind: _k,
      fault: _x,
      ...rest
    } of each(options, new JsonLines()).objects as (Json & {
      format: (typeof DECODE_FORMATS)[number];
      hops?: Json[];
    })[]) {
      const { details, hop } = FORMAT_FIELDS[format];
      missing.push(...Object.keys(rest).filter((name) => !details.includes(name)));
      const inHops = hops.flatMap((one) => Object.keys(one));
      missing.push(...inHops.filter((name) => !shared.includes(name) && !hop.includes(name)));
    }
  }
  expect(missing).toEqual([]);
});

describe('numbers in bytes', () => {
  const written = (value: number): string => {
    const out = new ByteText();
    out.number(value);
    return Buffer.from(out.written).toString();
  };

  test('are what JSON has', () => {
    const edges = [
      0,
      9,
      10,
      99,
      100,
      999,
      1e9 - 1,
      1e9,
      1e9 + 1,
      2 ** 32,
      2 ** 48 - 1,
      2 ** 53 - 1,
    ];
    const powers = Array.from({ length: 16 }, (_, i) => 10 ** i);
    for (const value of [...edges, ...powers, ...powers.map((n) => n - 1), -1, 0.5, 1e21]) {
      expect(written(value)).toBe(JSON.stringify(value));
    }
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat({ max: 53 }), (number, shift) => {
        const value = Math.floor(number / 2 ** shift);
        expect(written(value)).toBe(String(value));
      }),
      { seed: 1 },
    );
  });

  test('text may be longer than any room, and need not be ASCII', () => {
    const out = new ByteText();
    const long = 'é€'.repeat(50_000) + 'x'.repeat(200_000);
    out.text(long);
    out.text('end');
    expect(Buffer.from(out.written).toString()).toBe(`${long}end`);
  });
});

test('the table has every value of every hop, right-aligned under its name', () => {
  const { text, objects } = each({}, new TableLines());
  const blocks = text.split(/^frame \d+/m).slice(1);
  expect(blocks).toHaveLength(objects.length);
  blocks.forEach((block, i) => {
    const { hops = [], fault } = objects[i] as Json & { hops?: Json[] };
    expect(block.includes('FAULT')).toBe(fault !== undefined);
    const [names = [], ...rows] = block
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim().split(/ {2,}/));
    const shown = rows.map((row) => new Map(row.map((cell, c) => [names[c] ?? '', cell])));
    const wanted = hops.map((hop, at) => {
      const values = Object.entries({ hop: at + 1, ...hop })
        .filter(([name]) => !name.includes('Modulus'))
        .map(([name, value]): [string, string] => [name, String(value)]);
      const empty = names.map((name): [string, string] => [name, '-']);
      return new Map([...empty, ...values]);
    });
    expect(shown).toEqual(wanted);
    expect(
      new Set(
        block
          .split('\n')
          .slice(1, -1)
          .map(({ length }) => length),
      ).size,
    ).toBeLessThan(2);
  });
});
