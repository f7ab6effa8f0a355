import { Random } from '../../../../common/random/random';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { runScenario } from '../../../../emulator/io/run-scenario';
import { parseScenario } from '../../../../emulator/scenario/schema';
import type { Result } from '../../../../emulator/result/result';
import type { ScenarioDocument } from '../../../../emulator/scenario/schema';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { EFFORT } from '../../../support/effort';
import { reportSkipped } from '../../../support/requires';

/** Packets that are on their way to s2 when the controller has heard of the failure come back to s1. */
const TURNED_BACK = `name: turned-back
title: Switches in a ring, one of whose links fails
topology:
  kind: custom
  switches: [s1, s2, s3, s4, s5]
  hosts: [h1, h2, h3]
  links:
    - { between: [s1, h1], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, h2], rateGbps: 100, delayNs: 1000 }
    - { between: [s3, h3], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, s2], rateGbps: 100, delayNs: 4000 }
    - { between: [s2, s3], rateGbps: 100, delayNs: 1000 }
    - { between: [s3, s4], rateGbps: 100, delayNs: 1000 }
    - { between: [s4, s5], rateGbps: 100, delayNs: 1000 }
    - { between: [s5, s1], rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 200000, startUs: 0 }
  - { from: h2, to: h3, bytes: 200000, startUs: 1 }
events: [{ atUs: 12, between: [s2, s3], state: down }]
reaction: { controllerUs: 3 }
untilUs: 40
parameters: { lossRecovery: selective-repeat }
profile: hpcc-ccm
coordination:
  loadWindow: 8 us
  highBytes: 20000
  lowBytes: 5000
  interval: 5 us
  key: { id: 1, bytes: 000102030405060708090a0b0c0d0e0f }
`;

const FAULTS = `notificationFaults:
  { loss: 0.2, duplicate: 0.5, reorder: 0.5, delayUs: 6, forge: 0.5, replay: 0.5 }
`;

/** PERF: two workers take two seconds of the processor before the first packet. */
const itWithEffort = (name: string, run: () => Promise<void>): void => {
  if (EFFORT > 1) it(name, run);
  else reportSkipped(name, 'HPCC_EFFORT is 1');
};

/** The ring's result by one worker, run once for all tests. */
let alone: Promise<Result> | undefined;
const ringAlone = (): Promise<Result> =>
  (alone ??= runScenario({
    scenario: parseScenario(TURNED_BACK, 'turned-back.yaml'),
    seed: 1,
  }).then(({ result }) => result));

async function textOf(scenario: ScenarioDocument, workers: number): Promise<string> {
  return JSON.stringify((await runScenario({ scenario, seed: 1, workers })).result);
}

describe('coordination observed by several workers', () => {
  it('has the record that one worker makes, with faults of notifications', async () => {
    const scenario = parseScenario(TURNED_BACK + FAULTS, 'turned-back.yaml');
    const { result } = await runScenario({ scenario, seed: 1 });
    const { duplicated = 0, delayed = 0, forged = 0 } = result.coordination?.faults?.hosts ?? {};
    expect(Math.min(duplicated, delayed, forged)).toBeGreaterThan(0);
    expect(result.violations).toEqual([]);
    expect(result.coordination?.log.length).toBeGreaterThan(20);
    expect(await textOf(scenario, 2)).toBe(JSON.stringify(result));
  });

  itWithEffort('has it of a network of four layers', async () => {
    const scenario = { ...loadScenario('ccm-notification-faults'), untilUs: 50 };
    const { result } = await runScenario({ scenario, seed: 1 });
    expect(result.violations).toEqual([]);
    expect(await textOf(scenario, 2)).toBe(JSON.stringify(result));
  });

  itWithEffort('takes no packet for one in a loop that a change has turned back', async () => {
    const scenario = parseScenario(TURNED_BACK, 'turned-back.yaml');
    const result = await ringAlone();
    expect(result.violations).toEqual([]);
    expect(await textOf(scenario, 2)).toBe(JSON.stringify(result));
  });

  it('has it also where any worker runs any node', async () => {
    // PERF: each worker makes all switches of its own ready, of which the ring has few.
    const scenario =
      EFFORT > 1
        ? { ...loadScenario('ccm-both'), untilUs: 40 }
        : parseScenario(TURNED_BACK, 'turned-back.yaml');
    const { hosts, switches } = expandTopology(scenario.topology);
    const workers = EFFORT > 1 ? 3 : 2;
    const random = new Random(7);
    const owners = new Map([...hosts, ...switches].map((node) => [node, random.below(workers)]));
    const { result } = await runScenario({ scenario, seed: 1, workers, owners });
    expect(result.violations).toEqual([]);
    const same = EFFORT > 1 ? await textOf(scenario, 1) : JSON.stringify(await ringAlone());
    expect(JSON.stringify(result)).toBe(same);
  });
});
