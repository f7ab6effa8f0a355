import { coordinationRow } from '../../emulator/result/comparison';
import type { CoordinationRow } from '../../emulator/result/comparison';
import type { CoordinationLogEntry } from '../../emulator/result/coordination-record';
import { scenarioInMode } from '../../emulator/scenario/variants';
import type { CoordinationMode } from '../../emulator/scenario/variants';
import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { scenarioNames } from '../../emulator/io/inputs/catalogue';
import type { Result } from '../../emulator/result/result';
import { EFFORT } from '../support/effort';
import { reportSkipped } from '../support/requires';

/** PERF: of two runs of many switches each. */
const itWithEffort = (name: string, run: () => Promise<void>): void => {
  if (EFFORT > 1) it(name, run);
  else reportSkipped(name, 'HPCC_EFFORT is 1');
};

const results = new Map<string, Promise<Result>>();

/** The result of a scenario in a mode, which is run once for all tests. */
function run(name: string, mode: CoordinationMode): Promise<Result> {
  const key = `${name} ${mode}`;
  const known = results.get(key) ?? runAnew(name, mode);
  results.set(key, known);
  return known;
}

async function runAnew(name: string, mode: CoordinationMode): Promise<Result> {
  const scenario = scenarioInMode(loadScenario(name), mode);
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  return result;
}

const rowOf = async (name: string, mode: CoordinationMode): Promise<CoordinationRow> =>
  coordinationRow(await run(name, mode));

describe('the end-to-end example of the draft', () => {
  let result: Result;
  let log: readonly CoordinationLogEntry[];

  beforeAll(async () => {
    result = await run('ccm-draft-example', 'coordinated');
    log = (result.coordination?.log ?? []).filter(({ flow }) => flow === 1);
  });

  /** Where the log says so first, from line `from` on. */
  function find(from: number, node: string, what: string, detail: RegExp): number {
    const at = log.findIndex(
      (entry, i) =>
        i >= from && entry.node === node && entry.what === what && detail.test(entry.detail),
    );
    expect([node, what, String(detail), at >= 0]).toEqual([node, what, String(detail), true]);
    return at;
  }

  // draft-lyu-rtgwg-coordinated-cm-01 section 7; each step comes after the one before.
  const STEPS: readonly (readonly [string, string, RegExp])[] = [
    // Several light paths: the switch names itself, and chooses one.
    ['L1-1-1', 'indicator', /^CC clear, AR L1-1-1$/],
    ['L1-1-1', 'path', /^L2-1-1$/],
    ['L2-1-1', 'indicator', /^CC clear, AR L2-1-1$/],
    ['L2-1-1', 'path', /^L3-1-1$/],
    // One light path: the indicator stays.
    ['L3-1-1', 'indicator', /^CC clear, AR L2-1-1$/],
    ['L3-1-1', 'path', /^L4-1-1$/],
    // No light path: the point that the indicator names is asked.
    ['L4-1-1', 'notification-sent', /^rerouting-required to L2-1-1$/],
    ['L2-1-1', 'notification-received', /^rerouting-required from L4-1-1$/],
    ['L2-1-1', 'path', /^L3-2-1$/],
    // Incast at the last switch.
    ['L1-3-1', 'notification-sent', /^control-required to H-1-1$/],
    ['H-1-1', 'notification-received', /^control-required from L1-3-1$/],
    ['H-1-1', 'tagged', /^$/],
    ['L1-1-1', 'indicator', /^CC set/],
    ['H-1-1', 'rate', /^[0-7]?\d\.\d+ Gb\/s$/],
    // The incast is over.
    ['L1-3-1', 'notification-sent', /^control-released to H-1-1$/],
    ['H-1-1', 'notification-received', /^control-released from L1-3-1$/],
    ['H-1-1', 'released', /^$/],
    ['L1-1-1', 'indicator', /^CC clear/],
    ['H-1-1', 'rate', /^(8|9)\d\.\d+ Gb\/s$/],
  ];

  it('happens event by event, in order', () => {
    STEPS.reduce((from, [node, what, detail]) => find(from, node, what, detail) + 1, 0);
  });

  it('shows the first packet of the flow on the way that the draft gives it', () => {
    const firstPaths = log.filter(({ what }) => what === 'path').slice(0, 3);
    expect(firstPaths.map(({ node, detail }) => `${node} to ${detail}`)).toEqual([
      'L1-1-1 to L2-1-1',
      'L2-1-1 to L3-1-1',
      'L3-1-1 to L4-1-1',
    ]);
  });

  it('re-routes the flow no more once it is tagged', () => {
    expect(result.coordination?.taggedReroutes).toBe(0);
  });

  it('ends with every byte delivered', () => {
    expect(result.flows.filter(({ fctUs }) => fctUs === null)).toEqual([]);
  });

  it('has no flow that is faster than the best of its paths, where some of them are slow', () => {
    for (const { slowdown } of result.flows) expect(slowdown).toBeGreaterThanOrEqual(1);
    // 2.2 MB, by links of 100 Gb/s though the first of the shortest ways has one of 10 Gb/s.
    expect(result.flows[0]?.idealFctUs).toBeGreaterThan(176);
    expect(result.flows[0]?.idealFctUs).toBeLessThan(260);
  });
});

describe('coordination', () => {
  it('makes few large flows a quarter faster than ECMP, and slows none of them down', async () => {
    const ecmp = await rowOf('ccm-imbalance', 'ecmp');
    const coordinated = await rowOf('ccm-imbalance', 'coordinated');
    expect(ecmp.reductionsBelowFair).toBeGreaterThan(0);
    expect(coordinated.reductionsBelowFair).toBe(0);
    const ratio = (coordinated.completionUs ?? Infinity) / (ecmp.completionUs ?? 0);
    expect(ratio).toBeLessThanOrEqual(0.75);
  });

  it('leaves an incast to congestion control: no other path, no longer queue, no later end', async () => {
    const alone = await rowOf('ccm-incast', 'ecmp');
    const coordinated = await rowOf('ccm-incast', 'coordinated');
    expect(coordinated.tagged).toBe(7);
    expect(coordinated.taggedReroutes).toBe(0);
    expect(coordinated.queuePeakBytes).toBeLessThanOrEqual(1.05 * alone.queuePeakBytes);
    expect(coordinated.queueP99Bytes).toBeLessThanOrEqual(1.05 * alone.queueP99Bytes);
    expect(coordinated.fctMedianUs).toBeLessThanOrEqual(1.05 * alone.fctMedianUs);
    expect(coordinated.fctMaxUs).toBeLessThanOrEqual(1.05 * alone.fctMaxUs);
  });

  it('releases no incast whose flows keep the port full, where the document says so', async () => {
    const scenario = scenarioVariant(loadScenario('ccm-incast'), 'full-port');
    const { result: kept } = await runScenario({ scenario, seed: 1 });
    const released = await run('ccm-incast', 'coordinated');
    expect(kept.violations).toEqual([]);
    const counts = ({ coordination }: Result): readonly number[] =>
      ['control-required', 'control-released'].map(
        (type) =>
          coordination?.log.filter(
            ({ what, detail }) => what === 'notification-sent' && detail.startsWith(type),
          ).length ?? NaN,
      );
    const [before, now] = [counts(released), counts(kept)];
    expect([before[1], now[1]]).toEqual([7, 0]);
    expect(now[0]).toBeGreaterThan(before[0] ?? NaN);
    const slowest = (result: Result): number => coordinationRow(result).fctMaxUs;
    expect(slowest(kept)).toBeLessThanOrEqual(slowest(released));
  });

  // A hundred choices of paths are test/campaigns/coordination-both.yaml.
  it('carries more than either alone when both happen at once', async () => {
    const ecmp = await rowOf('ccm-both', 'ecmp');
    const adaptive = await rowOf('ccm-both', 'adaptive');
    const coordinated = await rowOf('ccm-both', 'coordinated');
    for (const { unfinished, taggedReroutes } of [ecmp, adaptive, coordinated]) {
      expect([unfinished, taggedReroutes]).toEqual([0, 0]);
    }
    const best = Math.max(ecmp.throughputGbps, adaptive.throughputGbps);
    expect(coordinated.throughputGbps).toBeGreaterThanOrEqual(best);
    expect(coordinated.reordered).toBeLessThanOrEqual(adaptive.reordered / 2);
  });

  itWithEffort('is no slower than adaptive routing where it moves flows in flight', async () => {
    const adaptive = await rowOf('ccm-dragonfly', 'adaptive');
    const coordinated = await rowOf('ccm-dragonfly', 'coordinated');
    expect(coordinated.reordered).toBeGreaterThan(100);
    // Late is not lost: hosts repeat what is missing, and hardly take anything for that in vain.
    expect(coordinated.retransmitted).toBeLessThanOrEqual(0.01 * coordinated.packets);
    expect(coordinated.completionUs).toBeLessThanOrEqual(adaptive.completionUs ?? 0);
  });

  itWithEffort(
    'lets spray see a path that is slow, and leaves tagged packets in order',
    async () => {
      const [blind, result] = [
        await run('ccm-spray', 'adaptive'),
        await run('ccm-spray', 'coordinated'),
      ];
      const [spray, coordinated] = [coordinationRow(blind), coordinationRow(result)];
      expect([blind.coordination?.mode, result.coordination?.mode]).toEqual([
        'spray',
        'coordinated spray',
      ]);
      expect(spray).toMatchObject({ unfinished: 0, reroutingRequired: 0 });
      expect(coordinated).toMatchObject({ unfinished: 0, taggedReroutes: 0 });
      // One of four equal shares goes over the slow link, unless somebody asks.
      expect(coordinated.reroutingRequired).toBeGreaterThan(0);
      expect(coordinated.completionUs).toBeLessThanOrEqual(0.5 * (spray.completionUs ?? 0));
      expect(coordinated.tagged).toBe(4);
    },
  );

  it('survives a link that fails: every flow ends', async () => {
    const row = await rowOf('ccm-link-failure', 'coordinated');
    expect(row).toMatchObject({ unfinished: 0, reductionsBelowFair: 0 });
  });

  it('has scenarios that say what they need', () => {
    const names = scenarioNames().filter((name) => name.startsWith('ccm-'));
    expect(names.length).toBeGreaterThanOrEqual(9);
    for (const name of names) scenarioInMode(loadScenario(name), 'coordinated');
    expect(() => scenarioInMode(loadScenario('incast16'), 'ecmp')).toThrow(
      "incast16 has no coordination: it needs 'profile: hpcc-ccm'",
    );
  });
});
