import { milliseconds, PS_PER_SECOND } from '../../../../common/units/units';
import type { Duration, Instant } from '../../../../common/units/units';
import { Random } from '../../../../common/random/random';
import { arrivingSegment, TcpSimulation } from '../../../support/simulated-tcp';

const FRAME_BITS = 8 * 1514;

const seconds = (n: number): Instant => Math.round(n * PS_PER_SECOND);

/** Rates of frames that arrived between two times, in bits/s. */
function rates(simulation: TcpSimulation, from: Instant, to: Instant): number[] {
  simulation.run(from);
  const before = simulation.flows.map(({ delivered }) => delivered);
  simulation.run(to);
  const time = (to - from) / PS_PER_SECOND;
  return simulation.flows.map(
    ({ delivered }, i) => ((delivered - (before[i] ?? 0)) * FRAME_BITS) / time,
  );
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const jain = (values: readonly number[]): number =>
  sum(values) ** 2 / (values.length * sum(values.map((value) => value ** 2)));

/** Below which the queue was this share of the time, in ms of the link. */
function queueMs(simulation: TcpSimulation, share: number, capacity: number, from = 0): number {
  const sorted = simulation.queueAtTick.slice(from).sort((a, b) => a - b);
  return ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 8000) / capacity;
}

interface Path {
  readonly capacity: number;
  readonly rtt: Duration;
}

const PATHS: readonly Path[] = [
  { capacity: 10e6, rtt: milliseconds(20) },
  { capacity: 20e6, rtt: milliseconds(1) },
  { capacity: 50e6, rtt: milliseconds(5) },
  { capacity: 100e6, rtt: milliseconds(20) },
];

describe('TCP under control', () => {
  test.each(PATHS)('fills a path without filling its queue: %j', ({ capacity, rtt }) => {
    const simulation = new TcpSimulation({ capacity, rtt, starts: [0] });
    const [rate = 0] = rates(simulation, seconds(0.5), seconds(2));
    expect(rate / capacity).toBeGreaterThan(0.93);
    // 400 segments of an uncontrolled sender would wait here.
    expect(queueMs(simulation, 0.99, capacity, 500)).toBeLessThan((1e3 * FRAME_BITS) / capacity);
    expect(queueMs(simulation, 1, capacity)).toBeLessThan((32 * 1e3 * FRAME_BITS) / capacity);
  });

  test.each([2, 4])('shares a path among %d connections that begin one by one', (count) => {
    const starts = Array.from({ length: count }, (_, i) => seconds(0.3 * i));
    const path = { capacity: 20e6, rtt: milliseconds(5) };
    const simulation = new TcpSimulation({ ...path, starts });
    const shares = rates(simulation, seconds(6), seconds(9));
    expect(jain(shares)).toBeGreaterThan(0.96);
    expect(sum(shares) / path.capacity).toBeGreaterThan(0.93);
    expect(queueMs(simulation, 0.9, path.capacity, 6000)).toBeLessThan(4);
  });

  test('gives what a connection leaves behind to those that stay', () => {
    const path = { capacity: 20e6, rtt: milliseconds(2) };
    const simulation = new TcpSimulation({ ...path, starts: [0, 0] }).run(seconds(2));
    const leaving = simulation.flows[1];
    if (leaving !== undefined) leaving.cwnd = -Infinity;
    const [rate = 0] = rates(simulation, seconds(3), seconds(4));
    expect(rate / path.capacity).toBeGreaterThan(0.93);
  });

  test('bears the loss of probes and responses', () => {
    const random = new Random(11);
    const path = { capacity: 20e6, rtt: milliseconds(5), starts: [0] };
    const simulation = new TcpSimulation({ ...path, isLost: () => random.uniform() < 0.1 });
    const [rate = 0] = rates(simulation, seconds(1), seconds(3));
    expect(rate / path.capacity).toBeGreaterThan(0.9);
    expect(queueMs(simulation, 0.99, path.capacity, 1000)).toBeLessThan(3);
    expect(simulation.controls[0]?.counters().probesLost).toBeGreaterThan(5);
  });

  test('changes a rate at most once in a round trip', () => {
    const rtt = milliseconds(5);
    const simulation = new TcpSimulation({ capacity: 20e6, rtt, starts: [0, seconds(0.2)] });
    simulation.run(seconds(2));
    for (const calls of simulation.calls) {
      const times = calls.map(({ now }) => now);
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(rtt);
    }
  });
});

describe('a connection to a host without an agent', () => {
  test('is never slowed down, and hardly asked', () => {
    const path = { capacity: 20e6, rtt: milliseconds(5), starts: [0] };
    const simulation = new TcpSimulation({ ...path, isLost: () => true });
    const [rate = 0] = rates(simulation, seconds(1), seconds(4));
    expect(simulation.calls[0]).toEqual([]);
    expect(rate / path.capacity).toBeGreaterThan(0.99);
    // One probe, and four times again before it is left alone.
    expect(simulation.telemetryFrames).toBeLessThanOrEqual(5);
  });

  test('whose agent has ended is left to the kernel again, and taken back when it returns', () => {
    const gone = { from: seconds(1), to: seconds(5) };
    const path = { capacity: 20e6, rtt: milliseconds(5), starts: [0] };
    const isLost = (_frame: number, now: Instant): boolean => now > gone.from && now < gone.to;
    const simulation = new TcpSimulation({ ...path, isLost });
    const [rate = 0] = rates(simulation, seconds(2), seconds(4));
    expect(simulation.calls[0]?.at(-1)?.what).toBe('close 16');
    expect(rate / path.capacity).toBeGreaterThan(0.99);
    simulation.run(seconds(9));
    expect(simulation.flows[0]?.rate).toBeLessThan(path.capacity);
  });
});

describe('control of connections', () => {
  const path = { capacity: 20e6, rtt: milliseconds(5) };

  test('ends with the connection: its class goes, and its summary stays', () => {
    const simulation = new TcpSimulation({ ...path, starts: [0] }).run(seconds(1));
    const [flow] = simulation.flows;
    if (flow !== undefined) flow.cwnd = -Infinity;
    simulation.run(seconds(13));
    expect(simulation.calls[0]?.at(-1)?.what).toBe('close 16');
    const [control] = simulation.controls;
    expect(control?.size).toBe(0);
    expect(control?.summaries()).toMatchObject([
      { connection: '10.0.0.2:40000-0.0.0.1:5201', isControlled: true },
    ]);
  });

  test('leaves connections of other ports alone', () => {
    const settings = { ports: new Set([80]) };
    const simulation = new TcpSimulation({ ...path, starts: [0], settings }).run(seconds(1));
    expect(simulation.telemetryFrames).toBe(0);
    expect(simulation.controls[0]?.counters().connectionsSeen).toBe(0);
  });

  test('leaves connections alone for which no class is left', () => {
    const settings = { connectionsMax: 0 };
    const simulation = new TcpSimulation({ ...path, starts: [0], settings }).run(seconds(1));
    expect(simulation.calls[0]).toEqual([]);
    expect(simulation.samples[0]?.length).toBeGreaterThan(0);
  });

  test('only measures when it is told to, at the interval that it is told', () => {
    const settings = { observeEvery: milliseconds(10) };
    const simulation = new TcpSimulation({ ...path, starts: [0], settings }).run(seconds(2));
    expect(simulation.calls[0]).toEqual([]);
    const samples = simulation.samples[0] ?? [];
    expect(samples.length).toBeGreaterThan(150);
    expect(samples.at(-1)).toMatchObject({ rate: undefined, windowBytes: undefined, hops: 1 });
    // All that the sender's window holds waits there.
    expect(samples.at(-1)?.queueBytes).toBeGreaterThan(300 * 1514);
  });

  test('lowers windows too when it is told to, and gives them back', () => {
    const settings = { rewritesWindows: true };
    const simulation = new TcpSimulation({ ...path, starts: [0], settings }).run(seconds(1));
    const fields = (simulation.calls[0] ?? []).filter(({ what }) => what.startsWith('window'));
    expect(fields.length).toBeGreaterThan(2);
    // Scale 7: at most W_init, 32 frames, and four segments more.
    for (const { what } of fields) {
      expect(Number(what.split(' ')[1]) * 128).toBeLessThan(32 * 1514 + 4 * 1460 + 128);
    }
    simulation.controls[0]?.endAll();
    expect(simulation.calls[0]?.map(({ what }) => what)).toContain('no window');
  });

  test('takes a connection on a path that is known before its first probe', () => {
    const simulation = new TcpSimulation({ ...path, starts: [0] }).run(seconds(1));
    const [control, calls] = [simulation.controls[0], simulation.calls[0]];
    const key = { localAddress: 2, localPort: 40_001, remoteAddress: 1, remotePort: 5201 };
    const segment = (flags: number, acknowledgement: number): void =>
      control?.handleSegment(seconds(1), arrivingSegment({ key, flags, acknowledgement }));
    segment(0x12, 100);
    expect(calls?.at(-1)?.what).not.toBe('open 17');
    segment(0x10, 101);
    expect(calls?.at(-1)?.what).toBe('open 17');
    // Fewer bytes than a grown probe has are acknowledged: it would not lie in the past.
    const before = simulation.telemetryFrames;
    control?.handleTimers(seconds(1));
    expect(simulation.telemetryFrames).toBe(before);
  });
});

describe('probes of a connection', () => {
  test('have the class that its packets have at that moment', () => {
    let asked = 0;
    const dscp = (): number => (asked++ < 5 ? 0 : 46);
    const path = { capacity: 20e6, rtt: milliseconds(5) };
    const simulation = new TcpSimulation({ ...path, starts: [0], dscp }).run(seconds(1));
    expect(simulation.probeClasses.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 46, 46, 46]);
  });
});
