import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { parseScenario } from '../../emulator/scenario/schema';
import type { Result } from '../../emulator/result/result';
import { goodput, queuePeak, resultOf, runVariants } from '../support/scenario-runs';

describe('a link that fails and comes back under two flows', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('link-failure');
  });
  const VARIANTS = ['controller', 'watch-ports', 'nobody'];
  /** The flow whose hash had chosen the link. */
  const HIT = 1;

  test.each(VARIANTS)('takes packets but nothing from the application: %s', (variant) => {
    const { flows, violations, links, counters } = resultOf(results, variant);
    expect(violations).toEqual([]);
    expect(flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([6_000_000, 8_000_000]);
    expect(flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(counters.drops).toEqual({});
    const lossy = links.filter(({ lostPackets }) => lostPackets > 0).map(({ name }) => name);
    expect(lossy).toEqual(['leaf1:3->spine1:1']);
  });

  test('stops the flow on it until it comes back when nobody reacts', () => {
    expect(goodput(resultOf(results, 'nobody'), HIT, [200, 850])).toBe(0);
  });

  test('is avoided once the controller has written other routes and the flow tries again', () => {
    const result = resultOf(results, 'controller');
    expect(goodput(result, HIT, [700, 850])).toBeGreaterThan(35);
    expect(goodput(result, 2, [700, 850])).toBeGreaterThan(35);
  });

  test('is avoided at once by a switch that watches its ports', () => {
    const result = resultOf(results, 'watch-ports');
    expect(goodput(result, HIT, [200, 300])).toBeGreaterThan(35);
    const lost = result.links.reduce((sum, { lostPackets }) => sum + lostPackets, 0);
    expect(lost).toBeLessThan(20);
  });

  test('carries its share again once the controller knows that it is back', () => {
    expect(goodput(resultOf(results, 'controller'), HIT, [1000, 1200])).toBeGreaterThan(75);
  });

  test('is one that the network has', async () => {
    const events = '  - { atUs: 1, between: [h1, h2], state: down }\n';
    const scenario = parseScenario(`${TWO_HOSTS}events:\n${events}`, 'none.yaml');
    await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(
      'event 1: no link joins h1 and h2',
    );
  });

  test('gives the same run twice', async () => {
    const events =
      '  - { atUs: 2, between: [s1, h1], state: down }\n' +
      '  - { atUs: 9, between: [h1, s1], state: up }\n';
    const scenario = parseScenario(`${TWO_HOSTS}events:\n${events}`, 'twice.yaml');
    const runs = [
      await runScenario({ scenario, seed: 1 }),
      await runScenario({ scenario, seed: 1 }),
    ];
    expect(JSON.stringify(runs[0]?.result)).toBe(JSON.stringify(runs[1]?.result));
    expect(runs[0]?.result.flows[0]).toMatchObject({ deliveredBytes: 100_000 });
    expect(runs[0]?.result.flows[0]?.retransmittedSegments).toBeGreaterThan(0);
  });
});

describe('a link whose optics are bad', () => {
  const run = async (events: string): Promise<Result> => {
    const scenario = parseScenario(`${TWO_HOSTS}events:\n${events}`, 'optics.yaml');
    return (await runScenario({ scenario, seed: 1 })).result;
  };
  const lostOf = ({ links }: Result): number =>
    links.reduce((sum, { lostPackets }) => sum + lostPackets, 0);

  test('loses a share of its packets from then on, until it is cleaned', async () => {
    const dirty = await run('  - { atUs: 1, between: [s1, h1], lossRate: 0.2 }\n');
    expect(lostOf(dirty)).toBeGreaterThan(10);
    expect(dirty.flows[0]).toMatchObject({ deliveredBytes: 100_000 });
    expect(dirty.violations).toEqual([]);
    const cleaned = await run(
      '  - { atUs: 1, between: [s1, h1], lossRate: 0.2 }\n  - { atUs: 1.1, between: [s1, h1], lossRate: 0 }\n',
    );
    expect(lostOf(cleaned)).toBe(0);
  });

  test('flaps as often as it is told', async () => {
    const flaps = 'flaps: { times: 2, downUs: 2, everyUs: 4 }';
    const flapping = await run(`  - { atUs: 2, between: [s1, h1], ${flaps} }\n`);
    const single = await run(
      [2, 6]
        .map(
          (at) => `  - { atUs: ${at}, between: [s1, h1], state: down }
  - { atUs: ${at + 2}, between: [s1, h1], state: up }\n`,
        )
        .join(''),
    );
    expect(flapping.links).toEqual(single.links);
    expect(flapping.flows).toEqual(single.flows);
    expect(lostOf(flapping)).toBeGreaterThan(0);
  });

  test.each([
    ['{ atUs: 1, between: [s1, h1] }', 'must have one of state, lossRate and flaps'],
    [
      '{ atUs: 1, between: [s1, h1], state: up, lossRate: 0 }',
      'must have one of state, lossRate and flaps',
    ],
    [
      '{ atUs: 1, between: [s1, h1], flaps: { times: 2, downUs: 5, everyUs: 5 } }',
      'downUs must be less than everyUs',
    ],
  ])('is refused in a sentence: %s', (event, message) => {
    expect(() => parseScenario(`${TWO_HOSTS}events:\n  - ${event}\n`, 'optics.yaml')).toThrow(
      message,
    );
  });
});

const TWO_HOSTS = `name: two
title: Two hosts
topology: { kind: star, hosts: 2, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h2, to: h1, bytes: 100000, startUs: 0 }
`;

describe('a flow that pauses while another one takes its link', () => {
  let result: Result;
  beforeAll(async () => {
    result = (await runScenario({ scenario: loadScenario('idle-restart'), seed: 1 })).result;
  });
  /** 100 Gb/s for a base RTT. */
  const BDP_BYTES = 55_000;

  test('loses nothing, and breaks no invariant', () => {
    expect(result.violations).toEqual([]);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(result.flows.every((flow) => flow.retransmittedSegments === 0)).toBe(true);
  });

  test('adds at most its old window to the queue, which is gone four round trips later', () => {
    expect(queuePeak(result, [440, 520])).toBeLessThan(1.1 * BDP_BYTES);
    expect(queuePeak(result, [520, 880])).toBeLessThan(3000);
  });

  test('shares with the other flow again', () => {
    const shares = [1, 2].map((flow) => goodput(result, flow, [600, 800]));
    expect(Math.min(...shares)).toBeGreaterThan(0.85 * Math.max(...shares));
  });
});
