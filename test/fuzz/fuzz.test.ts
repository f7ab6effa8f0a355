import * as path from 'node:path';
import { Random } from '../../common/random/random';
import { toHex } from '../support/hex';
import { runCampaign } from './guidance/campaign';
import { unguided } from './mutations';
import { target as planted } from './planted';
import { targetNamed, targetNames } from './targets';

const task = { seed: 1, seconds: 60, more: [], inputs: 300_000 };

describe('the corpus and some changes of it break no rule of', () => {
  test.each(targetNames())('%s', async (name) => {
    const target = targetNamed(name)?.target;
    if (target === undefined) throw new Error(`no target ${name}`);
    const take = target.start();
    for (const input of unguided(name, target, new Random(1))) {
      try {
        await take(input.slice());
      } catch (error) {
        const { stack = '' } = error as Error;
        throw new Error(`input ${toHex(input)}: ${stack}`, { cause: error });
      }
    }
  });
});

describe('guidance', () => {
  const file = path.join(__dirname, 'planted.js');

  test('finds a fault behind five comparisons, which chance does not', async () => {
    const end = await runCampaign({ ...task, name: 'planted', file });
    if (end.kind !== 'found') throw new Error(`nothing found in ${end.end.tried} inputs`);
    expect(end.why).toContain('the planted fault');
    expect(() => planted.start()(end.input)).toThrow('the planted fault');
    const take = planted.start();
    for (const input of unguided('planted', { ...planted, inSuite: 100_000 }, new Random(1))) {
      void take(input);
    }
  });
});
