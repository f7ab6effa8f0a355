import { COPYING_PROGRAMS, setCopies } from '../support/copying-programs';
import type { Programs } from '../support/copying-programs';
import { executorFactory } from '../../../../switch/codegen/executors';
import { EXECUTOR_NAMES } from '../../../../switch/codegen/executor-names';
import { KeptPackets } from '../../../../switch/executor/kept-packets';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { ExecutorName } from '../../../../switch/codegen/executor-names';

const MS = 1e9;
const PACKETS_PER_SECOND = 1000;

/**
 * Gives three packets in one piece of memory to a switch whose port 1 sends one a millisecond;
 * returns what it sends behind the header that the program adds.
 */
function run(name: ExecutorName, lendsPackets: boolean): number[][] {
  const sent: number[][] = [];
  const memory = new Uint8Array(5);
  const device = new V1ModelSwitch({
    ports: [0, 1, 2].map((port) => ({
      pacing: 'bmv2 packets/s' as const,
      port,
      ...(port === 1 && { packetsPerSecond: PACKETS_PER_SECOND }),
    })),
    output: {
      lendsPackets,
      transmit: (_port, { bytes }) => void sent.push([...bytes.subarray(-memory.length)]),
      schedulePort: () => undefined,
    },
    executor: executorFactory(name),
  });
  device.loadProgram(programText(steering([])));
  for (const payload of [7, 8, 9]) {
    memory.set([1, 0, payload, payload, payload]);
    device.handlePacket(MS, 2, { bytes: memory, length: memory.length });
  }
  memory.fill(0xff);
  for (const now of [2, 3, 4]) device.handlePortFree(1, now * MS);
  return sent;
}

describe.each(EXECUTOR_NAMES)('packets in memory that is lent to a switch (%s)', (name) => {
  test('leave as they came, however long they wait', () => {
    const packets = [7, 8, 9].map((payload) => [1, 0, payload, payload, payload]);
    expect(run(name, true)).toEqual(packets);
  });

  test('are read again when they leave, where the switch may keep them', () => {
    expect(run(name, false)[1]?.slice(2)).toEqual([0xff, 0xff, 0xff]);
  });
});

/**
 * Sends sixty packets of several lengths through a switch whose ports send one a millisecond, three times as slowly
 * as they come; returns what it sends. Lent memory is overwritten as soon as the switch has looked.
 */
function crowd(name: ExecutorName, { ingress = [], egress = [] }: Programs, lends: boolean) {
  const sent: number[][] = [];
  const wakeups: (readonly [at: number, port: number])[] = [];
  const device = new V1ModelSwitch({
    ports: [0, 1, 2, 3].map((port) => ({
      pacing: 'bmv2 packets/s' as const,
      port,
      packetsPerSecond: PACKETS_PER_SECOND,
    })),
    output: {
      lendsPackets: lends,
      transmit: (port, { bytes }) => void sent.push([port, ...bytes]),
      schedulePort: (port, [at = 0]) => void wakeups.push([at, port]),
    },
    executor: executorFactory(name),
  });
  device.loadProgram(programText(steering(ingress, egress)));
  setCopies(device);
  const memory = new Uint8Array(4000);
  const serveUntil = (now: number): void => {
    for (let i = wakeups.length; i > 0; i--) {
      wakeups.sort(([a], [b]) => a - b);
      const next = wakeups[0];
      if (next === undefined || next[0] > now) return;
      wakeups.shift();
      device.handlePortFree(next[1], next[0]);
    }
  };
  for (let i = 0; i < 60; i++) {
    const now = (i * MS) / 3;
    serveUntil(now);
    const length = i % 9 === 0 ? memory.length : 60 + (i % 3);
    const bytes = (lends ? memory : new Uint8Array(length)).subarray(0, length);
    bytes.fill(i);
    bytes.set([i % 4, 0]);
    device.handlePacket(now, 1, { bytes, length });
    if (lends) memory.fill(0xff);
  }
  for (let now = 20; now < 300; now++) serveUntil(now * MS);
  return sent;
}

test('packets that wait at a port which is taken away leave their room to others', () => {
  const give = jest.spyOn(KeptPackets.prototype, 'give');
  const device = new V1ModelSwitch({
    ports: [1, 2].map((port) => ({
      pacing: 'bmv2 packets/s' as const,
      port,
      packetsPerSecond: PACKETS_PER_SECOND,
    })),
    output: { lendsPackets: true, transmit: () => undefined, schedulePort: () => undefined },
    executor: executorFactory('generated'),
  });
  device.loadProgram(programText(steering([])));
  for (let i = 0; i < 5; i++)
    device.handlePacket(MS, 2, { bytes: new Uint8Array([1, 0]), length: 2 });
  const before = give.mock.calls.length;
  device.removePort(1);
  expect(give.mock.calls.length - before).toBe(4);
  expect(device.counters().drops['unknown-port']).toBe(4);
  give.mockRestore();
});

describe.each(EXECUTOR_NAMES)('packets that wait in lent memory (%s)', (name) => {
  test.each(COPYING_PROGRAMS)(
    'are the same as those that a switch may keep, when %s',
    (_how, programs) => {
      const kept = crowd(name, programs, true);
      expect(kept).toEqual(crowd(name, programs, false));
      expect(kept.length).toBeGreaterThanOrEqual(40);
    },
  );
});
