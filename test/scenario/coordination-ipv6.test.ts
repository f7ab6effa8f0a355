import { runScenario } from '../support/shared-runs';
import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import { scenarioNames } from '../../emulator/io/inputs/catalogue';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { Result } from '../../emulator/result/result';
import { judge } from '../campaigns/notification-faults';
import { EFFORT } from '../support/effort';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';

const overIpv6 = (scenario: ScenarioDocument): ScenarioDocument =>
  withParameters(scenario, { ipVersion: 'ipv6' });

const results = new Map<string, Promise<Result>>();

/** A run in which no law breaks, every flow ends, and hosts refuse nothing; run once for all tests. */
function run(scenario: ScenarioDocument): Promise<Result> {
  const key = JSON.stringify(scenario);
  const known = results.get(key) ?? runAnew(scenario);
  results.set(key, known);
  return known;
}

async function runAnew(scenario: ScenarioDocument): Promise<Result> {
  const { result } = await runScenario({ scenario, seed: 1 });
  expect([result.violations, result.unfinished]).toEqual([[], undefined]);
  return result;
}

type Sent = NonNullable<Result['coordination']>['sent'];

/** Notifications that scenarios send at least; those of `ccm-overload` go to hosts. */
const SENT = new Map<string, readonly (keyof Sent)[]>([
  ['ccm-draft-example', ['controlRequired', 'controlReleased', 'reroutingRequired']],
  ['ccm-incast', ['controlRequired', 'controlReleased']],
  ['ccm-overload', ['reroutingRequired']],
]);

/** All scenarios need minutes; by default two in which notifications of each type are sent and obeyed. */
function namesTried(): readonly string[] {
  if (EFFORT === 1) return ['ccm-incast', 'ccm-overload'];
  if (EFFORT < 10) return [...SENT.keys(), 'ccm-link-failure'];
  return scenarioNames().filter((name) => name.startsWith('ccm-'));
}

describe('coordination over IPv6', () => {
  // Hashes place flows otherwise than over IPv4, so that scenarios have other events.
  test.each(namesTried())(
    'holds its laws in %s, and hosts obey what switches say',
    async (name) => {
      const base = loadScenario(name);
      const { coordination } = await run(overIpv6(base));
      if (coordination === undefined) throw new Error(`${name} does not coordinate`);
      const { sent, taken, refused, taggedReroutes } = coordination;
      expect(taggedReroutes).toBe(0);
      if (base.notificationFaults !== undefined) return;
      expect(Object.values(refused).every((count) => count === 0)).toBe(true);
      expect(taken.controlRequired).toBe(sent.controlRequired);
      expect(taken.controlReleased).toBe(sent.controlReleased);
      if (name === 'ccm-overload') expect(taken.reroutingRequired).toBe(sent.reroutingRequired);
      for (const type of SENT.get(name) ?? []) expect(sent[type]).toBeGreaterThan(0);
    },
  );

  test('tells an incast, which meets wherever it comes from, as over IPv4', async () => {
    const base = loadScenario('ccm-incast');
    const [ipv4, ipv6] = [await run(base), await run(overIpv6(base))];
    const counts = ({ coordination }: Result) => [coordination?.sent, coordination?.taken];
    expect(counts(ipv6)).toEqual(counts(ipv4));
    expect(Math.abs((ipv6.fctUs?.max ?? NaN) / (ipv4.fctUs?.max ?? NaN) - 1)).toBeLessThan(0.05);
  });

  test.each(sampled('operations', ['write', 'read'], 2))(
    'controls an incast of RoCEv2 by %s',
    async (variant) => {
      const scenario = scenarioVariant(loadScenario('ccm-both'), variant);
      const { coordination, counters } = await run(overIpv6(scenario));
      expect(counters.hostRejections).toEqual({});
      expect(coordination?.taken.controlRequired).toBeGreaterThanOrEqual(4);
      expect(coordination).toMatchObject({ tagged: 4, taggedReroutes: 0 });
    },
  );

  // PERF: three runs of many switches; scenario/notification-faults has them over IPv4.
  describeIf(EFFORT > 1, 'under attack', 'HPCC_EFFORT is 1', () => {
    test('refuses what is forged or replayed, as many as were made', async () => {
      const base = overIpv6(loadScenario('ccm-notification-faults'));
      const faults = base.notificationFaults;
      if (faults === undefined) throw new Error('the scenario has faults of notifications');
      const scenario = { ...base, notificationFaults: { ...faults, seed: 40, loss: 0.6 } };
      const checked = async (each: ScenarioDocument, seed: number): Promise<Result> => {
        const { result } = await runScenario({ scenario: each, seed });
        expect(result.violations).toEqual([]);
        return result;
      };
      const result = await checked(scenario, 1);
      const counts = await judge({ result, scenario, seed: 1, run: checked });
      expect(result.coordination?.faults?.hosts.forged).toBeGreaterThan(0);
      expect(counts.replayedToHosts).toBeGreaterThan(0);
    });
  });
});
