import { generatedExecutors } from '../../../switch/codegen/generated-executor';
import { EXECUTORS } from '../../../switch/codegen/executors';
import { dataFrame, neighbouringFlows, probeFrame } from '../../p4/support/flow-frames';
import { EcmpSwitch } from './support/ecmp-switch';

const FLOWS = 2048;
const executor = generatedExecutors();

/** Seeds of two tiers: the default one, neighbours, and some that differ in one or many bits. */
const SEED_PAIRS = [
  [0, 1],
  [0, 0x8000],
  [0x1234, 0x9abc],
  [0x5555, 0xaaaa],
] as const;

const CASES = ([4, 6] as const).flatMap((family) =>
  [2, 3, 4, 8].map((groupSize) => [family, groupSize] as const),
);

describe.each(CASES)('ECMP of IPv%i among %i ports', (family, groupSize) => {
  const device = new EcmpSwitch({ profile: 'hpcc', executor, groupSize, seed: 0 });
  const frames = neighbouringFlows(family, FLOWS).map(dataFrame);
  const chosen = (seed: number): number[] => {
    device.setSeed(seed);
    return frames.map((frame) => device.portOf(frame));
  };

  test.each(SEED_PAIRS)(
    'chooses with the seeds %i and %i evenly and independently of each other',
    (first, second) => {
      const firstChoice = chosen(first);
      const pairs = chosen(second).map((port, i) => (firstChoice[i] ?? 0) * groupSize + port);
      expect(excess(pairs, groupSize ** 2)).toBeLessThan(5);
    },
  );

  test('parts under another seed the flows that collide under one', () => {
    const before = chosen(3);
    const after = chosen(4).filter((_, i) => before[i] === 0);
    expect(excess(after, groupSize)).toBeLessThan(5);
  });
});

describe.each([...EXECUTORS])('ECMP on the executor %s', (_name, create) => {
  test.each([
    'hpcc',
    'hpcc-edge',
    'hpcc-feedback',
    'hpcc-feedback-signed',
    'hpcc-queues',
    'hpcc-sparse',
    'hpcc-spray',
    'hpcc-trim',
    'hpcc-spray-trim',
    'hpcc-usid',
    'hpcc-relative',
    'hpcc-ccm',
    'int-v2',
    'hpcc-counter32',
    'hpcc-model',
  ])('sends in %s a probe the way of the data of its flow', (profile) => {
    const options = { profile, executor: create, groupSize: 8, seed: 0x4711 };
    const device = new EcmpSwitch(options);
    const flows = [...neighbouringFlows(4, 64), ...neighbouringFlows(6, 64)];
    const ports = flows.map((flow) => device.portOf(dataFrame(flow)));
    expect(flows.map((flow) => device.portOf(probeFrame(flow)))).toEqual(ports);
    expect(new Set(ports).size).toBe(8);
  });
});

/**
 * By how many standard deviations chi square exceeds its mean, for numbers below `cells` that shall
 * be equally frequent.
 */
function excess(values: readonly number[], cells: number): number {
  const counts = new Array<number>(cells).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  const expected = values.length / cells;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return (chiSquare - (cells - 1)) / Math.sqrt(2 * (cells - 1));
}
