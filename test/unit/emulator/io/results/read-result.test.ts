import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readResult } from '../../../../../emulator/io/results/read-result';
import { resultSchema } from '../../../../../emulator/result/result';
import { RESULT } from '../../../../support/result';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-result-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'result.json');
const read = (text: string) => {
  fs.writeFileSync(file, text);
  return readResult(folder, () => resultSchema);
};

test('a result is read from its folder', () => {
  expect(read(JSON.stringify(RESULT))).toEqual({ result: RESULT, folder });
});

test.each([
  ['no JSON', '{', 'is no JSON'],
  ['a list of nothing', 'null', 'wanted an object'],
  ['a word for a number', JSON.stringify({ ...RESULT, durationUs: 'x' }), 'durationUs: '],
  ['a number beyond all', JSON.stringify(RESULT).replace('4.2', '1e999'), 'durationUs: '],
  ['a document of another kind', '{"a":1}', 'found a document without schema'],
  [
    'a result of another version',
    JSON.stringify({ ...RESULT, schema: 'hpcc-result/9' }),
    '"hpcc-result/1"), found "hpcc-result/9"',
  ],
  [
    'a result without a part',
    JSON.stringify({ ...RESULT, seed: undefined }),
    'seed: is missing; wanted a number',
  ],
  [
    'a series that is cut',
    JSON.stringify({ ...RESULT, series: [{ ...RESULT.series[0], timeUs: [0] }] }),
    'series.0.rateGbps: ',
  ],
])('%s is refused with the place', (_what, text, message) => {
  expect(() => read(text)).toThrow(message);
  expect(() => read(text)).toThrow(file);
});

test('a file that is not there is named', () => {
  expect(() => readResult('/nowhere/x', () => resultSchema)).toThrow('cannot read /nowhere/x');
});
