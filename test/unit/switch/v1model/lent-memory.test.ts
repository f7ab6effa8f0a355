import { assign, hex, primitive } from '../support/json-values';
import { when } from '../support/steering';
import { executorFactory } from '../../../../switch/codegen/executors';
import { EXECUTOR_NAMES } from '../../../../switch/codegen/executor-names';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { Primitive } from '../support/json-values';
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

interface Programs {
  readonly ingress?: readonly Primitive[];
  readonly egress?: readonly Primitive[];
}

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
      schedulePort: (port, at) => void wakeups.push([at, port]),
    },
    executor: executorFactory(name),
  });
  device.loadProgram(programText(steering(ingress, egress)));
  device.multicast.setGroup(6, [
    { port: 1, instance: 1 },
    { port: 3, instance: 2 },
  ]);
  const replicas = [{ port: 3, instance: 1 }];
  device.cloneSessions.setSession(5, { replicas, multicastGroup: 6, packetLengthMax: undefined });
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

const once = (count: number) => when('m.kept', 0, { at: 0, count });
const isNormal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });

describe.each(EXECUTOR_NAMES)('packets that wait in lent memory (%s)', (name) => {
  test.each<[string, Programs]>([
    ['forwarded', {}],
    ['cloned at ingress', { ingress: [primitive('clone_ingress_pkt_to_egress', hex(5), hex(1))] }],
    [
      'cloned at egress',
      { egress: [isNormal, primitive('clone_egress_pkt_to_egress', hex(5), hex(1))] },
    ],
    ['sent to a group', { ingress: [assign('standard_metadata.mcast_grp', hex(6))] }],
    [
      'resubmitted',
      { ingress: [once(2), assign('m.kept', hex(9)), primitive('resubmit', hex(1))] },
    ],
    [
      'recirculated',
      { egress: [once(2), assign('m.kept', hex(9)), primitive('recirculate', hex(1))] },
    ],
  ])('are the same as those that a switch may keep, when %s', (_how, programs) => {
    const kept = crowd(name, programs, true);
    expect(kept).toEqual(crowd(name, programs, false));
    expect(kept.length).toBeGreaterThanOrEqual(40);
  });
});
