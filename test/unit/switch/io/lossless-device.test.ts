import { Registry } from 'prom-client';
import { emitPause, isMacControl, parsePause } from '../../../../common/wire/ip/mac-control';
import { microseconds, milliseconds } from '../../../../common/units/units';
import { LiveDevice } from '../../../../switch/io/live-device';
import { addPauseMetrics, losslessSummary } from '../../../../switch/io/pause-report';
import { readSwitchFlags } from '../../../../switch/io/flags/switch-flags';
import { FORWARDING } from '../support/forwarding';
import { programText } from '../support/program';

/** 1 Mb/s: 8 us per byte. */
const RATES = [1, 2, 3].flatMap((port) => ['--link-rate-bps', `${port}=1e6`]);
const MEMORY = [...RATES, '--buffer-bytes', '9000'];
const PAUSES = ['--pfc-priorities', '0', '--pfc-headroom-bytes', '1000', '--pfc-quanta', '100'];
/** 100 quanta of 512 bits at 1 Mb/s. */
const PAUSE = microseconds(51_200);

interface Sent {
  readonly port: number;
  /** Quanta of a frame that asks for a pause. */
  readonly quanta: number | undefined;
}

/** A device as flags make it, whose wake-ups come when the test lets time pass. */
class Bench {
  readonly device: LiveDevice;
  readonly sent: Sent[] = [];
  #wakeups: { readonly port: number; readonly at: number }[] = [];

  constructor(...flags: readonly string[]) {
    const request = readSwitchFlags(['--no-p4', ...flags]);
    if (request.kind !== 'run') throw new Error('wanted a run');
    this.device = new LiveDevice(request.flags, {
      output: {
        transmit: (port, { bytes }) => {
          this.sent.push({ port, quanta: parsePause(bytes)?.quanta[0] });
        },
        schedulePort: (port, [at = 0]) => void this.#wakeups.push({ port, at }),
      },
    });
    this.device.loadProgram(programText(FORWARDING));
  }

  /** Lets packets of 500 bytes arrive for a port. */
  arrive(at: number, from: number, to: number, packets = 1): void {
    for (let i = 0; i < packets; i++) {
      this.device.handlePacket(at, from, { bytes: Uint8Array.of(to, 1, 2, 3), length: 500 });
    }
  }

  pause(at: number, port: number, time: number, classes = 1): void {
    const bytes = emitPause({ classes, quanta: new Array<number>(8).fill(time) }, 1);
    expect(isMacControl(bytes)).toBe(true);
    this.device.handlePacket(at, port, { bytes, length: bytes.length });
  }

  advance(until: number): void {
    for (;;) {
      this.#wakeups.sort((a, b) => a.at - b.at);
      const next = this.#wakeups[0];
      if (next === undefined || next.at > until) return;
      this.#wakeups.shift();
      this.device.handlePortFree(next.port, next.at);
    }
  }

  get data(): Sent[] {
    return this.sent.filter(({ quanta }) => quanta === undefined);
  }

  requests(port: number): (number | undefined)[] {
    return this.sent
      .filter((each) => each.port === port && each.quanta !== undefined)
      .map(({ quanta }) => quanta);
  }

  summary(now: number) {
    const { pauses } = this.device;
    return pauses && losslessSummary(pauses, [1, 2, 3], now);
  }
}

test('a live switch pauses those who fill its memory, and loses nothing', () => {
  const bench = new Bench(...MEMORY, ...PAUSES);
  bench.arrive(0, 1, 2, 8);
  bench.arrive(0, 3, 2, 4);
  expect([bench.requests(1), bench.requests(3)]).toEqual([[100], [100]]);
  bench.advance(milliseconds(200));
  expect(bench.data).toHaveLength(12);
  expect([bench.requests(1).at(-1), bench.requests(3).at(-1)]).toEqual([0, 0]);
  expect(bench.summary(milliseconds(200))).toMatchObject({
    pauses: 2,
    resumes: 2,
    losslessDrops: 0,
    lossyDrops: 0,
    stopped: [],
  });
});

test('without pauses the same packets find no room, and each is counted', () => {
  const bench = new Bench(...MEMORY);
  bench.arrive(0, 1, 2, 40);
  bench.advance(milliseconds(500));
  const lost = 40 - bench.data.length;
  expect(lost).toBeGreaterThan(20);
  expect(bench.summary(0)).toMatchObject({ pauses: 0, lossyDrops: lost, losslessDrops: 0 });
  expect(bench.device.counters().drops['queue-full']).toBe(lost);
});

test('the memory is the limit for those who do not stop', () => {
  const bench = new Bench(...MEMORY, ...PAUSES);
  bench.arrive(0, 1, 2, 1000);
  bench.arrive(0, 3, 2, 1000);
  expect(bench.device.queueBytes(2)).toBeLessThanOrEqual(9000);
  expect(bench.summary(0)?.losslessDrops).toBeGreaterThan(1900);
  expect(bench.summary(0)?.headroomPeakBytes).toBe(1000);
});

test('a port stops for the time that its neighbour asks for, and is counted as stopped', () => {
  const bench = new Bench(...MEMORY, ...PAUSES);
  bench.pause(0, 2, 100);
  bench.arrive(10, 1, 2, 2);
  bench.arrive(10, 1, 3);
  bench.advance(PAUSE - 1);
  expect(bench.data.map(({ port }) => port)).toEqual([3]);
  bench.advance(PAUSE);
  expect(bench.data.map(({ port }) => port)).toEqual([3, 2]);
  expect(bench.summary(2 * PAUSE)?.stopped).toEqual([
    { port: 2, priority: 0, pauses: 1, resumes: 0, seconds: 0.0512 },
  ]);
});

test('a neighbour that lets it go on is obeyed at once', () => {
  const bench = new Bench(...MEMORY, ...PAUSES);
  bench.pause(0, 2, 0xffff);
  bench.arrive(10, 1, 2);
  bench.pause(milliseconds(1), 2, 0);
  expect(bench.data).toHaveLength(1);
  expect(bench.summary(milliseconds(5))?.stopped).toEqual([
    { port: 2, priority: 0, pauses: 1, resumes: 1, seconds: 0.001 },
  ]);
});

test('what cannot be paused has no headroom, and asks nobody', () => {
  const bench = new Bench(...MEMORY, ...PAUSES, '--cpu-port', '255');
  for (let i = 0; i < 40; i++) {
    bench.device.handlePacketOut(0, { bytes: Uint8Array.of(2, 1, 2, 3), length: 500 });
  }
  // Half of 6000 shared bytes, and the one on the link.
  expect(bench.device.queueBytes(2)).toBe(3000);
  expect(bench.sent).toHaveLength(1);
  expect(bench.summary(0)).toMatchObject({ pauses: 0, losslessDrops: 33 });
});

test('MAC control frames of a switch without shared memory are packets like others', () => {
  const bench = new Bench(...RATES);
  bench.pause(0, 2, 100);
  bench.arrive(10, 1, 2);
  expect(bench.data.some(({ port }) => port === 2)).toBe(true);
  expect(bench.summary(0)).toBeUndefined();
});

test('memory that its reserves eat up is refused with their sizes', () => {
  expect(() => new Bench(...RATES, '--buffer-bytes', '3000', ...PAUSES)).toThrow(
    'a buffer of 3000 bytes leaves nothing to share: 3 ports need 3000 bytes of headroom',
  );
});

test('metrics say what was asked for, what was obeyed, and what was lost', async () => {
  const bench = new Bench(...MEMORY, ...PAUSES);
  bench.arrive(0, 1, 2, 40);
  bench.pause(0, 3, 100);
  const { pauses } = bench.device;
  if (pauses === undefined) throw new Error('no shared memory');
  const registry = new Registry();
  addPauseMetrics(registry, { pauses, ports: () => [1, 2, 3], now: () => PAUSE / 2 });
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'hpcc_switch_pauses_requested_total{kind="pause"} 1',
      'hpcc_switch_pauses_requested_total{kind="resume"} 0',
      'hpcc_switch_pauses_obeyed_total{port="3",priority="0",kind="pause"} 1',
      'hpcc_switch_pauses_obeyed_total{port="1",priority="0",kind="pause"} 0',
      'hpcc_switch_paused_seconds_total{port="3",priority="0"} 0.0256',
      `hpcc_switch_buffer_drops_total{kind="lossless"} ${bench.summary(0)?.losslessDrops ?? -1}`,
      'hpcc_switch_buffer_peak_bytes{part="headroom"} 1000',
    ]),
  );
  expect(bench.summary(0)?.losslessDrops).toBeGreaterThan(10);
});
