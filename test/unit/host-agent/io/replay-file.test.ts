import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../../../common/errors';
import { replayFile } from '../../../../host-agent/io/replay-file';
import { fixture } from '../../../support/paths';

const MI5 = fixture('ns3', 'incast16-mi5.csv.gz');

describe('replaying a file', () => {
  let folder = '';
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'replay-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(name: string, contents: Uint8Array | string): string {
    const file = path.join(folder, name);
    writeFileSync(file, contents);
    return file;
  }

  it('finds the network by the longest path and reproduces every line', async () => {
    const multihop = await replayFile(fixture('ns3', 'multihop-mi5.csv.gz'));
    expect(multihop).toMatchObject({ acks: 1999, mismatches: 0 });
    const star = await replayFile(fixture('ns3', 'incast16-mi0.csv.gz'), 0);
    expect(star).toMatchObject({ acks: 1999, mismatches: 0 });
  });

  it('reads uncompressed files, with either line end', async () => {
    const text = gunzipSync(readFileSync(MI5)).toString();
    const plain = await replayFile(write('plain.csv', text));
    const windows = await replayFile(write('windows.csv', text.replace(/\n/g, '\r\n')));
    expect([plain, windows].map((result) => result.mismatches)).toEqual([0, 0]);
  });

  it('names file and line of a malformed line', async () => {
    const text = gunzipSync(readFileSync(MI5)).toString().split('\n').slice(0, 3);
    const file = write('bad.csv', [...text, '1,2,3'].join('\n'));
    await expect(replayFile(file)).rejects.toThrow(InputError);
    await expect(replayFile(file)).rejects.toThrow(`${file}, line 4: column nhop is missing`);
  });

  it.each([
    ['a file that does not exist', 'absent.csv', undefined],
    ['a compressed file that does not exist', 'absent.csv.gz', undefined],
    ['a file that is not gzip despite its name', 'text.csv.gz', 'hello'],
    ['a file without acknowledgements', 'none.csv', ''],
    ['a compressed file that was cut short', 'short.csv.gz', readFileSync(MI5).subarray(0, 30_000)],
  ])('refuses %s, naming it', async (_name, name, contents) => {
    const file = contents === undefined ? path.join(folder, name) : write(name, contents);
    await expect(replayFile(file)).rejects.toThrow(InputError);
    await expect(replayFile(file)).rejects.toThrow(file);
  });
});
