import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario, scenarioVariant } from '../../emulator/io/scenario-files';
import type { Result } from '../../emulator/record/result';
import { resultOf } from '../support/scenario-runs';

/** Each takes three runs of some seconds; raised by HPCC_NETWORK_FAULT_SEEDS. */
const SEEDS = Number(process.env['HPCC_NETWORK_FAULT_SEEDS'] ?? 1);
const HOLD_US = 200;
const DELAY_US = 60;
/** What a lost word of control may cost besides: a timeout of the sender. */
const TIMEOUT_US = 500;

jest.setTimeout(60_000 + SEEDS * 30_000);

const scenario = loadScenario('ccm-notification-faults');

async function run(variant: string | undefined, seed: number): Promise<Result> {
  const chosen = variant === undefined ? scenario : scenarioVariant(scenario, variant);
  const { result } = await runScenario({ scenario: chosen, seed });
  expect({ seed, violations: result.violations }).toEqual({ seed, violations: [] });
  return result;
}

/** Notifications that switches have judged so: a cell of docs/coordination.md. */
function judged({ counters }: Result, cell: number): number {
  const cells = Object.entries(counters.programs ?? {});
  const own = cells.filter(([name]) => name.endsWith(`ingress.notification.outcomes[${cell}]`));
  return own.reduce((sum, [, count]) => sum + count, 0);
}

const forgedOnes = (result: Result): number =>
  (result.coordination?.refused['unauthenticated'] ?? 0) + judged(result, 3) + judged(result, 5);

const replayedOnes = (result: Result): number =>
  (result.coordination?.refused['replayed'] ?? 0) + judged(result, 4);

/** Spans with the CC indicator: flow, and since when and until when. */
function taggedSpans({ coordination, durationUs }: Result): { flow: number; toUs: number }[] {
  const log = coordination?.log ?? [];
  return log
    .filter(({ what }) => what === 'tagged')
    .map(({ flow, atUs }) => {
      const isEnd = (what: string): boolean => what === 'released' || what === 'expired';
      const end = log.find((e) => e.flow === flow && e.atUs > atUs && isEnd(e.what));
      return { flow, toUs: end?.atUs ?? durationUs };
    });
}

describe('notifications over faulty links', () => {
  const clean = new Map<string, Result>();
  beforeAll(async () => {
    for (let seed = 1; seed <= SEEDS; seed++) clean.set(String(seed), await run('clean', seed));
  });

  it(`change nothing when forged or replayed, and are counted, ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const attacked = await run('attacked', seed);
      const honest = resultOf(clean, String(seed));
      expect(attacked.flows).toEqual(honest.flows);
      expect(attacked.series).toEqual(honest.series);
      expect(attacked.coordination?.flows).toEqual(honest.coordination?.flows);
      const sent = Object.values(attacked.coordination?.sent ?? {});
      expect(Math.min(...sent)).toBeGreaterThan(0);
      expect(forgedOnes(attacked)).toBe(sent.reduce((sum, count) => sum + count, 0));
      expect(replayedOnes(attacked)).toBeGreaterThan(0);
      expect([forgedOnes(honest), replayedOnes(honest)]).toEqual([0, 0]);
    }
  });

  it(`starve and pin no flow when lost, repeated or reordered, ${SEEDS} seeds`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const faulty = await run(undefined, seed);
      const honest = resultOf(clean, String(seed));
      faulty.flows.forEach(({ id, fctUs }, i) => {
        const bound = (honest.flows[i]?.fctUs ?? NaN) + HOLD_US + TIMEOUT_US;
        expect([seed, id, (fctUs ?? Infinity) <= bound]).toEqual([seed, id, true]);
      });
      const asked = (faulty.coordination?.log ?? []).filter(
        ({ what, detail }) => what === 'notification-received' && /control-req/.test(detail),
      );
      for (const { flow, toUs } of taggedSpans(faulty)) {
        const { startUs = 0, fctUs = null } = faulty.flows[flow - 1] ?? {};
        const end = Math.min(toUs, startUs + (fctUs ?? Infinity));
        const last = Math.max(
          ...asked.flatMap((e) => (e.flow === flow && e.atUs <= end ? [e.atUs] : [])),
        );
        expect(end - last).toBeLessThanOrEqual(HOLD_US + DELAY_US + 5);
      }
    }
  });
});
