import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { canonicalText } from '../../../../../emulator/study/cell';
import type { CellInput, Outcome } from '../../../../../emulator/study/cell';
import { loadStudy } from '../../../../../emulator/study/io/load-study';
import { CellSlot } from '../../../../../emulator/study/io/process-pool';

const STUDY = `
name: one
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
figures: [fctUs.median]
judge: judge.cjs
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;
const JUDGE = `
exports.judge = async ({ result, scenario, seed, run }) => {
  const other = await run(scenario, seed);
  if (seed === 2) throw new Error('two is one too many');
  return { flows: result.flows.length, sameTwice: Number(other.durationUs === result.durationUs) };
};
`;

let folder: string;
let slot: CellSlot;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-slot-'));
  slot = new CellSlot();
});
afterAll(() => {
  slot.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs the first cell of a study.
 * @param within the process, and the judge that the study knows, which lies in a folder of its own, since a process
 * loads a file once.
 */
async function run(
  text: string,
  judgeText = JUDGE,
  changes: Partial<CellInput> = {},
  within: { readonly slot: CellSlot; readonly known: string } = { slot, known: JUDGE },
): Promise<Outcome | undefined> {
  const place = within.known === JUDGE ? folder : fs.mkdtempSync(path.join(folder, 'judge-'));
  const file = path.join(place, 'one.yaml');
  const judge = path.join(place, 'judge.cjs');
  fs.writeFileSync(file, text);
  fs.writeFileSync(judge, within.known);
  const study = loadStudy(file);
  const [cell] = [...study.cells()];
  if (cell === undefined) throw new Error('a study has a cell');
  fs.writeFileSync(judge, judgeText);
  const { limits } = study.document;
  const input = canonicalText({ ...cell.input, ...changes });
  return within.slot.run({ cell: cell.id, input, limits, files: { judge: study.judge } });
}

describe('a process for cells', () => {
  test('lets the judge of a study find figures, and run something to compare with', async () => {
    const { summary = '{}' } = (await run(STUDY)) ?? {};
    const { judged } = JSON.parse(summary) as { judged?: unknown };
    expect(judged).toEqual({ flows: 1, sameTwice: 1 });
  });

  test('begins before there is a cell, which then finds it', async () => {
    const early = new CellSlot();
    early.begin({ memoryMb: 512, timeoutSeconds: 120 });
    const { pid } = early;
    const { summary } = (await run(STUDY, JUDGE, {}, { slot: early, known: JUDGE })) ?? {};
    expect([pid, summary]).toEqual([expect.any(Number), expect.any(String)]);
    expect(early.pid).toBe(pid);
    early.stop();
  });

  test('fails a cell that its judge condemns, with the reason', async () => {
    const { reason } = (await run(`${STUDY}seeds: [2]\n`)) ?? {};
    expect(reason).toBe('its judge says: two is one too many');
  });

  test.each([
    ['text', "{ n: 'many' }"],
    ['no object', '7'],
    ['no finite number', '{ n: 1 / 0 }'],
    ['more than anybody reads', "Object.fromEntries([...'a'.repeat(1001)].map((_, i) => [i, i]))"],
  ])('fails a cell whose judge returns %s', async (_what, returned) => {
    const judgeText = `exports.judge = () => (${returned});`;
    const { reason } = (await run(STUDY, judgeText, {}, { slot, known: judgeText })) ?? {};
    expect(reason).toBe(
      'its judge must return an object of at most 1000 finite numbers, and does not',
    );
  });

  test('keeps the beginning of what a judge says, as databases take it', async () => {
    const judgeText = "exports.judge = () => { throw new Error('\\0' + 'x'.repeat(1e6)); };";
    const { reason } = (await run(STUDY, judgeText, {}, { slot, known: judgeText })) ?? {};
    expect(reason).toMatch(/^its judge says: x{1980,}…$/);
    expect(reason?.length).toBeLessThan(2010);
  });

  test('refuses a cell that another judge was meant for', async () => {
    const { reason } = (await run(STUDY, `${JUDGE}// changed`)) ?? {};
    expect(reason).toBe('the cell is for another judge than the one that is here');
  });

  test.each([
    [
      'of another version',
      { version: '0.0.0+other' },
      /^the cell is for version 0\.0\.0\+other, and/,
    ],
    [
      'for other P4 artefacts',
      { p4: { hpcc: '00' } },
      /^the cell is for other artefacts of hpcc: /,
    ],
    ['for artefacts that are missing', { p4: { 'hpcc-none': '00' } }, /hpcc-none/],
  ])('refuses a cell %s in one sentence', async (_what, changes, reason) => {
    const found = (await run(STUDY, JUDGE, changes))?.reason;
    expect(found).toMatch(reason);
    expect(found).not.toContain('\n');
  });

  test('ends a cell that takes longer than it may', async () => {
    const slow = STUDY.replace('timeoutSeconds: 120', 'timeoutSeconds: 0.001');
    expect((await run(slow))?.reason).toBe('takes longer than 0.001 s');
  });
});
