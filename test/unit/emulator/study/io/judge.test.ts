import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadScenario } from '../../../../../emulator/io/inputs/scenario-files';
import type { Result } from '../../../../../emulator/result/result';
import { loadJudge } from '../../../../../emulator/study/io/judge';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'judge-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const scenario = loadScenario('single-flow');
const result = { name: 'one', flows: [{ fctUs: 3 }] } as unknown as Result;
const asked: [string, number][] = [];
const run = (of: { readonly name: string }, seed: number): Promise<Result> => {
  asked.push([of.name, seed]);
  if (seed === 13) return Promise.reject(new Error('no such run'));
  return Promise.resolve({ name: `seed ${seed}` } as unknown as Result);
};

let number = 0;
async function judged(text: string, trust = false): Promise<unknown> {
  const file = path.join(folder, `${++number}.cjs`);
  fs.writeFileSync(file, text);
  const judge = await loadJudge(file, trust);
  return judge({ result, scenario, seed: 7, run });
}

describe('attack 8: a judge has no rights', () => {
  test('but hears of the run, and has others made to compare with', async () => {
    const text = `exports.judge = async ({ result, scenario, seed, run }) => {
      const others = await Promise.all([seed + 1, seed + 2].map((each) => run(scenario, each)));
      return { fct: result.flows[0].fctUs, names: others.map(({ name }) => name).join().length };
    };`;
    expect(await judged(text)).toEqual({ fct: 3, names: 'seed 8,seed 9'.length });
    expect(asked).toEqual([
      ['single-flow', 8],
      ['single-flow', 9],
    ]);
    expect(await judged('exports.judge = () => ({ a: 1 });')).toEqual({ a: 1 });
  });

  test.each([
    ['require', `require('node:fs'); exports.judge = () => ({});`, 'require is not defined'],
    ['process', `exports.judge = () => process.exit(0);`, 'process is not defined'],
    ['the clock', `exports.judge = () => ({ now: Date.now() });`, 'secure mode'],
    [
      'the constructor chain of its input',
      `exports.judge = ({ run }) => run.constructor('return process')();`,
      'Code generation from strings disallowed',
    ],
    [
      'the constructor chain of a result',
      `exports.judge = async ({ run, scenario }) => (await run(scenario, 1)).constructor.constructor('return process')();`,
      'Code generation from strings disallowed',
    ],
    ['a law', `exports.judge = () => { throw new Error('too slow'); };`, 'too slow'],
    ['waiting for ever', `exports.judge = () => new Promise(() => {});`, 'awaits what nothing'],
    [
      'a run that fails',
      `exports.judge = ({ run, scenario }) => run(scenario, 13);`,
      'no such run',
    ],
    ['a run of no scenario', `exports.judge = ({ run }) => run({}, 1);`, 'Invalid input'],
    ['a run of no seed', `exports.judge = ({ run, scenario }) => run(scenario, -1);`, 'Too small'],
    ['no judge', `exports.law = 1;`, "is no judge: it exports no function 'judge'"],
    ['a fault in its text', `exports.judge = ;`, 'cannot be read: Unexpected token'],
  ])('%s ends it with one sentence', async (_name, text, said) => {
    await expect(judged(text)).rejects.toThrow(said);
  });

  // In a process of its own, as jest listens to rejections of all promises.
  test('nor is the program shown what promises of it were rejected with', () => {
    const file = path.join(folder, 'rejecting.cjs');
    const text = `exports.judge = () => {
      Promise.reject({ [Symbol.for('nodejs.util.inspect.custom')]: () => { throw 1; } });
      return { a: 1 };
    };`;
    fs.writeFileSync(file, text);
    const module = require.resolve('../../../../../emulator/study/io/judge');
    const program = `require(${JSON.stringify(module)}).loadJudge(${JSON.stringify(file)}, false)
      .then((judge) => judge({})).then((figures) => console.log(JSON.stringify(figures)));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['{"a":1}\n', '']);
  });

  test('unless it is trusted', async () => {
    const text = `const fs = require('node:fs');
    exports.judge = ({ run }) => ({ files: fs.readdirSync(__dirname).length });`;
    expect(await judged(text, true)).toEqual({ files: fs.readdirSync(folder).length });
  });
});
