import { runScenario } from '../support/shared-runs';
import type { Result } from '../../emulator/result/result';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import { EFFORT } from '../support/effort';

type Parameters = NonNullable<ScenarioInput['parameters']>;
type Network = Pick<ScenarioInput, 'topology' | 'flows'>;

const link = (a: string, b: string) => ({
  between: [a, b] as [string, string],
  rateGbps: 100,
  delayNs: 300,
});

const flow = (from: string, to: string) => ({ from, to, bytes: 500_000, startUs: 0 });

/** A row of switches, two hosts at its beginning and one at its end. */
function chain(length: number): Network {
  const switches = Array.from({ length }, (_, i) => `s${i + 1}`);
  const between = switches.slice(1).map((name, i) => link(`s${i + 1}`, name));
  const hosts = [link('h1', 's1'), link('h2', 's1'), link('h3', `s${length}`)];
  return {
    topology: {
      kind: 'custom',
      hosts: ['h1', 'h2', 'h3'],
      switches,
      links: [...hosts, ...between],
    },
    flows: [flow('h1', 'h3'), flow('h2', 'h3')],
  };
}

/** A torus, with two flows to the host that is farthest from one of them. */
function torus(size: number): Network {
  const farthest = `h${(size / 2) * size + size / 2 + 1}`;
  return {
    topology: {
      kind: 'torus',
      columns: size,
      rows: size,
      hostsPerSwitch: 1,
      rateGbps: 100,
      delayNs: 300,
    },
    flows: [flow('h1', farthest), flow('h3', farthest)],
  };
}

async function run(network: Network, parameters: Parameters = {}): Promise<Result> {
  const scenario = scenarioSchema.parse({ name: 'long', title: 'long', ...network, parameters });
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  return result;
}

/** True if a flow's window has ever risen. */
const hasRisen = ({ series }: Result): boolean =>
  series.some(({ windowBytes }) => windowBytes.some((W, i) => W > (windowBytes[i - 1] ?? W)));

describe('paths of more than eight switches', () => {
  test.each([
    ['a row of 10', chain(10), {}, 10],
    ['a torus of 8 x 8', torus(8), {}, 9],
    // Most of their time is that of loading 100 and 256 programs.
    ...(EFFORT > 1
      ? [
          ['a torus of 10 x 10', torus(10), {}, 11] as const,
          ['a torus of 16 x 16', torus(16), {}, 17] as const,
        ]
      : []),
    ['a row of 10, IOAM', chain(10), { carrier: 'ioam' }, 10],
    ['a row of 10, the padding', chain(10), { carrier: 'padding' }, 10],
    ['a row of 10, RoCEv2', chain(10), { framing: 'rocev2', mss: 1024 }, 10],
  ] as const)('are controlled by all of their links: %s', async (_what, network, given, hops) => {
    const result = await run(network, given);
    expect(result.parameters.hopLimit).toBe(hops);
    expect(hasRisen(result)).toBe(true);
    // Both flows at line rate would leave a queue until the end.
    expect(result.bottleneck.drainedAtUs).toBeLessThan(0.6 * result.durationUs);
  });

  test('break no law where packets shall have less room, whose telemetry then misses links', async () => {
    const result = await run(chain(10), { hopLimit: 8 });
    expect(hasRisen(result)).toBe(false);
    // The first links of the path show that they are over-full.
    expect(result.bottleneck.drainedAtUs).toBeLessThan(0.6 * result.durationUs);
  });

  test('leave room for eight where they are shorter', async () => {
    expect((await run(chain(3))).parameters.hopLimit).toBe(8);
  });

  test.each([
    [40, {}, /path from h1 to h3 has 40 switches.*by int have room for 31/],
    [13, { carrier: 'ioam' }, /has 13 switches.*by ioam have room for 12/],
    [16, { carrier: 'padding' }, /has 16 switches.*by padding have room for 15/],
  ] as const)('are refused where packets have no room: %d', async (length, given, message) => {
    await expect(run(chain(length), given)).rejects.toThrow(message);
  });
});
