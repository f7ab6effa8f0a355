import { textSummary } from '../../cli/shared/summary';
import { factsOf } from '../../emulator/view/data/run-page';
import { comparisonOf } from '../../emulator/view/data/two-runs';
import { figureAt } from '../../emulator/figures/dictionary';
import { runScenario } from '../support/shared-runs';
import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { SPRAY_POLICIES } from '../../controller/document/spray';
import { BALANCING_POLICIES } from '../../host-agent/path/entropy/balancing';

const run = async (scenario: ScenarioDocument): Promise<Result> =>
  (await runScenario({ scenario, seed: 1 })).result;
const fcts = ({ flows }: Result): number[] => flows.map(({ fctUs }) => fctUs ?? Infinity);

const BY_SWITCHES = SPRAY_POLICIES.map((policy) => `switch-${policy}`);
const SPRAYING = ['random', 'round-robin', 'reps', 'mrc', ...BY_SWITCHES];
const POLICIES = ['ecmp', ...BALANCING_POLICIES, ...BY_SWITCHES];

describe('a permutation at full load', () => {
  const results = new Map<string, Result>();
  const result = (policy: string): Result => results.get(policy) as Result;
  beforeAll(async () => {
    const spray = loadScenario('spray');
    for (const name of POLICIES) {
      results.set(name, await run(scenarioVariant(spray, name)));
    }
  }, 120_000);

  test.each(POLICIES)('breaks no invariant and ends with %s', (policy) => {
    expect(result(policy).violations).toEqual([]);
    expect(result(policy).unfinished).toBeUndefined();
    expect(Math.max(...fcts(result(policy)))).toBeLessThan(Infinity);
  });

  test.each(SPRAYING)('ends sooner with %s than with ECMP', (policy) => {
    expect(Math.max(...fcts(result(policy)))).toBeLessThan(0.7 * Math.max(...fcts(result('ecmp'))));
  });

  test('leaves shorter queues by turns of the switches than by chance', () => {
    const queueOf = (policy: string): number => result(policy).bottleneck.queueP99Bytes;
    for (const policy of ['switch-round-robin', 'switch-least-queued']) {
      expect(queueOf(policy)).toBeLessThan(0.8 * queueOf('switch-random'));
    }
  });

  test('is used better by hpccpp-spray than by the listing of the draft, without losses', async () => {
    const own = await run(scenarioVariant(loadScenario('spray'), 'hpccpp-spray'));
    const rates = ({ flows }: Result): number =>
      flows.reduce((sum, { bytes, fctUs }) => sum + bytes / (fctUs ?? Infinity), 0);
    expect(own.violations).toEqual([]);
    expect(rates(own)).toBeGreaterThan(1.03 * rates(result('switch-round-robin')));
    expect(own.flows.every(({ retransmittedSegments }) => retransmittedSegments === 0)).toBe(true);
  });

  test('is reordered by spray, and counted, without anything sent again', () => {
    expect(result('ecmp').reordering).toBeUndefined();
    for (const policy of SPRAYING) {
      const { reordering, flows, frames } = result(policy);
      expect(reordering?.packets).toBeGreaterThan(10);
      expect(reordering?.share).toBeLessThan(0.6);
      expect(reordering?.maxBytes).toBeGreaterThanOrEqual(frames.segmentBytes);
      expect(reordering?.meanBytes).toBeLessThanOrEqual(reordering?.maxBytes ?? 0);
      const again = flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0);
      expect(again).toBe(0);
    }
  });
});

test('reordering stands on the page, on the console, and beside a run without', async () => {
  const spray = loadScenario('spray');
  const [sprayed, hashed] = [
    await run(scenarioVariant(spray, 'switch-random')),
    await run(scenarioVariant(spray, 'ecmp')),
  ];
  const { name } = figureAt('reordering.packets');
  const { packets } = sprayed.reordering ?? { packets: NaN };
  const written = packets.toLocaleString('en').replaceAll(',', '');
  const digits = (text: string): string => text.replaceAll(/[^\d%a-zA-Z\n -]/g, '');
  const facts = (result: Result) =>
    new Map(factsOf(result).map(([value, label]) => [label, value]));
  expect(digits(facts(sprayed).get(name) ?? '')).toBe(written);
  expect(facts(hashed).has(name)).toBe(false);
  const console = (result: Result): string => textSummary({ result, wallSeconds: 1 });
  expect(digits(console(sprayed))).toMatch(new RegExp(`${name} +${written} `));
  expect(console(hashed)).not.toContain('reordered');
  const [figures] = comparisonOf(
    { name: 'hashed', result: hashed },
    { name: 'sprayed', result: sprayed },
  );
  const row = figures?.rows?.find(([label]) => label === name);
  expect(row?.map((cell) => digits(cell))).toEqual([name, '-', written]);
});

describe('a fabric of which one link fails while nobody re-routes', () => {
  const failing = scenarioSchema.parse({
    name: 'failing',
    title: 'Two flows over four spines, of which one is lost',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 4,
      hostsPerLeaf: 2,
      rateGbps: 100,
      delayNs: 500,
    },
    flows: ['h1', 'h2'].map((from, i) => ({ from, to: `h${i + 3}`, bytes: 1_000_000, startUs: 0 })),
    events: [{ atUs: 30, between: ['leaf1', 'spine1'], state: 'down' }],
    reaction: { controllerUs: null },
    parameters: { lossRecovery: 'selective-repeat' },
    untilUs: 2000,
  });

  const lostIn = ({ links }: Result): number =>
    links.reduce((sum, { lostPackets }) => sum + lostPackets, 0);
  const lost = async (balancing: 'random' | 'reps' | 'mrc'): Promise<number> =>
    lostIn(await run(withParameters(failing, { balancing })));

  test('loses fewer packets with recycled entropies than with random ones', async () => {
    const [random, reps] = [await lost('random'), await lost('reps')];
    expect(random).toBeGreaterThan(100);
    expect(reps).toBeLessThan(random / 3);
  });

  test('ends flows of MRC within a round trip of what it takes without the failure', async () => {
    const failed = await run(withParameters(failing, { balancing: 'mrc' }));
    const whole = await run(withParameters({ ...failing, events: [] }, { balancing: 'mrc' }));
    const later = fcts(failed).map((fct, i) => fct - (fcts(whole)[i] ?? NaN));
    // Four links of 500 ns each way, and a frame of 1.1 KB at each of four ports.
    expect(Math.max(...later)).toBeLessThan(4.5);
    // Of 128 entropies a quarter led there, each of which loses one packet, and less where others were known good.
    for (const { retransmittedSegments } of failed.flows) {
      expect(retransmittedSegments).toBeGreaterThan(0);
      expect(retransmittedSegments).toBeLessThan(40);
    }
  });

  test('is used again by flows of MRC once it is back', async () => {
    const flows = failing.flows.map((flow) => ({ ...flow, bytes: 4_000_000 }));
    const back = {
      atUs: 100,
      between: ['leaf1', 'spine1'] as [string, string],
      state: 'up' as const,
    };
    const uplinkOf = async (events: ScenarioDocument['events']): Promise<number> => {
      const scenario = withParameters({ ...failing, flows, events }, { balancing: 'mrc' });
      const { links } = await run(scenario);
      const uplink = links.find(({ name }) => /^leaf1:.*->spine1:/.test(name));
      return (uplink?.packets ?? NaN) - (uplink?.lostPackets ?? NaN);
    };
    const [down, up] = [await uplinkOf(failing.events), await uplinkOf([...failing.events, back])];
    expect(up).toBeGreaterThan(5 * down);
  });
});

describe('what does not go with spray by switches', () => {
  const spray = scenarioVariant(loadScenario('spray'), 'switch-random');
  test.each([
    ['go-back-n', {}, { lossRecovery: 'go-back-n' }, 'it needs framing: hpcc'],
    ['an entropy per packet', {}, { balancing: 'reps' }, 'balancing chooses by what switches hash'],
    ['path selection', {}, { paths: 2 }, 'paths chooses by what switches hash'],
    ['another profile', { profile: 'hpcc-queues' }, {}, 'needs switches of the profile hpcc-spray'],
  ] as const)('%s is refused', async (_what, where, parameters, reason) => {
    const asked = async () => run(withParameters({ ...spray, ...where }, parameters));
    await expect(asked()).rejects.toThrow(reason);
  });
});

describe('what does not go with an entropy per packet', () => {
  const spray = loadScenario('spray');
  test.each([
    ['go-back-n', { lossRecovery: 'go-back-n' }, 'balancing: random lets packets overtake'],
    ['path selection', { paths: 4 }, 'paths keeps a flow on one path'],
    ['RoCEv2', { framing: 'rocev2', mss: 1024 }, 'framing'],
    ['a gap without flowlets', { flowletGapUs: 1 }, 'flowletGapUs is about balancing: flowlet'],
    ['REPS by probes', { balancing: 'reps', feedback: 'probe' }, 'learns from acknowledgements'],
    ['MRC by probes', { balancing: 'mrc', feedback: 'probe' }, 'learns from acknowledgements'],
    ['a gap without a policy', { balancing: 'ecmp', entropies: 8 }, 'it needs balancing'],
  ] as const)('%s is refused', async (_what, parameters, reason) => {
    const asked = async () => run(withParameters(spray, { balancing: 'random', ...parameters }));
    await expect(asked()).rejects.toThrow(reason);
  });
});
