import { runScenario } from '../support/shared-runs';
import { parseScenario } from '../../emulator/scenario/schema';
import { runPage } from '../../emulator/view/data/run-page';
import type { Result } from '../../emulator/result/result';

/** One trunk, of 100 Gb/s towards h2 and of 25 Gb/s and another delay back. */
const uneven = (from: string, to: string, more = ''): Promise<Result> => {
  const topology =
    'topology: { kind: custom, hosts: [h1, h2], switches: [s1, s2], links: [' +
    '{ between: [h1, s1], rateGbps: 100, delayNs: 1000 },' +
    '{ between: [s1, s2], rateGbps: 100, delayNs: 1000, backRateGbps: 25, backDelayNs: 3000 },' +
    '{ between: [s2, h2], rateGbps: 100, delayNs: 1000 }] }';
  const flows = `flows: [{ from: ${from}, to: ${to}, bytes: 1000000, startUs: 0 }]`;
  const text = `name: uneven\ntitle: uneven\n${topology}\n${flows}\n${more}`;
  const scenario = parseScenario(text, 'uneven.yaml');
  return runScenario({ scenario, seed: 1 }).then(({ result }) => result);
};

const SLOW = 's2:1->s1:2';

describe('a link with a rate and a delay per direction', () => {
  test('carries as much each way as the direction has, and its round trip has both delays', async () => {
    const [there, back] = [await uneven('h1', 'h2'), await uneven('h2', 'h1')];
    const [fast = 0, slow = 0] = [there, back].map(({ flows }) => flows[0]?.fctUs ?? NaN);
    // Ideally 80 us of payload at 100 Gb/s, 320 at 25; both are held back by T's window at most.
    expect(slow / fast).toBeGreaterThan(3);
    expect(slow).toBeGreaterThan(320);
    for (const { flows } of [there, back]) {
      // Nobody is faster than the ideal, which knows the directions.
      expect(flows[0]?.fctUs).toBeGreaterThanOrEqual(flows[0]?.idealFctUs ?? NaN);
      expect(flows[0]?.fctUs).toBeLessThan(1.3 * (flows[0]?.idealFctUs ?? NaN));
    }
    // 10 us of propagation there and back, and less than 2 us of frames.
    expect(there.parameters['baseRttNs']).toBeGreaterThan(8000);
    expect(there.parameters['baseRttNs']).toBeLessThan(10_000);
  });

  test('has its capacity in telemetry, in the utilisation and on the page, each way its own', async () => {
    const result = await uneven('h2', 'h1');
    // Every record was compared with the network's ledger, capacities included.
    expect(result.counters.telemetryRecords).toBeGreaterThan(1000);
    const rates = new Map(result.links.map(({ name, rateGbps }) => [name, rateGbps]));
    expect(rates.get(SLOW)).toBe(25);
    expect(rates.get('s1:2->s2:1')).toBe(100);
    expect(result.bottleneck.link).toBe(SLOW);
    expect(result.bottleneck.utilization).toBeGreaterThan(0.85);
    expect(result.topology.links[1]).toEqual({
      a: 's1',
      b: 's2',
      rateGbps: 100,
      delayUs: 1,
      backRateGbps: 25,
      backDelayUs: 3,
    });
    const { charts } = runPage(result, { command: '', subtitle: '', facts: [] });
    expect(charts.length).toBeGreaterThan(0);
  });

  test('loses nothing behind pauses, whose headroom is that of the way in', async () => {
    const more = 'buffer: { bytes: 200000, pfc: {} }\nparameters: { algorithm: none }';
    const result = await uneven('h2', 'h1', more);
    expect(result.counters.drops).toEqual({});
    expect(result.lossless?.headroomPeakBytes).toBeGreaterThan(0);
  });
});
