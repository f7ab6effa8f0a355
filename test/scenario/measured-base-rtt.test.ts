import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';

const DEADLINE_MS = 60_000;
const BYTES = 200_000;

/** T of a flow at the end of its series, by what it paces its window with. */
const lastT = ({ series }: Result, flow: number): number => {
  const of = series.find((each) => each.flow === flow);
  return ((of?.windowBytes.at(-1) ?? NaN) * 8) / (of?.rateGbps.at(-1) ?? NaN);
};

async function run(parameters: Parameters<typeof withParameters>[1]): Promise<Result> {
  const scenario = withParameters(loadScenario('leaf-spine'), parameters);
  const flows = scenario.flows.map((flow) => ({ ...flow, bytes: BYTES }));
  return (await runScenario({ scenario: { ...scenario, flows }, seed: 1 })).result;
}

const fct = ({ flows }: Result): number[] => flows.map(({ fctUs }) => fctUs ?? Infinity);

describe('flows across a fabric that measure T, beginning with one that is five times too long', () => {
  let known: Result;
  let measured: Result;
  let tooLong: number;
  beforeAll(async () => {
    known = await run({});
    tooLong = 5 * Number(known.parameters['baseRttNs']);
    measured = await run({ baseRtt: 'measured', baseRttUs: tooLong / 1000 });
  }, DEADLINE_MS);

  test('end with what the network would have told them, within 2 %', () => {
    const wanted = Number(known.parameters['baseRttNs']);
    for (const { id } of measured.flows) {
      expect(lastT(measured, id) / wanted).toBeGreaterThan(0.98);
      expect(lastT(measured, id) / wanted).toBeLessThan(1.02);
    }
  });

  test('pay for it with the round trips of their probes and hardly more', () => {
    const rounds = (8 * Number(known.parameters['baseRttNs'])) / 1000;
    const [longest, wanted] = [Math.max(...fct(measured)), Math.max(...fct(known))];
    expect(longest).toBeLessThan(1.1 * (wanted + rounds));
    expect(measured.violations).toEqual([]);
    expect(measured.counters.drops).toEqual({});
  });
});
