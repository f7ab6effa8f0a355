import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { checkStore, keepResult, keptResult } from '../../../../../emulator/study/io/kept-results';
import { RESULT } from '../../../../support/result';
import type { Result } from '../../../../../emulator/result/result';

let folder: string;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-kept-'))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const result: Result = RESULT;

const keptAs = (cell: string, kept: unknown): Uint8Array =>
  zlib.gzipSync(JSON.stringify({ schema: 'hpcc-kept/1', cell, result: kept }));

/** So many bytes of zeros, compressed. PERF: in parts of 4 MB, each of which is compressed alike. */
const zeros = (bytes: number): Uint8Array => {
  const part = zlib.gzipSync(Buffer.alloc(2 ** 22));
  return Buffer.concat(new Array<Uint8Array>(bytes / 2 ** 22).fill(part));
};

describe('whole results of cells', () => {
  test('are found again in a folder', async () => {
    const where = path.join(folder, 'deep', 'er');
    await keepResult(where, { cell: 'ab', result });
    expect(await keptResult(where, 'ab')).toEqual(result);
    expect(fs.readdirSync(where)).toEqual(['ab.json.gz']);
  });

  test('that cannot be written or were never kept are so in one sentence', async () => {
    await expect(keptResult(folder, 'none')).rejects.toThrow(
      new RegExp(`^results in ${folder}: cannot (open|stat) [^\\n]* no such file or directory`),
    );
    await expect(keepResult('/proc/none', { cell: 'ab', result })).rejects.toThrow(
      /^results in \/proc\/none: [^\n]*wanted a folder that can be written to[^\n]*$/,
    );
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    ['1 MB for gigabytes', () => zeros(0x2000_0000), /no compressed result/],
    ['no gzip', () => Buffer.from('{}'), /no compressed result/],
    ['no JSON', () => zlib.gzipSync('{'), /no compressed result/],
    ['null', () => zlib.gzipSync('null'), /no result of a cell/],
    ['a bare result', () => zlib.gzipSync(JSON.stringify(result)), /no result of a cell/],
    ['another cell', () => keptAs('ef', result), /the result of another cell: "ef"/],
    ['no result', () => keptAs('ab', {}), /is no result: /],
  ])(
    'attack 12: a store that answers with %s is refused in a sentence',
    async (_name, bytes, reason) => {
      fs.writeFileSync(path.join(folder, 'ab.json.gz'), bytes());
      await expect(keptResult(folder, 'ab')).rejects.toThrow(reason);
      await expect(keptResult(folder, 'ab')).rejects.toThrow(/^results in [^\n]*$/);
    },
  );

  test('a pipe in place of one is refused at once', async () => {
    execFileSync('mkfifo', [path.join(folder, 'cd.json.gz')]);
    await expect(keptResult(folder, 'cd')).rejects.toThrow(/no compressed result/);
  });

  test('attack 12: a store that ignores that it was given up is left', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const store = { patienceMs: 20, put: never, get: never };
    await expect(keptResult('s3://x', 'ab', store)).rejects.toThrow(
      'results in s3://x: the store has not answered within 0.02 s',
    );
  });

  test('attack 12: a store whose answer does not end is refused once it is too much', async () => {
    let pieces = 0;
    const endless = function* (): Generator<Uint8Array> {
      for (;;) yield Buffer.alloc(1000, ++pieces);
    };
    const store = {
      bytesMax: 50_000,
      put: () => Promise.resolve(),
      get: () => Promise.resolve(Readable.from(endless())),
    };
    await expect(keptResult('s3://x', 'ab', store)).rejects.toThrow(
      /^results in s3:\/\/x: the store sends more than any result has$/,
    );
    expect(pieces).toBeLessThan(100);
  });

  test.each([
    ['s3://results', { Bucket: 'results', prefix: '' }],
    ['s3://my.results/a/b/', { Bucket: 'my.results', prefix: 'a/b/' }],
  ])('may be in the store %s', (where, parts) => {
    expect(checkStore(where)).toEqual(parts);
  });

  test.each(['s3://', 'https://host/results', 's3:///x'])('cannot be in %s', (where) => {
    expect(() => checkStore(where)).toThrow('wanted a folder, or s3://bucket/prefix');
  });
});
