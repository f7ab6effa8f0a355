import { emitPause, isMacControl, parsePause } from '../../../../common/wire/ip/mac-control';
import { gigabitsPerSecond } from '../../../../common/units/units';
import { FORWARDING } from '../support/forwarding';
import { Network } from '../support/network';
import { programText } from '../support/program';
import type { BufferOptions } from '../../../../switch/buffer/shared-buffer';
import type { Packet } from '../../../../common/packet/packet';

const PROGRAM = programText(FORWARDING);
/** 80 ps per byte. */
const RATE = gigabitsPerSecond(100);
const PORTS = [1, 2, 3].map((port) => ({ port, rate: RATE }));
const BUFFER: BufferOptions = {
  bytes: 9000,
  alphas: [1],
  reservedBytes: 0,
  lossless: { priorities: [0], headroomBytes: () => 1000, resumeOffsetBytes: 0, quanta: 100 },
};
/** 100 quanta of 512 bits at 100 Gb/s. */
const PAUSE = 512_000;

function network(buffer: BufferOptions = BUFFER): Network {
  const made = new Network({ ports: PORTS, buffer });
  made.switch.loadProgram(PROGRAM);
  return made;
}

const packetFor = (port: number, length = 500): Packet => ({
  bytes: Uint8Array.of(port, 1, 2, 3),
  length,
});

const pauseFrame = (time: number, classes = 1): Packet => {
  const quanta = new Array<number>(8).fill(time);
  const bytes = emitPause({ classes, quanta }, 1);
  return { bytes, length: bytes.length };
};

/** Pauses that the switch has asked for, port by port. */
const requests = ({ sent }: Network) =>
  sent
    .filter(({ packet }) => isMacControl(packet.bytes))
    .map(({ port, packet, start }) => ({
      port,
      at: start,
      time: parsePause(packet.bytes)?.quanta[0],
    }));
const data = ({ sent }: Network) => sent.filter(({ packet }) => !isMacControl(packet.bytes));

/** Fills the queue of port 2 from ports 1 and 3 at one instant. */
function burst(net: Network, packets: number): void {
  for (let i = 0; i < packets; i++) net.switch.handlePacket(0, i % 2 === 0 ? 1 : 3, packetFor(2));
}

test('who fills the buffer is paused, loses nothing, and goes on when it has drained', () => {
  const net = network();
  burst(net, 12);
  // Shared are 6000, of which two groups get 2000 each before nothing more is free for them.
  expect(requests(net).map(({ port, time }) => [port, time])).toEqual([
    [1, 100],
    [3, 100],
  ]);
  net.advance(10_000_000);
  expect(data(net)).toHaveLength(12);
  expect(
    requests(net)
      .slice(-2)
      .map(({ time }) => time),
  ).toEqual([0, 0]);
  expect(net.switch.pauses?.requests).toEqual({
    pauses: 2,
    resumes: 2,
    losslessDrops: 0,
    lossyDrops: 0,
    storms: 0,
    stormDrops: 0,
  });
  expect(net.pending).toEqual([]);
});

test('without pauses the same burst loses what finds no room', () => {
  const net = network({ ...BUFFER, lossless: undefined, bytes: 6000 });
  burst(net, 12);
  net.advance(10_000_000);
  expect(requests(net)).toEqual([]);
  // The first has left at once; the queue may be half of 6000.
  expect(data(net)).toHaveLength(7);
  expect(net.switch.counters().drops['queue-full']).toBe(5);
  expect(net.switch.pauses?.requests.lossyDrops).toBe(5);
});

test('a sender that does not stop loses packets once its headroom is full, and is counted', () => {
  const net = network();
  burst(net, 40);
  expect(net.switch.pauses?.requests.losslessDrops).toBeGreaterThan(0);
  expect(net.switch.pauses?.peaks.headroomBytes).toBe(1000);
});

test('a port that is told to pause keeps its packets until it is told to go on', () => {
  const net = network();
  net.switch.handlePacket(0, 2, pauseFrame(0xffff));
  net.switch.handlePacket(10, 1, packetFor(2));
  net.switch.handlePacket(10, 1, packetFor(3));
  expect(data(net).map(({ port }) => port)).toEqual([3]);
  net.switch.handlePacket(90_000, 2, pauseFrame(0));
  expect(data(net).map(({ port, start }) => [port, start])).toEqual([
    [3, 10],
    [2, 90_000],
  ]);
  const counters = net.switch.pauses?.pauseCounters(2, 1_000_000);
  expect(counters).toMatchObject([{ pauses: 1, resumes: 1, duration: 90_000 }]);
});

test('a pause ends by itself when its time is over', () => {
  const net = network();
  net.switch.handlePacket(0, 2, pauseFrame(100));
  net.switch.handlePacket(10, 1, packetFor(2));
  net.advance();
  expect(data(net).map(({ start }) => start)).toEqual([PAUSE]);
  expect(net.switch.pauses?.pauseCounters(2, 2 * PAUSE)).toMatchObject([
    { pauses: 1, resumes: 0, duration: PAUSE },
  ]);
});

test('a pause of another priority stops nothing', () => {
  const net = network();
  net.switch.handlePacket(0, 2, pauseFrame(0xffff, 0b10));
  net.switch.handlePacket(10, 1, packetFor(2));
  expect(data(net)).toHaveLength(1);
});

test('a pause is repeated for as long as it is wanted', () => {
  const net = network();
  net.switch.handlePacket(0, 2, pauseFrame(0xffff));
  burst(net, 12);
  net.advance(2 * PAUSE);
  // Half of its time after the first, and so on.
  expect(
    requests(net)
      .filter(({ port }) => port === 1)
      .map(({ at }) => at),
  ).toEqual([0, 1, 2, 3, 4].map((i) => (i * PAUSE) / 2));
});

test('a frame of the switch waits for the packet in service only', () => {
  const net = network();
  // Port 1 sends 534 bytes for 42,720 ps when the pause for it comes up.
  net.switch.handlePacket(0, 3, packetFor(1));
  net.switch.handlePacket(0, 3, packetFor(1));
  burst(net, 12);
  const first = net.sent.filter(({ port }) => port === 1).slice(0, 3);
  expect(first.map(({ packet, start }) => [isMacControl(packet.bytes), start])).toEqual([
    [false, 0],
    [true, 42_720],
  ]);
  net.advance(100_000);
  // 60 bytes later it is the turn of the packet that waited.
  expect(net.sent.filter(({ port }) => port === 1)[2]?.start).toBe(42_720 + 4_800);
});

test('packets that go with a program or a port give their room back', () => {
  const net = network();
  burst(net, 12);
  net.switch.loadProgram(PROGRAM);
  net.advance(10_000_000);
  expect(
    requests(net)
      .slice(-2)
      .map(({ time }) => time),
  ).toEqual([0, 0]);
  expect(net.pending).toEqual([]);
});

test('attack 2: pauses to other addresses, and of queues for which none are agreed, stop nothing', () => {
  const unicast = pauseFrame(0xffff);
  unicast.bytes.set([2, 0, 0, 0, 0, 9]);
  const older = pauseFrame(0xffff);
  older.bytes.set([0, 1, 0xff, 0xff], 14);
  const isForwarded = (frame: Packet, buffer: BufferOptions): boolean => {
    const net = network(buffer);
    net.switch.handlePacket(0, 2, frame);
    net.switch.handlePacket(10, 1, packetFor(2));
    return data(net).length === 1;
  };
  expect(isForwarded(unicast, BUFFER)).toBe(true);
  for (const frame of [pauseFrame(0xffff), older]) {
    expect(isForwarded(frame, BUFFER)).toBe(false);
    expect(isForwarded(frame, { ...BUFFER, lossless: undefined })).toBe(true);
  }
});

describe('attack 3: a storm of pauses', () => {
  const DETECT = 10 * PAUSE;
  const watched = (action: 'drop' | 'forward'): BufferOptions => ({
    ...BUFFER,
    lossless: {
      priorities: [0],
      headroomBytes: () => 1000,
      resumeOffsetBytes: 0,
      quanta: 100,
      watchdog: { detect: DETECT, restore: DETECT, action },
    },
  });
  /** Pauses port 2 without end, while 1 sends to 2 and, where it may, to 3. */
  function storm(action: 'drop' | 'forward') {
    const net = network(watched(action));
    const stopped = new Set<number>();
    for (let at = 0; at <= 30 * PAUSE; at += PAUSE / 4) {
      net.arrive(at, 2, pauseFrame(100));
      for (const { port, time } of requests(net)) {
        if ((time ?? 0) > 0) stopped.add(port);
        else stopped.delete(port);
      }
      if (stopped.has(1)) continue;
      net.arrive(at + 1, 1, packetFor(2));
      net.arrive(at + 2, 1, packetFor(3));
    }
    return net;
  }
  const sentTo = (net: Network, port: number, after = 0) =>
    data(net).filter((each) => each.port === port && each.start > after).length;

  test('is ended by dropping what waits for the port: the others get their packets', () => {
    const net = storm('drop');
    expect(sentTo(net, 3, DETECT + PAUSE)).toBeGreaterThan(70);
    expect(sentTo(net, 2)).toBe(0);
    expect(net.switch.pauses?.requests).toMatchObject({ storms: 1, losslessDrops: 0 });
    const drops = net.switch.counters().drops['pause-storm'];
    expect(drops).toBeGreaterThan(70);
    expect(net.switch.pauses?.requests.stormDrops).toBe(drops);
    // Its end, so long after the last pause.
    net.advance(50 * PAUSE);
    net.arrive(50 * PAUSE, 1, packetFor(2));
    expect(sentTo(net, 2)).toBe(1);
  });

  test('is ended by sending in spite of it, where that is the action', () => {
    const net = storm('forward');
    expect(sentTo(net, 2, DETECT + PAUSE)).toBeGreaterThan(70);
    expect(net.switch.counters().drops['pause-storm']).toBe(0);
    expect(net.switch.pauses?.pauseCounters(2, 40 * PAUSE)).toMatchObject([{ storms: 1 }]);
  });

  test('is none where packets leave between pauses', () => {
    const net = network(watched('drop'));
    for (let at = 0; at <= 60 * PAUSE; at += 3 * PAUSE) {
      net.arrive(at, 2, pauseFrame(100));
      net.arrive(at + 1, 1, packetFor(2));
      net.arrive(at + 2, 1, packetFor(2));
    }
    net.advance();
    expect(net.switch.pauses?.requests).toMatchObject({ storms: 0, stormDrops: 0 });
    expect(sentTo(net, 2)).toBe(42);
  });

  test('of more pauses than the link has frames is cut, and requests to go on are obeyed', () => {
    const net = network();
    for (let i = 0; i < 1000; i++) net.switch.handlePacket(i, 2, pauseFrame(100));
    expect(net.switch.pauses?.pauseCounters(2, 0)[0]?.ignored).toBeGreaterThan(900);
    net.switch.handlePacket(1000, 2, pauseFrame(0));
    net.switch.handlePacket(1001, 1, packetFor(2));
    expect(sentTo(net, 2)).toBe(1);
  });
});
