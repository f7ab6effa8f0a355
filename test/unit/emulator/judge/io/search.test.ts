import type { Finding } from '../../../../../emulator/judge/laws';
import { searchCounterexamples } from '../../../../../emulator/judge/io/search';
import type { Trial } from '../../../../../emulator/judge/trial';
import { trialScenario } from '../../../../../emulator/judge/trial';
import {
  FIXED_TRIALS,
  lengthOf,
  PLAIN,
  randomTrial,
  shorterTrials,
} from '../../../../../emulator/judge/trial-space';
import { Random } from '../../../../../common/random/random';

const OPTIONS = { seed: 1, tries: 20, claims: {}, shrinkRuns: 60 };
const GOOD: Finding = {
  evidence: {
    baseRttUs: 2.5,
    bdpBytes: 31_250,
    endUs: 0,
    unfinished: 0,
    togetherUs: 0,
    lateJain: null,
    fairAfterUs: null,
    leastShare: 1,
    lateQueueBytes: 0,
    drops: 0,
  },
};

const searching = (isBroken: (trial: Trial) => boolean, options = OPTIONS) =>
  searchCounterexamples(
    (trials) =>
      Promise.resolve(trials.map((trial) => (isBroken(trial) ? { failure: 'wrong' } : GOOD))),
    options,
  );

describe('the search for counterexamples', () => {
  test('finds nothing where nothing is wrong, and has run all trials once', async () => {
    expect(await searching(() => false)).toEqual({
      trials: FIXED_TRIALS.length + OPTIONS.tries,
      broken: [],
    });
  });

  test('makes a counterexample as short as it can be', async () => {
    const { broken } = await searching(({ flows, bytes }) => flows >= 3 && bytes >= 100_000);
    expect(broken).toHaveLength(1);
    expect(broken[0]?.trial).toMatchObject({ flows: 3, lossRate: 0, isSprayed: false, gapUs: 0 });
    expect(broken[0]?.trial.bytes).toBeLessThan(130_000);
  });

  test('keeps what a counterexample needs', async () => {
    const { broken } = await searching(({ isSprayed, flows }) => isSprayed && flows > 1);
    expect(broken[0]?.trial).toMatchObject({ isSprayed: true, flows: 2 });
  });

  test('equal seeds search alike', async () => {
    const seen: string[][] = [[], []];
    for (const list of seen) {
      await searching((trial) => {
        list.push(JSON.stringify(trial));
        return trial.flows > 5;
      });
    }
    expect(seen[0]).toEqual(seen[1]);
  });

  test('ends where no more runs are made', async () => {
    let runs = 0;
    const outcome = await searchCounterexamples(
      (trials) => Promise.resolve(trials.map(() => (runs++ < 5 ? { failure: 'died' } : undefined))),
      OPTIONS,
    );
    expect(outcome.trials).toBe(5);
    expect(outcome.broken).toHaveLength(1);
  });

  test('all trials are scenarios, and shorter ones are shorter', () => {
    const random = new Random(7);
    const trials = [...FIXED_TRIALS, ...Array.from({ length: 200 }, () => randomTrial(random))];
    for (const trial of trials) {
      expect(trialScenario(trial, 'hpccpp').flows).toHaveLength(trial.flows);
      for (const shorter of shorterTrials(trial)) {
        expect(lengthOf(shorter)).toBeLessThan(lengthOf(trial));
        expect(trialScenario(shorter, 'none').flows).toHaveLength(shorter.flows);
      }
    }
    expect(shorterTrials({ ...PLAIN, flows: 1, bytes: 1000 })).toEqual([]);
  });
});
