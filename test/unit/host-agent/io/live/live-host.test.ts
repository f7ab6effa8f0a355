import type { Packet } from '../../../../../common/packet/packet';
import { gigabitsPerSecond, microseconds, milliseconds } from '../../../../../common/units/units';
import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';
import { LiveHost } from '../../../../../host-agent/io/live/live-host';
import type { FramePort } from '../../../../../host-agent/io/net/frame-port';
import { HostAgent } from '../../../../../host-agent/transport/host';
import type { HostEvent } from '../../../../../host-agent/host/host-events';

const NOTHING = {
  received: 0,
  ignored: 0,
  sent: 0,
  overflowed: 0,
  oversized: 0,
  sendFailed: 0,
};
const FRAME_BITS = 8 * 1074;

/** A clock that the test moves on, and the time between two looks at it. */
class StepClock {
  now = 0;

  constructor(private readonly step: number) {}

  readonly read = (): number => (this.now += this.step);
}

/** A port whose frames are in lists. */
class FakePort implements FramePort {
  readonly fd = -1;
  readonly arrived: Uint8Array[] = [];
  readonly sent: Packet[] = [];
  /** When the first frames left, by the machine's clock. */
  readonly sentAt: number[] = [];
  isClosed = false;

  constructor(private readonly clock: StepClock) {}

  drain(limit: number, handle: (frame: Uint8Array) => void): number {
    // As much as a UDP socket gives at once.
    const frames = this.arrived.splice(0, Math.min(limit, 64));
    frames.forEach(handle);
    return frames.length;
  }

  send(packet: Packet): void {
    this.sent.push(packet);
    this.sentAt.push(this.clock.now);
  }

  flush(): void {
    return;
  }

  counters() {
    return NOTHING;
  }

  close(): void {
    this.isClosed = true;
  }
}

interface HostOptions {
  readonly step: number;
  readonly linkGbps: number;
  /** T; 1 ms unless given. */
  readonly baseRtt?: number;
}

function makeHost(address: number, options: HostOptions) {
  const clock = new StepClock(options.step);
  const port = new FakePort(clock);
  const linkRate = gigabitsPerSecond(options.linkGbps);
  const { baseRtt = milliseconds(1) } = options;
  const agent = new HostAgent({
    address,
    mac: address,
    linkRate,
    baseRtt,
    congestionControl: hpccppFactory(),
    retransmissionTimeout: milliseconds(1000),
  });
  const events: HostEvent[] = [];
  const failures: unknown[] = [];
  const live = new LiveHost({
    agent,
    port,
    linkRate,
    baseRtt,
    clock: clock.read,
    onEvent: (event) => events.push(event),
    onFailure: (error) => failures.push(error),
  });
  return { agent, port, clock, live, events, failures };
}

const FLOW = { id: 1, destinationAddress: 2, destinationMac: 2 };

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the live host', () => {
  test('keeps the rate of its link, though it gets its turn late and irregularly', async () => {
    const { live, port } = makeHost(1, { step: microseconds(37), linkGbps: 1 });
    live.act((agent, now) => agent.startFlow(now, { ...FLOW, bytes: 100_000 }));
    live.start();
    await until(() => port.sent.length === 100);
    await live.stop();
    const [first = 0] = port.sentAt;
    const nanoseconds = ((port.sentAt.at(-1) ?? 0) - first) / 1000;
    expect(nanoseconds).toBeGreaterThan(99 * FRAME_BITS - 2 * 37_000);
    expect(nanoseconds).toBeLessThan(99 * FRAME_BITS + 2 * 37_000);
  });

  test.each([
    ['100 us', 1, 100_000],
    ['a twentieth of T', 4, 200_000],
    ['1 ms', 40, 1_000_000],
  ])('has lost its turn, not saved it up, but for %s', async (_, rttMs, recentNs) => {
    const baseRtt = milliseconds(rttMs);
    const { live, port, clock } = makeHost(1, { step: microseconds(1), linkGbps: 1, baseRtt });
    live.act((agent, now) => agent.startFlow(now, { ...FLOW, bytes: 240_000 }));
    clock.now += milliseconds(100);
    live.act(() => undefined);
    const burst = port.sent.length;
    await live.stop();
    // The packets that were due since, and two of those that were due before.
    expect(Math.abs(burst - recentNs / FRAME_BITS)).toBeLessThanOrEqual(3);
  });

  test('answers what arrives, and tells what the agent has noticed', async () => {
    const one = makeHost(1, { step: microseconds(1), linkGbps: 10 });
    const two = makeHost(2, { step: microseconds(1), linkGbps: 10 });
    one.live.act((agent, now) => agent.startFlow(now, { ...FLOW, bytes: 3000 }));
    one.live.start();
    two.live.start();
    await until(() => {
      for (const [from, to] of [
        [one, two],
        [two, one],
      ] as const) {
        for (const { bytes, length } of from.port.sent.splice(0)) {
          const whole = new Uint8Array(length);
          whole.set(bytes);
          to.port.arrived.push(whole);
          // A real port has a descriptor that wakes its host.
          to.live.wake();
        }
      }
      return one.events.some(({ kind }) => kind === 'flow-completed');
    });
    await Promise.all([one.live.stop(), two.live.stop()]);
    expect(two.events).toMatchObject([{ kind: 'flow-received', bytes: 3000 }]);
    expect(one.events.map(({ kind }) => kind)).toEqual(['flow-started', 'flow-completed']);
    expect([one.port.isClosed, two.port.isClosed]).toEqual([true, true]);
  });

  test('reads what has arrived while it did not run before it misses anything', async () => {
    const { live, port, clock, events } = makeHost(1, { step: microseconds(1), linkGbps: 10 });
    const receiver = makeHost(2, { step: microseconds(1), linkGbps: 10 }).agent;
    live.act((flows, now) => flows.startFlow(now, { ...FLOW, bytes: 3000 }));
    clock.now += microseconds(10);
    live.act(() => undefined);
    expect(port.sent).toHaveLength(3);
    for (const packet of port.sent) receiver.handlePacket(clock.now, packet);
    // Frames of others, which it passes over.
    for (let i = 0; i < 200; i++) port.arrived.push(new Uint8Array(60));
    for (let of = receiver.pollTransmit(clock.now); of; of = receiver.pollTransmit(clock.now)) {
      port.arrived.push(of.bytes.slice(0, of.length));
    }
    // Longer than the timeout.
    clock.now += milliseconds(5000);
    live.act(() => undefined);
    await live.stop();
    expect(port.sent).toHaveLength(3);
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('flow'));
    expect(kinds).toEqual(['flow-started', 'flow-completed']);
  });

  test('closes its port and says why when it cannot go on', async () => {
    const { live, port, failures } = makeHost(1, { step: microseconds(1), linkGbps: 1 });
    port.drain = () => {
      throw new Error('the interface has gone');
    };
    live.start();
    await until(() => failures.length > 0);
    expect(failures).toEqual([new Error('the interface has gone')]);
    expect(port.isClosed).toBe(true);
    await live.stop();
  });

  test('closes its port when it is stopped before it was started, and still says how it is', async () => {
    const { live, port } = makeHost(1, { step: 1, linkGbps: 1 });
    live.act((agent, now) => agent.startFlow(now, { ...FLOW, bytes: 1 }));
    await live.stop();
    expect(port.isClosed).toBe(true);
    expect(live.act((agent) => agent.flowMetrics(1)?.acknowledgedBytes)).toBe(0);
    expect(port.sent).toEqual([]);
  });
});
