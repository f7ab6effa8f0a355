import { execFileSync } from 'node:child_process';
import type { Leg } from '../../../../../bench/live/test-bed';
import { inNamespace } from '../../../../../bench/live/test-bed';
import { startHostProcess } from '../../../../../bench/live/host-star';
import type { RunningHost } from '../../../../../bench/live/host-star';
import type { AgentReport } from '../../../../../host-agent/io/live/run-agent';
import { canMakeNamespaces, makeLeg, removeLeg } from '../../../../support/live-network';
import { LIVE_PROGRAM } from '../../../../support/own-command';
import { describeIf } from '../../../../support/requires';

const ROOT = 'needs root and the ip command to make network namespaces';
const DEADLINE_MS = 60_000;
const NICS = ['one', 'two'] as const;
const RATES = { one: '20M', two: '10M' } as const;
const INTERFACES = NICS.map((name) => `${name}=${RATES[name]}`).join(',');
const TUNING = ['--base-rtt-us', '10000', '--rto-ms', '200', '--checksum'];
/** Nobody on a cable tells loads. */
const LIMIT = ['--algorithm', 'none'];

const ip = (leg: Leg, ...args: readonly string[]): void =>
  void execFileSync('ip', ['-n', leg.namespace, ...args]);

const running: RunningHost[] = [];

function start(leg: Leg, ...argv: readonly string[]): RunningHost {
  const host = startHostProcess(inNamespace(leg, [...LIVE_PROGRAM, ...argv]));
  running.push(host);
  return host;
}

/** Packets that have left by each interface. */
function sentBy(leg: Leg): Readonly<Record<string, number>> {
  return Object.fromEntries(
    NICS.map((name) => {
      const args = ['-n', leg.namespace, '-j', '-s', 'link', 'show', 'dev', name];
      const [link] = JSON.parse(execFileSync('ip', args, { encoding: 'utf8' })) as {
        stats64: { tx: { packets: number } };
      }[];
      return [name, link?.stats64.tx.packets ?? 0];
    }),
  );
}

describeIf(canMakeNamespaces(), 'hosts with several interfaces', ROOT, () => {
  let legs: readonly [Leg, Leg];

  beforeEach(() => {
    legs = [makeLeg(), makeLeg()];
    const [a, b] = legs;
    for (const name of NICS) {
      const peer = ['peer', 'name', name, 'netns', b.namespace];
      ip(a, 'link', 'add', 'name', name, 'type', 'veth', ...peer);
    }
    legs.forEach((leg, i) => {
      for (const name of NICS) {
        ip(leg, 'address', 'add', `10.0.0.${i + 1}/32`, 'dev', name);
        ip(leg, 'link', 'set', 'dev', name, 'mtu', '1500', 'up');
      }
    });
    const hops = NICS.flatMap((name) => ['nexthop', 'dev', name]);
    legs.forEach((leg, i) => ip(leg, 'route', 'add', `10.0.0.${2 - i}/32`, ...hops));
  });

  // A test that fails may have left its receiver.
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop('SIGKILL')));
    legs.forEach(removeLeg);
  });

  const received = async (host: RunningHost): Promise<AgentReport['received']> =>
    (JSON.parse((await host.stop()).stdout) as AgentReport).received;

  const startReceiver = async (...options: readonly string[]): Promise<RunningHost> => {
    const receiver = start(legs[1], 'agent', '-i', INTERFACES, '--checksum', ...options);
    await receiver.logged(/"msg":"ready"/);
    return receiver;
  };

  const send = (...options: readonly string[]): RunningHost =>
    start(legs[0], 'send', '10.0.0.2', '--json', '-i', INTERFACES, ...TUNING, ...options);

  test.each([
    ['by the own transport', [], LIMIT],
    // Its algorithms want telemetry; without any they go on at the rate of the link, and say so.
    ['by RDMA WRITE', ['--framing', 'rocev2'], []],
  ])(
    'send flows over all of them, each no faster than its link: %s',
    async (_, framing, limit) => {
      const receiver = await startReceiver(...framing);
      const { stdout } = await send('-n', '1M', '-P', '4', ...limit, ...framing).ended;
      const { sent } = JSON.parse(stdout) as AgentReport;
      expect(sent?.total).toMatchObject({ unfinishedFlows: 0, bytes: 4e6 });
      const all = await received(receiver);
      const sums = (flows: readonly { flow: number; sha256?: string | undefined }[]) =>
        flows.map(({ flow, sha256 }) => `${flow} ${sha256}`).sort();
      expect(sums(all)).toEqual(sums(sent?.flows ?? []));
      const counts = sentBy(legs[0]);
      // Two flows of 1 MB by each interface.
      for (const name of NICS) expect(counts[name]).toBeGreaterThan(1900);
      const fastest = Math.max(...(sent?.flows ?? []).map(({ bitsPerSecond }) => bitsPerSecond));
      expect(fastest).toBeLessThan(20e6);
    },
    DEADLINE_MS,
  );

  test(
    'go on over the other one when a cable is pulled at either end, and lose no byte',
    async () => {
      const receiver = await startReceiver();
      const sender = send('-n', '3M', '-P', '2', '--timeout', '20', ...LIMIT);
      await receiver.logged(/"msg":"host is open"/);
      while ((sentBy(legs[0])['one'] ?? 0) < 300) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      ip(legs[1], 'link', 'set', 'dev', 'one', 'down');
      const before = sentBy(legs[0]);
      const { code, stdout } = await sender.ended;
      expect(code).toBe(0);
      const { sent } = JSON.parse(stdout) as AgentReport;
      expect(sent?.total).toMatchObject({ unfinishedFlows: 0, bytes: 6e6 });
      const after = sentBy(legs[0]);
      // What is left of both flows has left by the second one.
      expect((after['two'] ?? 0) - (before['two'] ?? 0)).toBeGreaterThan(3000);
      const all = await received(receiver);
      expect(all.map(({ sha256 }) => sha256).sort()).toEqual(
        sent?.flows.map(({ sha256 }) => sha256).sort(),
      );
    },
    DEADLINE_MS,
  );

  test(
    'begin although one is down, and are refused where all are',
    async () => {
      const [a] = legs;
      ip(a, 'link', 'set', 'dev', 'one', 'down');
      const receiver = await startReceiver();
      const { code } = await send('-n', '100k', '-P', '2', ...LIMIT).ended;
      expect(code).toBe(0);
      expect(await received(receiver)).toHaveLength(2);
      ip(a, 'link', 'set', 'dev', 'two', 'down');
      const refused = await send('-n', '100k').ended;
      expect(refused.stderr).toContain('all interfaces are down: one, two');
    },
    DEADLINE_MS,
  );

  test(
    'are refused where they have several addresses',
    async () => {
      const [a] = legs;
      ip(a, 'address', 'replace', '10.0.0.9/32', 'dev', 'two');
      ip(a, 'address', 'del', '10.0.0.1/32', 'dev', 'two');
      const { stderr } = await send('-n', '100k').ended;
      expect(stderr).toContain(
        'have 10.0.0.1 and 10.0.0.9, and a host has one address: give it with --address',
      );
    },
    DEADLINE_MS,
  );

  test.each([
    [['--transport', 'udp'], '--interface with several needs --transport packet'],
    [['--peer-mac', '02:00:00:00:00:01'], '--peer-mac is that of one link'],
    [['-i', 'one,one'], '--interface one,one has one twice'],
    [['-i', 'one=fast,two'], '--interface one=fast: wanted a rate as in one=10M'],
  ])('are refused with %j', async (options, sentence) => {
    const { code, stderr } = await send(...options).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });
});
