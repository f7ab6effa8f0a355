import * as fc from 'fast-check';
import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_MS, PS_PER_SECOND } from '../../../../common/units/units';
import { toHex } from '../../../support/hex';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import type { PairOptions } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';

const DELAY = 2_000_000;

interface Run {
  readonly flows: readonly number[];
  readonly lossRate: number;
  readonly seed: number;
}

const anyRun: fc.Arbitrary<Run> = fc.record({
  flows: fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 3 }),
  lossRate: fc.constantFrom(0, 0.01, 0.1, 0.3),
  seed: fc.nat(),
});

/** A switch between the hosts: telemetry into data, losses in both directions. */
function network(run: Run): Required<Pick<PairOptions, 'network'>> {
  const random = new Random(run.seed);
  let txBytes = 0;
  return {
    network: (_from, packet, now) => {
      const isLost = random.uniform() < run.lossRate;
      if (isLost) return undefined;
      if (packet.bytes[15] === 0) return packet;
      const timestamp = Math.floor(now / 1000);
      const hop = { switchId: 1, portId: 1, timestamp, txBytes, queueBytes: 0, capacity: 100e9 };
      txBytes += packet.length + 32;
      return pushHop(packet, hop);
    },
  };
}

/** Writes every byte of a flow by its sequence, so that the receiver can tell them apart. */
const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));

function start(run: Run, options: Partial<PairOptions> = {}) {
  const received = run.flows.map(() => [] as number[]);
  const hosts = [
    testHost(1),
    testHost(2, { deliver: ({ flow, stored }) => received[flow]?.push(...stored) }),
  ] as const;
  const driver = new PairDriver(hosts, { delay: DELAY, ...network(run), ...options });
  run.flows.forEach((bytes, id) => hosts[0].startFlow(0, { ...flowTo(2, id, bytes), payload }));
  return { driver, hosts, received };
}

const trace = (driver: PairDriver): string[] =>
  driver.sent.map(({ from, at, packet }) => `${from} ${at} ${toHex(packet.bytes)}`);

describe('two hosts', () => {
  it('deliver every byte exactly once and in order, whatever is lost', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const { driver, received } = start(run);
        expect(driver.run(100 * PS_PER_SECOND)).toBe(true);
        const completed = driver.events[0].filter((event) => event.kind === 'flow-completed');
        expect(completed).toHaveLength(run.flows.length);
        run.flows.forEach((bytes, id) => {
          expect(received[id]).toHaveLength(bytes);
          expect(received[id]?.every((byte, i) => byte === i % 251)).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('do the same when every wake-up is split at random, with wake-ups for nothing between', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const random = new Random(run.seed);
        const between = (now: number, due: number): number =>
          now + Math.floor(random.uniform() * (due - now));
        const plain = start(run);
        const split = start(run, { earlyWakeups: (now, due) => [between(now, due)] });
        plain.driver.run(5 * PS_PER_MS);
        split.driver.run(5 * PS_PER_MS);
        expect(trace(split.driver)).toEqual(trace(plain.driver));
        expect(split.driver.events).toEqual(plain.driver.events);
      }),
      { numRuns: 40 },
    );
  });

  it('lose nothing on a clean link and never exceed the window by a whole segment', () => {
    const run = { flows: [200_000], lossRate: 0, seed: 1 };
    const { driver, hosts } = start(run);
    while (!driver.run(driver.now + 100_000)) {
      const metrics = hosts[0].flowMetrics(0);
      if (metrics === undefined) continue;
      // The window may have shrunk since the last segment left, hence its upper bound.
      expect(metrics.inflightBytes).toBeLessThan(62_500 + 1000);
      expect(metrics.segmentsRetransmitted).toBe(0);
    }
    expect(hosts[0].counters()).toMatchObject({ dataSent: 200, acksReceived: 200 });
  });

  it('settle near the target utilisation of an undisturbed link', () => {
    const run = { flows: [2_000_000], lossRate: 0, seed: 1 };
    const { driver } = start(run);
    expect(driver.run(10 * PS_PER_MS)).toBe(true);
    const done = driver.events[0].find((event) => event.kind === 'flow-completed');
    const duration = done?.kind === 'flow-completed' ? done.completedAt : NaN;
    // 2000 frames of 1106 bytes at 95 Gb/s take 186.3 us, and the last acknowledgement returns.
    expect(duration / 1e6).toBeGreaterThan(182);
    expect(duration / 1e6).toBeLessThan(194);
  });
});

describe('a recorded run', () => {
  type Call =
    | { readonly kind: 'packet'; readonly now: number; readonly packet: Packet }
    | { readonly kind: 'wakeup'; readonly now: number }
    | { readonly kind: 'transmit'; readonly now: number; readonly sent: string | undefined };

  it('has the same outputs when its calls are made again', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const { driver, hosts } = start(run);
        const calls: Call[] = [];
        record(hosts[0], calls);
        driver.run(5 * PS_PER_MS);
        const again = testHost(1);
        run.flows.forEach((bytes, id) => again.startFlow(0, { ...flowTo(2, id, bytes), payload }));
        for (const call of calls) {
          if (call.kind === 'packet') again.handlePacket(call.now, call.packet);
          else if (call.kind === 'wakeup') again.handleWakeup(call.now);
          else expect(hex(again.pollTransmit(call.now))).toBe(call.sent);
        }
        expect(again.counters()).toEqual(hosts[0].counters());
        expect(again.pollWakeup()).toEqual(hosts[0].pollWakeup());
      }),
      { numRuns: 30 },
    );
  });

  const hex = (packet: Packet | undefined): string | undefined =>
    packet === undefined ? undefined : toHex(packet.bytes);

  function record(host: ReturnType<typeof testHost>, calls: Call[]): void {
    const handlePacket = host.handlePacket.bind(host);
    const handleWakeup = host.handleWakeup.bind(host);
    const pollTransmit = host.pollTransmit.bind(host);
    host.handlePacket = (now, packet) => {
      calls.push({ kind: 'packet', now, packet });
      handlePacket(now, packet);
    };
    host.handleWakeup = (now) => {
      calls.push({ kind: 'wakeup', now });
      handleWakeup(now);
    };
    host.pollTransmit = (now) => {
      const packet = pollTransmit(now);
      calls.push({ kind: 'transmit', now, sent: hex(packet) });
      return packet;
    };
  }
});
