import { runScenario } from '../support/shared-runs';
import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import type { RunObserver } from '../../emulator/record/run-observer';
import type { Result } from '../../emulator/result/result';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { WireFault } from '../../common/wire/fault';
import { readUint16 } from '../../common/wire/bytes';
import { INT_DSCP, parseIntMd, readHops } from '../../common/wire/int/int-md';

const SOURCE_AT = 14 + 8;
const DESTINATION_AT = 14 + 24;
const INT_AT = 14 + 40 + 8;
const GROUPS = 8;

const groupsAt = (bytes: Uint8Array, at: number): number[] =>
  Array.from({ length: GROUPS }, (_, i) => readUint16(bytes, at + 2 * i));
const usidsOf = (bytes: Uint8Array): number[] =>
  groupsAt(bytes, DESTINATION_AT)
    .slice(2)
    .filter((usid) => usid !== 0);
const dscpOf = (bytes: Uint8Array): number => (readUint16(bytes, 14) >>> 6) & 0x3f;

interface Travel {
  /** The uSIDs that the host wrote, and those that were left at the end. */
  readonly asked: readonly number[];
  readonly left: readonly number[];
  /** Switches and ports by the telemetry of the packet. */
  readonly nodes: readonly (number | undefined)[];
  readonly ports: readonly number[];
  /** The uSIDs of its two ends, and the same of an answer to it. */
  readonly direction: string;
  readonly back: string;
  readonly sourcePort: number;
}

async function run(scenario: ScenarioDocument): Promise<{ result: Result; travels: Travel[] }> {
  const asked = new Map<unknown, number[]>();
  const travels: Travel[] = [];
  const observer: RunObserver = {
    hostSent(_host, packet) {
      asked.set(packet.id, usidsOf(packet.bytes));
    },
    hostReceived(_host, packet) {
      const { bytes } = packet;
      const hasInt = dscpOf(bytes) === INT_DSCP;
      const int = hasInt ? parseIntMd(bytes, INT_AT) : undefined;
      const hops =
        int === undefined || int instanceof WireFault ? [] : readHops(int, bytes, INT_AT);
      const source = groupsAt(bytes, SOURCE_AT)[2];
      const left = usidsOf(bytes);
      travels.push({
        asked: asked.get(packet.id) ?? [],
        left,
        nodes: hops.map(({ switchId }) => switchId),
        ports: hops.map(({ portId }) => portId ?? 0),
        direction: `${source} ${left.join(' ')}`,
        back: `${left.join(' ')} ${source}`,
        sourcePort: readUint16(bytes, 14 + 40),
      });
    },
  };
  const { result } = await runScenario({ scenario, seed: 1, observer: () => observer });
  return { result, travels };
}

const link = (a: string, b: string) => ({
  between: [a, b] as [string, string],
  rateGbps: 100,
  delayNs: 500,
});

/** Two flows there and one back, over any network. */
const over = (topology: ScenarioDocument['topology'] | object, [from, to]: [string, string]) =>
  scenarioSchema.parse({
    name: 'paths',
    title: 'Paths of uSIDs',
    topology,
    flows: [
      { from, to, bytes: 200_000, startUs: 0 },
      { from: to, to: from, bytes: 100_000, startUs: 0 },
    ],
    sourceRouting: 'usid',
    parameters: { lossRecovery: 'selective-repeat', balancing: 'random', ipVersion: 'ipv6' },
  });

const FABRIC = {
  kind: 'leaf-spine',
  leaves: 2,
  spines: 4,
  hostsPerLeaf: 2,
  rateGbps: 100,
  delayNs: 500,
};
const TIERS = {
  kind: 'clos',
  pods: 2,
  leaves: 2,
  aggregations: 2,
  spinesPerPlane: 2,
  hostsPerLeaf: 1,
  rateGbps: 100,
  delayNs: 500,
};
const PARALLEL = {
  kind: 'custom',
  switches: ['s1', 's2', 's3'],
  hosts: ['h1', 'h2'],
  links: [link('h1', 's1'), link('s1', 's2'), link('s1', 's2'), link('s2', 's3'), link('s3', 'h2')],
};

describe.each([
  ['a leaf and a spine', FABRIC, ['h1', 'h3'], 4, 4],
  ['three tiers', TIERS, ['h1', 'h4'], 4, 6],
  ['links side by side', PARALLEL, ['h1', 'h2'], 2, 4],
  ['one switch', FABRIC, ['h1', 'h2'], 1, 2],
] as const)('paths of uSIDs over %s', (...[, topology, [from, to], paths, length]) => {
  let result: Result;
  let travels: readonly Travel[];
  beforeAll(async () => {
    ({ result, travels } = await run(over(topology, [from, to])));
  }, 60_000);

  test('carry all packets, and switches leave the address of the host', () => {
    expect(result.violations).toEqual([]);
    expect(result.counters.drops).toEqual({});
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(travels.length).toBeGreaterThan(300);
    expect(travels.every(({ asked }) => asked.length === length)).toBe(true);
    for (const { asked, left } of travels) expect(left).toEqual(asked.slice(-1));
  });

  test('are all used, there and back', () => {
    const used = new Map<string, Set<string>>();
    for (const { direction, asked } of travels) {
      const known = used.get(direction) ?? new Set<string>();
      used.set(direction, known.add(asked.join(' ')));
    }
    expect([...used.values()].map(({ size }) => size)).toEqual([paths, paths]);
  });

  test('are those that the telemetry of their packets shows, hop by hop', () => {
    const shown = travels.filter(({ nodes }) => nodes.length > 0);
    expect(shown.length).toBeGreaterThan(299);
    for (const { asked, nodes, ports } of shown) {
      const named = asked.slice(0, -1).map((usid, i) => (usid < 0xe000 ? usid : nodes[i]));
      expect(nodes).toEqual(named);
      asked.forEach((usid, i) => {
        if (usid >= 0xe000) expect(ports[i]).toBe(usid - 0xe000);
      });
    }
  });

  test('bring answers back the way that their questions took', () => {
    const ways = new Map<string, readonly number[]>();
    for (const { direction, sourcePort, nodes, asked } of travels) {
      if (nodes.length > 0) ways.set(`${direction} ${sourcePort}`, asked.slice(0, -1));
    }
    const answers = travels.flatMap(({ back, sourcePort, nodes, asked }) => {
      const way = nodes.length > 0 ? undefined : ways.get(`${back} ${sourcePort}`);
      return way === undefined ? [] : [{ way, asked: asked.slice(0, -1) }];
    });
    expect(answers.length).toBeGreaterThan(200);
    const isOfNodes = answers.filter(({ way }) => way.every((usid) => usid < 0xe000));
    for (const { way, asked } of isOfNodes) expect(asked).toEqual(way.toReversed());
  });
});

describe('an uplink that fails while nobody re-routes', () => {
  const usids = loadScenario('usid-paths');
  const fcts = ({ flows }: Result): number[] => flows.map(({ fctUs }) => fctUs ?? Infinity);
  const resultOf = async (name: string): Promise<Result> =>
    (await runScenario({ scenario: scenarioVariant(usids, name), seed: 1 })).result;

  test('costs flows that choose paths as MRC does a round trip, and others more', async () => {
    const [failing, whole, random] = [
      await resultOf('failing'),
      await resultOf('whole'),
      await resultOf('random'),
    ];
    expect(failing.violations).toEqual([]);
    const later = fcts(failing).map((fct, i) => fct - (fcts(whole)[i] ?? NaN));
    // A round trip is eight links of 500 ns and a frame at each of four ports.
    expect(Math.max(...later)).toBeLessThan(4.5);
    expect(failing.flows.every(({ retransmittedSegments: sent }) => sent > 0 && sent < 30)).toBe(
      true,
    );
    expect(Math.max(...fcts(random))).toBeGreaterThan(2 * Math.max(...fcts(whole)));
  });

  test('is left by flows under NSCC alike, whose packets switches mark', async () => {
    const nscc = await resultOf('nscc');
    expect(nscc.violations).toEqual([]);
    expect(nscc.generator.p4Program).toBe('hpcc-usid.p4');
    expect(Math.max(...fcts(nscc))).toBeLessThan(Math.max(...fcts(await resultOf('failing'))));
  });

  test('is used again once it is back', async () => {
    const flows = usids.flows.map((flow) => ({ ...flow, bytes: 4_000_000 }));
    const back = { ...usids.events[0], atUs: 100, state: 'up' as const } as const;
    const uplinksOf = async (events: ScenarioDocument['events']): Promise<readonly number[]> => {
      const { links } = (await runScenario({ scenario: { ...usids, flows, events }, seed: 1 }))
        .result;
      const own = links.filter(({ name }) => /^leaf1:.*->spine/.test(name));
      return own.map(({ packets, lostPackets }) => packets - lostPackets);
    };
    const [down, up] = [
      await uplinksOf(usids.events),
      await uplinksOf([...usids.events, back as ScenarioDocument['events'][number]]),
    ];
    expect(down[0]).toBeLessThan(200);
    expect(up[0]).toBeGreaterThan(0.5 * Math.max(...up));
  });

  test('is the only one that loses packets; without it all carry the same', async () => {
    const uplinks = ({ links }: Result) =>
      links.filter(({ name }) => /^leaf1:.*->spine/.test(name));
    const whole = uplinks(await resultOf('whole')).map(({ packets }) => packets);
    expect(new Set(whole).size).toBe(1);
    const lost = uplinks(await resultOf('failing')).map(({ lostPackets }) => lostPackets > 0);
    expect(lost).toEqual([true, false, false, false]);
  });
});

test('trimmed data goes on along its path, and nothing is dropped', async () => {
  const scenario = scenarioSchema.parse({
    name: 'trimmed',
    title: 'An incast over paths of uSIDs',
    topology: { ...FABRIC, hostsPerLeaf: 8 },
    workloads: [{ kind: 'incast', name: 'answers', bytes: 50_000, receiver: 'h1' }],
    sourceRouting: 'usid',
    trim: { queueBytes: 50_000 },
    parameters: {
      lossRecovery: 'selective-repeat',
      ipVersion: 'ipv6',
      balancing: 'mrc',
      algorithm: 'nscc',
    },
  });
  const { result } = await runScenario({ scenario, seed: 1 });
  expect([result.violations, result.unfinished]).toEqual([[], undefined]);
  expect(result.generator.p4Program).toBe('hpcc-usid.p4');
  expect(result.counters.drops).toEqual({});
  expect(result.trimming?.headers).toBeGreaterThan(100);
});

describe('what does not go with paths of uSIDs', () => {
  const usids = loadScenario('usid-paths');
  test.each([
    ['IPv4', {}, { ipVersion: 'ipv4' }, 'it needs ipVersion: ipv6'],
    ['RoCEv2', {}, { framing: 'rocev2', balancing: 'ecmp', mss: 1024 }, 'framing: hpcc'],
    ['spray by switches', { spray: 'random' }, { balancing: 'ecmp' }, 'and spray switches: give'],
    ['another profile', { profile: 'hpcc-queues' }, {}, 'profile hpcc-usid, not of hpcc-queues'],
    ['switches with another one', { switchProfiles: { leaf1: 'hpcc' } }, {}, 'not of hpcc'],
    [
      'trimming and go-back-n',
      { trim: { queueBytes: 9000 } },
      { lossRecovery: 'go-back-n', balancing: 'ecmp' },
      'selective-repeat',
    ],
    ['digests', {}, { algorithm: 'hpcc-pint' }, 'profile hpcc-usid, not of hpcc-pint'],
  ] as const)('%s is refused', async (_what, where, parameters, reason) => {
    const scenario = withParameters({ ...usids, ...where }, parameters);
    await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(reason);
  });

  test.each([
    [
      'hosts with two links',
      { ...PARALLEL, links: [...PARALLEL.links, link('h1', 's3')] },
      'host h1 has several links',
    ],
    [
      'paths of six switches',
      {
        kind: 'custom',
        hosts: ['h1', 'h2'],
        switches: ['s1', 's2', 's3', 's4', 's5', 's6'],
        links: ['h1', 's1', 's2', 's3', 's4', 's5', 's6'].map((a, i, all) =>
          link(a, all[i + 1] ?? 'h2'),
        ),
      },
      'have 6 switches, and an IPv6 destination has room for 5 and the host',
    ],
  ])('%s are refused', async (_what, topology, reason) => {
    const scenario = over(topology, ['h1', 'h2']);
    await expect(runScenario({ scenario, seed: 1 })).rejects.toThrow(reason);
  });
});

test('packets on paths are read by those who look on: the time of a flow is explained', async () => {
  const scenario = over(FABRIC, ['h1', 'h3']);
  const { result } = await runScenario({ scenario, seed: 1, causesOf: [1, 2] });
  const unknown = (result.causes ?? []).map(({ parts }) =>
    parts.reduce((sum, { cause, timeUs }) => sum + (cause === 'other' ? timeUs : 0), 0),
  );
  expect(unknown).toHaveLength(2);
  expect(Math.max(...unknown)).toBeLessThan(0.1);
});
