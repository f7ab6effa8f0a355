import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import { resultOf, runVariants } from '../support/scenario-runs';

/** The first three are waited for, the others can wait. */
const URGENT = 3;

describe('three urgent transfers and three that can wait', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('admission');
  });
  const of = (variant: string): Result => resultOf(results, variant);
  const fct = (variant: string): number[] => of(variant).flows.map(({ fctUs }) => fctUs ?? NaN);

  test.each(['at-once', 'admitted'])('break no invariant, and all end (%s)', (variant) => {
    const { violations, flows, counters } = of(variant);
    expect(violations).toEqual([]);
    expect(flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(counters.hostRejections).toEqual({});
  });

  test('end at less than half the time where they are urgent', () => {
    const [atOnce, admitted] = [fct('at-once'), fct('admitted')];
    for (let i = 0; i < URGENT; i++) {
      expect(admitted[i]).toBeLessThan(0.45 * (atOnce[i] ?? NaN));
    }
  });

  test('end no later in all where they have waited', () => {
    const [atOnce, admitted] = [fct('at-once'), fct('admitted')].map((all) => all.slice(URGENT));
    expect(Math.max(...(admitted ?? []))).toBeLessThan(Math.max(...(atOnce ?? [])));
  });

  test('leave half of the queue, for a hundredth of the bytes in probes', () => {
    const [atOnce, admitted] = [of('at-once'), of('admitted')];
    expect(admitted.bottleneck.queueP99Bytes).toBeLessThan(0.6 * atOnce.bottleneck.queueP99Bytes);
    expect(admitted.traffic.probes.bytes).toBeLessThan(admitted.traffic.data.bytes / 100);
    expect(atOnce.traffic.probes.packets).toBe(0);
  });
});

test('admission is refused over RoCEv2, by name', async () => {
  const scenario = withParameters(loadScenario('admission'), {
    framing: 'rocev2',
    mss: 1024,
  });
  await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(
    'admission is for flows over UDP',
  );
});
