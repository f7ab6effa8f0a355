import { summaryTable } from '../../../../emulator/judge/judge-tables';
import { lawVerdicts } from '../../../../emulator/judge/judgement';
import type { Judgement } from '../../../../emulator/judge/judgement';
import { LAWS } from '../../../../emulator/judge/laws';
import { FIXED_TRIALS } from '../../../../emulator/judge/trial-space';

describe('the table of several judgements', () => {
  const [law] = LAWS;
  const [trial] = FIXED_TRIALS;
  const judged = (algorithm: string, isBroken: boolean): Judgement => {
    if (law === undefined || trial === undefined) throw new Error('there is none');
    const found = { law: law.name, trial, breach: 'it hangs' };
    return {
      schema: 'hpcc-judgement/1',
      algorithm,
      seed: 1,
      trials: 30,
      laws: lawVerdicts(isBroken ? [found] : []),
      shortest: isBroken ? { ...found, file: 'x.yaml' } : null,
      contests: [],
      standings: [],
    };
  };

  test('has what each breaks, by which scenario, and what all took', () => {
    const table = summaryTable([
      { judgement: judged('sound', false), processorSeconds: 2 },
      { judgement: judged('mine', true), processorSeconds: 1.25 },
    ]);
    expect(table.slice(1)).toEqual([
      ['sound', 'all laws hold', '', '30', '2.0'],
      ['mine', `breaks ${law?.name ?? ''}`, 'it hangs', '30', '1.3'],
      ['2 in all', '', '', '60', '3.3'],
    ]);
  });
});
