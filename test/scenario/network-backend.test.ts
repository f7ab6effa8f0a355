import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { Random } from '../../common/random/random';
import { loadPeerNetwork } from '../../emulator/io/peer-network';
import { runScenario } from '../../emulator/io/run-scenario';
import { parseAnalyticalNetwork } from '../../emulator/scenario/analytical-network';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import { parseScenario, scenarioSchema } from '../../emulator/scenario/schema';
import type { Result } from '../../emulator/result/result';
import type { Peer, PeerAnswer, PeerEvent, PeerMessage } from '../../emulator/workload/peer/peer';
import { EFFORT } from '../support/effort';
import { keptCommand } from '../support/own-command';
import { reportSkipped } from '../support/requires';
import { WRONG_DOCUMENTS } from '../support/wrong-documents';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-backend-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};

const STAR = [
  'name: net',
  'title: a network',
  'topology: { kind: star, hosts: 4, rateGbps: 100, delayNs: 1000 }',
].join('\n');
const FLOW = 'flows: [{ from: h1, to: h2, bytes: 100000, startUs: 0 }]';
const US = 1e6;

const go = (...messages: PeerMessage[]): PeerAnswer => ({
  messages,
  wakeAt: undefined,
  isEnd: false,
});
const END: PeerAnswer = { messages: [], wakeAt: undefined, isEnd: true };
const message = (id: number, from: number, to: number, bytes = 1000): PeerMessage => ({
  id,
  from,
  to,
  bytes,
});

/** Runs what a program decides; what it is told is kept. */
async function run(
  decide: (event: PeerEvent, round: number) => PeerAnswer,
  { text = STAR, hosts = ['h1', 'h2', 'h3', 'h4'] } = {},
): Promise<{ readonly result: Result; readonly told: readonly PeerEvent[] }> {
  const told: PeerEvent[] = [];
  const peer: Peer = {
    exchange(event) {
      told.push(event);
      return decide(event, told.length - 1);
    },
  };
  const ranks = { hosts, local: { rate: 800e9, delay: 500_000 } };
  const scenario = parseScenario(text, 'net.yaml');
  const { result } = await runScenario({ scenario, seed: 1, peer: { peer, ranks } });
  return { result, told };
}

describe('a network for a program that decides what is sent', () => {
  test('carries a message as it carries a flow of a scenario', async () => {
    const { result, told } = await run((_, round) =>
      round === 0 ? go(message(9, 0, 1, 1e5)) : END,
    );
    const scenario = parseScenario(`${STAR}\n${FLOW}`, 'flow.yaml');
    const plain = await runScenario({ scenario, seed: 1 });
    expect(result.fctUs).toEqual(plain.result.fctUs);
    expect(result.counters.packetHops).toBe(plain.result.counters.packetHops);
    expect(result.violations).toEqual([]);
    expect(told.map(({ arrived }) => arrived)).toEqual([[], [9]]);
    // The message has arrived before its sender knows.
    expect(told[1]?.now).toBeGreaterThan(8 * US);
    expect(told[1]?.now).toBeLessThan((result.fctUs?.max ?? 0) * US);
  });

  test('answers at the instant of an arrival, and wakes at the instants that were asked for', async () => {
    const { told, result } = await run(({ now }, round) => {
      if (round === 0) return { ...go(message(1, 0, 1)), wakeAt: 1 * US };
      // The next one arrives before.
      if (round === 1) return { ...go(), wakeAt: 50 * US };
      if (round === 2) return { ...go(), wakeAt: now };
      return round === 3 ? { ...go(), wakeAt: 60 * US } : END;
    });
    const [, woken, arrived, again, last] = told;
    expect(told.map((each) => each.arrived)).toEqual([[], [], [1], [], []]);
    expect(woken?.now).toBe(1 * US);
    expect(again?.now).toBe(arrived?.now);
    expect(last?.now).toBe(60 * US);
    expect(result.durationUs).toBe(60);
  });

  test('needs no message', async () => {
    const { result } = await run((_, round) => (round === 0 ? { ...go(), wakeAt: 5 * US } : END));
    expect(result.durationUs).toBe(5);
    expect(result.flowTotals?.flows).toBe(0);
    expect(result.unfinished).toBeUndefined();
  });

  test('has links between ranks of one host beside the network, one message after the other', async () => {
    const hosts = ['h1', 'h1', 'h2', 'h2'];
    const sent = [message(1, 0, 1, 1e5), message(2, 0, 1, 1e5), message(3, 2, 3, 1e5)];
    const { told, result } = await run(
      (_, round) => (round === 3 ? END : go(...(round === 0 ? sent : []))),
      {
        hosts,
      },
    );
    // 100 KB at 800 Gb/s, and 500 ns.
    expect(told.map(({ now, arrived }) => [now, ...arrived])).toEqual([
      [0],
      [1.5 * US, 1],
      [1.5 * US, 3],
      [2.5 * US, 2],
    ]);
    expect(result.counters.packetHops).toBe(0);
  });

  test('is the same each time, whatever the program does', async () => {
    const once = () => {
      const random = new Random(7);
      let id = 0;
      let open = 0;
      return run(({ arrived }) => {
        open -= arrived.length;
        if (id >= 200) return open === 0 ? END : go();
        const messages = Array.from({ length: 1 + random.below(3) }, () => {
          const from = random.below(4);
          return message(id++, from, (from + 1 + random.below(3)) % 4, 1 + random.below(50_000));
        });
        open += messages.length;
        return go(...messages);
      });
    };
    const [a, b] = [await once(), await once()];
    expect(b.told).toEqual(a.told);
    expect(JSON.stringify(b.result)).toBe(JSON.stringify(a.result));
    expect(a.result.flowTotals?.finished).toBe(a.result.flowTotals?.flows);
    expect(a.result.violations).toEqual([]);
  });

  test.each<[string, PeerAnswer, RegExp]>([
    ['a rank that there is not', go(message(1, 0, 9)), /rank 0 to rank 9: ranks are 0 to 3$/],
    [
      'an id twice',
      go(message(1, 0, 1), message(1, 2, 3)),
      /has the id of one that has not arrived/,
    ],
    ['a wake-up in the past', { ...go(), wakeAt: -1 }, /wants to be woken at -1 ps, before 0/],
    ['nothing to wait for', go(), /^nothing is on its way or due/],
  ])('refuses %s', async (_, answer, sentence) => {
    await expect(run(() => answer)).rejects.toThrow(sentence);
  });

  test.each([
    ['a shared buffer', 'buffer: { bytes: 1000000 }'],
    ['an end', 'untilUs: 5'],
    [
      'coordination',
      'profile: hpcc-ccm\ncoordination: { highBytes: 90000, lowBytes: 20000, key: { id: 1, bytes: 000102030405060708090a0b0c0d0e0f } }',
    ],
  ])('refuses %s, which needs flows that are known before', async (_, key) => {
    await expect(run(() => END, { text: `${STAR}\n${key}` })).rejects.toThrow(
      /needs flows that are known before they begin$/,
    );
  });

  test('ends with the sentence of a flow that cannot arrive', async () => {
    const events = 'events: [{ atUs: 1, between: [s1, h2], state: down }]\ngiveUpAfterUs: 100';
    const { result } = await run((_, round) => (round === 0 ? go(message(1, 0, 1, 1e6)) : END), {
      text: `${STAR}\n${events}`,
    });
    expect(result.unfinished).toMatch(/^1 of 1 flows did not finish/);
  });

  const roomForMany = async (): Promise<void> => {
    const text = STAR.replace(
      /topology.*/,
      'topology: { kind: leaf-spine, leaves: 8, spines: 4, hostsPerLeaf: 128, rateGbps: 100, delayNs: 500 }',
    );
    const hosts = Array.from({ length: 1024 }, (_, i) => `h${i + 1}`);
    let arrivals = 0;
    const { result } = await run(
      ({ arrived }, round) => {
        arrivals += arrived.length;
        if (arrivals === hosts.length) return END;
        if (round > 0) return go();
        return go(...hosts.map((__, i) => message(i, i, (i + 1) % 1024, 4000)));
      },
      { text, hosts },
    );
    expect(result.flowTotals?.finished).toBe(1024);
  };
  const name = 'has room for 1,024 ranks';
  if (EFFORT >= 2) test(name, roomForMany);
  else reportSkipped(name, 'HPCC_EFFORT is 1');
});

const ring = (shape: string, counts: string, more = '') =>
  [
    `topology: [ ${shape} ]  # of the analytical backend`,
    `npus_count: [ ${counts} ]`,
    `bandwidth: [ ${counts.replaceAll(/\d+/g, '50.0')} ]`,
    `latency: [ ${counts.replaceAll(/\d+/g, '500.0')} ]`,
    more,
  ].join('\n');

describe("networks of astra-sim's analytical backend", () => {
  const linksOf = (text: string) => {
    const { topology, dimensions, rates } = parseAnalyticalNetwork(text, 'net.yml');
    const document = scenarioSchema.parse({ name: 'n', title: 't', topology }).topology;
    return { ...expandTopology(document), dimensions, rates };
  };

  test.each([
    // Switches and links between them, besides one link of each host.
    ['Switch', '8', { switches: 1, links: 0 }],
    ['Ring', '8', { switches: 8, links: 8 }],
    ['Ring', '2', { switches: 2, links: 1 }],
    ['FullyConnected', '8', { switches: 8, links: 28 }],
    ['Ring, Switch', '4, 3', { switches: 12 + 4, links: 12 + 12 }],
    ['Ring, FullyConnected, Switch', '2, 8, 4', { switches: 64 + 16, links: 32 + 224 + 64 }],
  ])('%s of %s', (shape, counts, expected) => {
    const { switches, hosts, links, dimensions, rates } = linksOf(ring(shape, counts));
    expect(dimensions).toEqual(counts.split(', ').map(Number));
    expect(hosts).toHaveLength(dimensions.reduce((product, each) => product * each, 1));
    expect({ switches: switches.length, links: links.length - hosts.length }).toEqual(expected);
    // 50 GB of 2^30 bytes, in whole Mb/s.
    expect(new Set(rates)).toEqual(new Set([429.497]));
  });

  test.each([
    ['an unknown shape', ring('Mesh', '4'), /^net.yml:1: topology/],
    [
      'a dimension without a number',
      ring('Ring, Ring', '4'),
      /net.yml:2: npus_count: must have 2 values/,
    ],
    [
      'too many ranks',
      ring('Ring, Ring', '8000, 8000'),
      /^net.yml: 64000000 ranks are more than 8192/,
    ],
    ['one rank', ring('Ring', '1'), /^net.yml:2: npus_count\[0\]/],
  ])('refuses %s', (_, text, sentence) => {
    expect(() => parseAnalyticalNetwork(text, 'net.yml')).toThrow(sentence);
  });

  test('their dimensions are told, unless ranks are placed in another way', () => {
    const network = file('2d.yml', ring('Ring, Switch', '4, 2'));
    expect(loadPeerNetwork(network, undefined).network).toMatchObject({
      ranks: 8,
      dimensions: [4, 2],
    });
    const placement = file('placement.yaml', 'placement: { ranksPerHost: 2 }');
    expect(loadPeerNetwork(network, placement).network).toMatchObject({
      ranks: 16,
      dimensions: [16],
    });
  });
});

test.each(Object.entries(WRONG_DOCUMENTS))(
  'a network in %s is read, or refused in a sentence',
  (name, text) => {
    const given = path.join(folder, name);
    fs.writeFileSync(given, text);
    for (const files of [[given], ['incast16', given]] as const) {
      try {
        expect(loadPeerNetwork(files[0], files[1]).network.ranks).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).not.toMatch(/ZodError|TypeError/);
      }
    }
  },
);

describe('hpcc network-backend', () => {
  const network = file('four.yml', ring('Switch', '4'));
  const speak = (input: string, given = network) => {
    const out = path.join(folder, 'out');
    const words = keptCommand('network-backend', given, '--out', out);
    return spawnSync(process.execPath, words, { input, encoding: 'utf8', cwd: folder });
  };

  test('speaks lines over standard input and output, and writes a result', () => {
    const { status, stdout, stderr } = speak('send 4 0 1 1000\ngo\nend\n');
    expect(stdout).toMatch(/^network 1 4 4 429.497\nat 0\nat \d+ 4\ndone \d+\n$/);
    expect(stderr).toContain('report: ');
    expect(status).toBe(0);
    expect(fs.readFileSync(path.join(folder, 'out', 'flows.csv'), 'utf8')).toContain('h1,h2,1000');
  });

  test.each([
    ['ends at once', '', 'the peer ended in the middle of a run'],
    ['ends within a line', 'send 4 0 1 1000\ngo\nen', 'the peer ended in the middle of a run'],
    ['says what nobody understands', `${'x'.repeat(2000)}\n`, 'the peer said'],
    ['says why it ends', 'error no work for rank 2\n', 'the peer ended: no work for rank 2'],
  ])('a peer that %s ends both with one sentence', (_, input, sentence) => {
    const { status, stdout, stderr } = speak(input);
    expect(status).toBe(1);
    expect(stderr.split('\n').filter((line) => line.includes('peer'))).toHaveLength(1);
    expect(stderr).toContain(`hpcc: ${sentence}`);
    expect(stdout.split('\n').at(-2)).toContain(`error ${sentence}`);
    expect(stderr).not.toContain('    at ');
  });

  test('says over the pipe, too, what it cannot read', () => {
    const { status, stdout } = speak('', file('broken.yml', 'topology: [ Ring ]\nnpus_count: x\n'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^error .*broken.yml:2: npus_count/);
  });
});
