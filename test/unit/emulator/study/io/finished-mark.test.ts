import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Cell } from '../../../../../emulator/study/cell';
import {
  finishedCounts,
  markFinished,
  unmarkFinished,
} from '../../../../../emulator/study/io/finished-mark';

const cells = ['a', 'b'].map((id) => ({ id }) as Cell);
const counts = { cells: 2, done: 1, failed: 1 };

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-mark-'));
  fs.mkdirSync(path.join(folder, 'database'));
  fs.writeFileSync(path.join(folder, 'database', 'PG_VERSION'), '17\n');
  markFinished(folder, cells, counts);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('the mark of a finished study', () => {
  test('has the counts of its cells, and of no others', () => {
    expect(finishedCounts(folder, cells)).toEqual(counts);
    expect(finishedCounts(folder, [...cells, { id: 'c' } as Cell])).toBeUndefined();
  });

  test.each([
    ['outcomes are forgotten', () => unmarkFinished(folder)],
    [
      'the database is deleted',
      () => fs.rmSync(path.join(folder, 'database'), { recursive: true }),
    ],
    [
      'the file was spoilt',
      () => fs.writeFileSync(path.join(folder, 'finished.json'), '{"cells":'),
    ],
  ])('means nothing when %s', (_what, change) => {
    change();
    expect(finishedCounts(folder, cells)).toBeUndefined();
  });
});
