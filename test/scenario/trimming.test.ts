import { textSummary } from '../../cli/shared/summary';
import { figureAt } from '../../emulator/figures/dictionary';
import { runScenario } from '../support/shared-runs';
import {
  checkedScenario,
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { factsOf } from '../../emulator/view/data/run-page';

const run = async (scenario: ScenarioDocument): Promise<Result> =>
  (await runScenario({ scenario, seed: 1 })).result;
const variant = (name: string): ScenarioDocument => scenarioVariant(loadScenario('trimming'), name);

describe('an incast into shallow queues', () => {
  const results = new Map<string, Result>();
  const result = (name: string): Result => results.get(name) as Result;
  const longest = (name: string): number => result(name).fctUs?.max ?? Infinity;
  const drops = (name: string): number =>
    Object.values(result(name).counters.drops).reduce((sum, count) => sum + count, 0);
  const resent = (name: string): number =>
    result(name).flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0);
  beforeAll(async () => {
    for (const name of ['drop', 'trim', 'dctcp-drop', 'dctcp-trim']) {
      results.set(name, await run(variant(name)));
    }
  }, 120_000);

  test.each(['trim', 'dctcp-trim'])('breaks no invariant and loses nothing with %s', (name) => {
    expect(result(name).violations).toEqual([]);
    expect(result(name).unfinished).toBeUndefined();
    expect(drops(name)).toBe(0);
  });

  test.each(['trim', 'dctcp-trim'])('has only what was cut sent again, once, with %s', (name) => {
    expect(result(name).trimming?.headers).toBeGreaterThan(100);
    // A timer or a reordered segment would add to it.
    expect(resent(name)).toBe(result(name).trimming?.headers);
  });

  test.each([
    ['drop', 'trim', 0.35],
    ['dctcp-drop', 'dctcp-trim', 0.35],
  ])('that %s ends later than with %s', (drop, trim, share) => {
    expect(drops(drop)).toBeGreaterThan(100);
    expect(result(drop).trimming).toBeUndefined();
    expect(longest(trim)).toBeLessThan(share * longest(drop));
  });

  test('is within 6 % of what the link can carry, under DCTCP', () => {
    const { frames } = result('dctcp-trim');
    const packets = Math.ceil(200_000 / frames.segmentBytes);
    const idealUs = (31 * (200_000 + packets * (frames.dataAtHostBytes - 4096)) * 8) / 100e3;
    expect(longest('dctcp-trim')).toBeLessThan(1.06 * idealUs);
  });

  test('is counted on the page and on the console', () => {
    const { name } = figureAt('trimming.headers');
    const digits = String(result('trim').trimming?.headers);
    const labels = (of: string): unknown[] => factsOf(result(of)).map(([, label]) => label);
    const console = (of: string): string => textSummary({ result: result(of), wallSeconds: 1 });
    expect(labels('trim')).toContain(name);
    expect(labels('drop')).not.toContain(name);
    expect(console('trim').replaceAll(',', '')).toMatch(new RegExp(`${name} +${digits} `));
    expect(console('drop')).not.toContain('trimmed');
  });
});

describe('an incast under NSCC whose receiver asks for cut data at once', () => {
  const asking = (resends: 'promised' | 'at-once', name = 'trim', algorithm = 'nscc') =>
    run(withParameters(variant(name), { algorithm, resends }));

  test('has more cut than one that promises room, and loses nothing', async () => {
    const [promised, atOnce] = [await asking('promised'), await asking('at-once')];
    expect([atOnce.violations, atOnce.unfinished, atOnce.counters.drops]).toEqual([
      [],
      undefined,
      {},
    ]);
    expect(atOnce.trimming?.headers).toBeGreaterThan(1.5 * (promised.trimming?.headers ?? 0));
  });

  test.each([
    ['drop', 'nscc', 'parameters.resends is about data that was cut: it needs trim'],
    ['trim', 'hpccpp-spray', 'receivers give turns or credit'],
    ['trim', 'rccc', 'receivers give turns or credit'],
  ])('is refused with %s and %s', async (name, algorithm, reason) => {
    await expect(asking('at-once', name, algorithm)).rejects.toThrow(reason);
  });
});

describe('switches that spray and trim', () => {
  const sprayed = scenarioSchema.parse({
    name: 'sprayed',
    title: 'A permutation and an incast at once',
    topology: {
      kind: 'leaf-spine',
      leaves: 4,
      spines: 4,
      hostsPerLeaf: 4,
      rateGbps: 100,
      delayNs: 500,
    },
    workloads: [
      { kind: 'permutation', name: 'step', bytes: 100_000 },
      { kind: 'incast', name: 'answers', bytes: 100_000, receiver: 'h1' },
    ],
    trim: { queueBytes: 100_000 },
    parameters: { lossRecovery: 'selective-repeat', mss: 4096, queueCapacityBytes: 300_000 },
  });

  test.each([
    ['random', { algorithm: 'hpccpp-spray' }],
    ['round-robin', { algorithm: 'dctcp' }],
    ['least-queued', { algorithm: 'nscc' }],
    ['least-queued', { algorithm: 'hpccpp-spray', ipVersion: 'ipv6' }],
  ] as const)('lose nothing: %s, %j', async (spray, parameters) => {
    const result = await run(withParameters({ ...sprayed, spray }, parameters));
    expect([result.violations, result.unfinished]).toEqual([[], undefined]);
    expect(result.generator.p4Program).toBe('hpcc-spray-trim.p4');
    expect(result.counters.drops).toEqual({});
    expect(result.trimming?.headers).toBeGreaterThan(50);
    expect(result.reordering?.packets).toBeGreaterThan(0);
  });

  test('mark without trimming, too', async () => {
    const { trim, ...marking } = sprayed;
    const scenario = { ...marking, spray: 'random' as const };
    const result = await run(withParameters(scenario, { algorithm: 'dctcp' }));
    expect([result.violations, trim === undefined, result.trimming]).toEqual([
      [],
      false,
      undefined,
    ]);
    expect(result.generator.p4Program).toBe('hpcc-spray-trim.p4');
  });

  test.each([
    ['digests', {}, { algorithm: 'hpcc-pint' }, 'profile hpcc-spray-trim, not of hpcc-pint'],
    ['one that only trims', { profile: 'hpcc-trim' }, {}, 'hpcc-spray-trim, not of hpcc-trim'],
    ['one that only sprays', { switchProfiles: { leaf1: 'hpcc-spray' } }, {}, 'of hpcc-spray'],
  ] as const)('cannot be of %s', async (_what, where, parameters, reason) => {
    const scenario = { ...sprayed, spray: 'random' as const, ...where };
    const asked = async () => run(withParameters(scenario, parameters));
    await expect(asked()).rejects.toThrow(reason);
  });
});

describe('an incast whose receiver grants credit (RCCC)', () => {
  const credited = (name: string): Promise<Result> =>
    run(withParameters(variant(name), { algorithm: 'rccc' }));

  test('has only its first windows cut, and fills the link', async () => {
    const [rccc, dctcp] = [await credited('trim'), await run(variant('dctcp-trim'))];
    expect([rccc.violations, rccc.unfinished]).toEqual([[], undefined]);
    expect(rccc.trimming?.headers).toBeLessThan((dctcp.trimming?.headers ?? 0) / 2);
    const { segmentBytes, dataAtHostBytes } = rccc.frames;
    const packets = Math.ceil(200_000 / segmentBytes);
    const idealUs = (31 * (200_000 + packets * (dataAtHostBytes - segmentBytes)) * 8) / 100e3;
    // Credit is for 99 % of the link, and the last of a flow's segments is half empty.
    expect(rccc.fctUs?.max).toBeLessThan(1.03 * idealUs);
  });

  test('ends where switches drop and nobody tells, by timeouts', async () => {
    const { violations, unfinished, counters } = await credited('drop');
    expect([violations, unfinished]).toEqual([[], undefined]);
    expect(Object.values(counters.drops).some((count) => count > 100)).toBe(true);
  });
});

describe('an incast whose receiver has flows take turns (HPCC++ for many paths)', () => {
  test.each([[31], [127]])(
    'of %i cuts first windows only, and is within 3 %% of ideal',
    async (senders) => {
      const scenario = checkedScenario({
        name: 'turns',
        title: 'An incast at one switch',
        topology: { kind: 'star', hosts: senders + 1, rateGbps: 100, delayNs: 1000 },
        workloads: [{ kind: 'incast', name: 'answers', bytes: 200_000, receiver: 'h1' }],
        trim: { queueBytes: 100_000 },
        parameters: { lossRecovery: 'selective-repeat', mss: 4096, algorithm: 'hpccpp-spray' },
      });
      const { violations, unfinished, ...result } = await run(scenario);
      expect([violations, unfinished]).toEqual([[], undefined]);
      const resent = result.flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0);
      expect(resent).toBe(result.trimming?.headers);
      const { segmentBytes, dataAtHostBytes } = result.frames;
      const packets = Math.ceil(200_000 / segmentBytes);
      const bare = dataAtHostBytes - segmentBytes;
      const idealUs = (senders * (200_000 + packets * bare) * 8) / 100e3;
      expect(result.fctUs?.max).toBeLessThan(1.03 * idealUs);
      // What is asked for does not keep up the queue that the first windows have filled.
      const { bytes } = result.queueTimeline;
      const median = [...bytes].sort((a, b) => a - b)[bytes.length >> 1];
      expect(median).toBeLessThan(50_000);
    },
  );
});

test('trims over IPv6 as over IPv4', async () => {
  const { violations, unfinished, counters, trimming, flows } = await run(
    withParameters(variant('trim'), { ipVersion: 'ipv6' }),
  );
  expect([violations, unfinished]).toEqual([[], undefined]);
  expect(Object.values(counters.drops).reduce((sum, count) => sum + count, 0)).toBe(0);
  expect(trimming?.headers).toBeGreaterThan(100);
  const resent = flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0);
  expect(resent).toBe(trimming?.headers);
});

const ROCE = { framing: 'rocev2', lossRecovery: 'go-back-n' } as const;

describe('an incast over RoCEv2', () => {
  const incast = (parameters: object) =>
    checkedScenario({
      name: 'roce',
      title: 'An incast at one switch',
      topology: { kind: 'star', hosts: 9, rateGbps: 100, delayNs: 1000 },
      workloads: [{ kind: 'incast', name: 'answers', bytes: 200_000, receiver: 'h1' }],
      trim: { queueBytes: 100_000 },
      parameters: { ...ROCE, mss: 4096, ...parameters },
      giveUpAfterUs: 5000,
    });

  test.each([[{ operation: 'write' }], [{ operation: 'send' }], [{ ipVersion: 'ipv6' }]])(
    'goes back at the first header, before any timer: %p',
    async (parameters) => {
      const { violations, unfinished, counters, trimming, fctUs } = await run(incast(parameters));
      expect([violations, unfinished]).toEqual([[], undefined]);
      expect(Object.values(counters.drops).reduce((sum, count) => sum + count, 0)).toBe(0);
      expect(trimming?.headers).toBeGreaterThan(50);
      // The link needs 128 us, and the shortest timer goes off after 500.
      expect(fctUs?.max).toBeLessThan(450);
    },
  );
});

describe('what does not go with trimming', () => {
  const trim = variant('trim');
  const classes = { flows: [{ from: 'h1', to: 'h2', bytes: 1000, startUs: 0, dscp: 10 }] };
  test.each([
    ['go-back-n', {}, { lossRecovery: 'go-back-n' }, 'it needs lossRecovery: selective-repeat'],
    ['another carrier', { profile: 'ioam' }, { carrier: 'ioam' }, 'trimming needs carrier: int'],
    [
      'data that others ask for',
      {},
      { ...ROCE, operation: 'read' },
      'with operation: read others ask',
    ],
    ['the algorithm at the receiver', {}, { feedback: 'receiver' }, 'the algorithm at the sender'],
    ['another profile', { profile: 'hpcc-queues' }, {}, 'profile hpcc-trim, not of hpcc-queues'],
    ['classes of flows', classes, {}, 'gives data a DSCP of its own'],
  ] as const)('%s is refused', async (_what, where, parameters, reason) => {
    const asked = async () => run(withParameters({ ...trim, ...where }, parameters));
    await expect(asked()).rejects.toThrow(reason);
  });
});
