import { PS_PER_SECOND, gigabitsPerSecond, microseconds } from '../../../../common/units/units';
import { Network } from '../support/network';
import { assign, field, header, hex, primitive } from '../support/json-values';
import { programText } from '../support/program';
import { readTrace, steering, when } from '../support/steering';
import type { Packet } from '../../../../common/packet/packet';
import type { PortOptions, SwitchOptions } from '../../../../switch/v1model/options';
import type { Primitive } from '../support/json-values';

const PORTS: PortOptions[] = [1, 2, 3, 4].map((port) => ({ pacing: 'bmv2 packets/s', port }));

function network(
  ingress: readonly Primitive[],
  egress: readonly Primitive[] = [],
  over: Partial<SwitchOptions> = {},
): Network {
  const made = new Network({ ports: PORTS, ...over });
  made.switch.loadProgram(programText(steering(ingress, egress)));
  return made;
}

const packetFor = (port: number, priority = 0, rest = [7, 7]): Packet => {
  const bytes = Uint8Array.of(port, priority, ...rest);
  return { bytes, length: bytes.length };
};

/** Everything that has left, as port and trace. */
const traces = ({ sent }: Network): [number, Record<string, number>][] =>
  sent.map(({ port, packet }) => [port, readTrace(packet.bytes)]);

const clone = (direction: 'ingress' | 'egress', session = 5, list = 1): Primitive =>
  primitive(`clone_${direction}_pkt_to_egress`, hex(session), hex(list));
const remember = [assign('m.kept', hex(9)), assign('m.lost', hex(8))];
const isNormal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });

describe('a clone of ingress', () => {
  const made = (...more: Primitive[]): Network => network([...remember, clone('ingress'), ...more]);

  test('is parsed again, goes to its session, and keeps its field list only', () => {
    const net = made();
    const replicas = [{ port: 3, instance: 77 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)).toEqual([
      [3, { type: 1, rid: 77, kept: 9, lost: 0, ingress_port: 0, egress_port: 3, length: 4 }],
      [2, { type: 0, rid: 0, kept: 9, lost: 8, ingress_port: 1, egress_port: 2, length: 4 }],
    ]);
  });

  test('has the bytes as they came, whatever ingress did to its headers', () => {
    const net = made(primitive('remove_header', header('request')));
    const replicas = [{ port: 3, instance: 0 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    net.arrive(0, 1, packetFor(2));
    expect(net.sent.map(({ packet }) => [...packet.bytes.subarray(10)])).toEqual([
      [2, 0, 7, 7],
      [7, 7],
    ]);
  });

  test('goes nowhere without a session', () => {
    const net = made();
    net.arrive(0, 1, packetFor(2));
    expect(net.sent.map(({ port }) => port)).toEqual([2]);
  });

  test('survives the drop of its packet', () => {
    const net = made();
    const replicas = [{ port: 3, instance: 0 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    // Port 511 does not fit into a byte, so the drop port is another one here.
    const dropping = network([clone('ingress')], [], { dropPort: 200 });
    dropping.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    dropping.arrive(0, 1, packetFor(200));
    expect(dropping.sent.map(({ port }) => port)).toEqual([3]);
    expect(dropping.switch.counters().drops['ingress-drop']).toBe(1);
  });

  test('goes to the multicast group of its session first, and is cut to its length', () => {
    const net = made();
    net.switch.multicast.setGroup(6, [{ port: 4, instance: 1 }]);
    const replicas = [{ port: 3, instance: 2 }];
    net.switch.cloneSessions.setSession(5, { replicas, multicastGroup: 6, packetLengthMax: 12 });
    net.arrive(0, 1, packetFor(2));
    expect(net.sent.map(({ port, packet }) => [port, packet.length])).toEqual([
      [4, 12],
      [3, 12],
      [2, 14],
    ]);
    expect(net.sent[0]?.packet.bytes).toHaveLength(12);
  });
});

describe('a clone of egress', () => {
  test('keeps the headers, goes through egress again, and keeps its field list only', () => {
    const net = network(remember, [isNormal, clone('egress')]);
    const replicas = [{ port: 3, instance: 77 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    net.arrive(0, 1, packetFor(2));
    // The clone has the trace header already, so its length is 10 bytes more.
    expect(traces(net)).toEqual([
      [2, { type: 0, rid: 0, kept: 9, lost: 8, ingress_port: 1, egress_port: 2, length: 4 }],
      [3, { type: 2, rid: 77, kept: 9, lost: 0, ingress_port: 0, egress_port: 3, length: 14 }],
    ]);
  });

  test('that clones itself for ever is stopped', () => {
    const net = network([], [clone('egress')]);
    const replicas = [{ port: 3, instance: 0 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    net.arrive(0, 1, packetFor(2));
    expect(net.switch.counters().drops['pass-limit']).toBe(1);
    expect(net.sent).toHaveLength(1001);
  });

  test('waits behind its packet at the same port', () => {
    const ports = [1, 2].map((port) => ({ port, rate: gigabitsPerSecond(100) }));
    const net = network([], [isNormal, clone('egress')], { ports });
    const replicas = [{ port: 2, instance: 0 }];
    net.switch.cloneSessions.setSession(5, { replicas, packetLengthMax: undefined });
    net.arrive(0, 1, packetFor(2));
    net.advance();
    // 14 bytes last 1120 ps.
    expect(net.sent.map(({ start }) => start)).toEqual([0, 1120]);
  });
});

describe('resubmission', () => {
  const once = [when('m.kept', 0, { at: 0, count: 3 }), ...remember, primitive('resubmit', hex(1))];

  test('begins again with the field list, and leaves as a normal packet', () => {
    const net = network(once);
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)).toEqual([
      [2, { type: 0, rid: 0, kept: 9, lost: 0, ingress_port: 0, egress_port: 2, length: 4 }],
    ]);
  });

  test('tells ingress the instance type 6', () => {
    const type = assign('m.lost', field('standard_metadata.instance_type'));
    const net = network([...once, type]);
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)[0]?.[1]).toMatchObject({ lost: 6 });
  });

  test('wins over multicast', () => {
    const net = network([...once, assign('standard_metadata.mcast_grp', hex(1))]);
    net.switch.multicast.setGroup(1, [{ port: 3, instance: 1 }]);
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)).toMatchObject([[3, { type: 5, kept: 9 }]]);
  });

  test('that never ends is stopped', () => {
    const net = network([primitive('resubmit', hex(1))]);
    net.arrive(0, 1, packetFor(2));
    expect(net.switch.counters().drops['pass-limit']).toBe(1);
    expect(net.sent).toEqual([]);
  });
});

describe('recirculation', () => {
  const once = [
    when('m.kept', 0, { at: 0, count: 3 }),
    ...remember,
    primitive('recirculate', hex(1)),
  ];

  test('sends the packet that would leave through ingress again', () => {
    const type = assign('m.lost', field('standard_metadata.instance_type'));
    const net = network([type], once);
    net.arrive(0, 1, packetFor(2));
    // On its second way the trace of the first is in front: 0 9 … so it asks for port 0.
    expect(net.sent).toEqual([]);
    expect(net.switch.counters().drops['unknown-port']).toBe(1);
  });

  test('gives the new length and the field list', () => {
    const net = network([assign('m.lost', field('standard_metadata.instance_type'))], once);
    net.switch.addPort({ pacing: 'bmv2 packets/s', port: 0 });
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)).toEqual([
      [0, { type: 0, rid: 0, kept: 9, lost: 4, ingress_port: 0, egress_port: 0, length: 14 }],
    ]);
  });

  test('does not happen to a packet that egress drops', () => {
    const drop = primitive('mark_to_drop', header('standard_metadata'));
    const net = network([], [...once, drop]);
    net.arrive(0, 1, packetFor(2));
    expect(net.switch.counters().drops['egress-drop']).toBe(1);
  });
});

describe('multicast', () => {
  const made = (): Network => network([assign('standard_metadata.mcast_grp', hex(7))]);

  test('sends a copy per replica and not the original', () => {
    const net = made();
    net.switch.multicast.setGroup(7, [
      { port: 3, instance: 1 },
      { port: 4, instance: 2 },
      { port: 3, instance: 3 },
    ]);
    net.arrive(0, 1, packetFor(2));
    expect(traces(net)).toMatchObject([
      [3, { type: 5, rid: 1, egress_port: 3, ingress_port: 1 }],
      [3, { type: 5, rid: 3 }],
      [4, { type: 5, rid: 2, egress_port: 4 }],
    ]);
  });

  test('into a group that does not exist sends nothing', () => {
    const net = made();
    net.arrive(0, 1, packetFor(2));
    expect(net.sent).toEqual([]);
    expect(net.switch.counters().drops['empty-group']).toBe(1);
  });

  test('uses the first backup that is up while a port is down', () => {
    const net = made();
    const backups = [
      { port: 2, instance: 5 },
      { port: 4, instance: 6 },
    ];
    net.switch.multicast.setGroup(7, [{ port: 3, instance: 1, backups }]);
    net.switch.setPortUp(3, false);
    net.switch.setPortUp(2, false);
    net.arrive(0, 1, packetFor(2));
    net.switch.setPortUp(3, true);
    net.arrive(1, 1, packetFor(2));
    expect(traces(net)).toMatchObject([
      [4, { rid: 6 }],
      [3, { rid: 1 }],
    ]);
  });

  test('and clone sessions are forgotten when another program is loaded', () => {
    const net = made();
    net.switch.multicast.setGroup(7, [{ port: 3, instance: 1 }]);
    net.switch.cloneSessions.setSession(1, { replicas: [], packetLengthMax: undefined });
    net.switch.loadProgram(programText(steering([])));
    expect([...net.switch.multicast.groups()]).toEqual([]);
    expect(net.switch.cloneSessions.session(1)).toBeUndefined();
  });
});

describe('queues', () => {
  test('send the highest priority first', () => {
    const ports = [1, 2].map((port) => ({ port, rate: gigabitsPerSecond(100) }));
    const net = network([], [], { ports, priorityQueues: 8 });
    for (const priority of [0, 1, 7, 3]) net.arrive(0, 1, packetFor(2, priority));
    net.advance();
    expect(net.sent.map(({ packet }) => packet.bytes[11])).toEqual([0, 7, 3, 1]);
  });

  test('do not exist for a priority above theirs', () => {
    const net = network([]);
    net.arrive(0, 1, packetFor(2, 1));
    expect(net.switch.counters().drops['unknown-priority']).toBe(1);
  });

  test('have the rate and depth that somebody sets', () => {
    const net = network([]);
    net.switch.queues.setRate(1000, { port: 2 });
    net.switch.queues.setDepth(2, { port: 2 });
    const second = PS_PER_SECOND;
    for (let i = 0; i < 4; i++) net.arrive(second, 1, packetFor(2));
    net.advance();
    const ms = second / 1000;
    expect(net.sent.map(({ start, end }) => [start, end])).toEqual([
      [second, second],
      [second + ms, second + ms],
      [second + 2 * ms, second + 2 * ms],
    ]);
    expect(net.switch.counters().drops['queue-full']).toBe(1);
  });

  test('ask for an earlier call when a higher priority may leave before', () => {
    const net = network([], [], { priorityQueues: 2 });
    net.switch.queues.setRate(1, { port: 2, priority: 0 });
    const start = 10 * PS_PER_SECOND;
    for (const priority of [0, 0]) net.arrive(start, 1, packetFor(2, priority));
    net.arrive(start + microseconds(1), 1, packetFor(2, 1));
    expect(net.sent.map(({ packet }) => packet.bytes[11])).toEqual([0, 1]);
  });
});

describe('a digest', () => {
  test('tells the fields of its list, as they are behind ingress', () => {
    const net = network([primitive('generate_digest', hex(1), hex(1))]);
    const learnt: [string, readonly bigint[]][] = [];
    net.switch.pipeline?.onDigest((name, sample) => learnt.push([name, sample]));
    net.arrive(0, 1, packetFor(2));
    expect(learnt).toEqual([['seen', [2n, 0x2an]]]);
  });

  test('that nobody waits for is lost', () => {
    const net = network([primitive('generate_digest', hex(1), hex(1))]);
    net.arrive(0, 1, packetFor(2));
    expect(net.sent).toHaveLength(1);
  });
});

describe('truncation', () => {
  test.each([
    [[12], 12],
    [[12, 13, 11], 11],
    [[100], 14],
  ])('to %j bytes leaves %i', (lengths, length) => {
    const net = network(lengths.map((n) => primitive('truncate', hex(n))));
    net.arrive(0, 1, packetFor(2));
    expect(net.sent[0]?.packet.length).toBe(length);
    expect(net.sent[0]?.packet.bytes).toHaveLength(length);
  });

  test('cuts bytes that do not exist, too', () => {
    const net = network([primitive('truncate', hex(20))]);
    net.arrive(0, 1, { ...packetFor(2), length: 1000 });
    expect(net.sent[0]?.packet.length).toBe(20);
    expect(net.sent[0]?.packet.bytes).toHaveLength(14);
  });
});

describe('the CPU port', () => {
  test('hands packets to the controller and takes packets from it', () => {
    const received: number[] = [];
    const net = new Network({ ports: PORTS, cpuPort: 64 }, (packet) => {
      received.push(packet.length);
    });
    net.switch.loadProgram(programText(steering([])));
    net.arrive(0, 1, packetFor(64));
    expect(net.sent).toEqual([]);
    expect(received).toEqual([14]);
    net.switch.handlePacketOut(1, packetFor(2));
    expect(traces(net)).toMatchObject([[2, { ingress_port: 64 }]]);
  });

  test('is wanted for packets from the controller', () => {
    const { switch: device } = network([]);
    expect(() => device.handlePacketOut(0, packetFor(2))).toThrow('has a CPU port');
  });
});

describe('ports', () => {
  test('come and go; what waits at one that goes is dropped', () => {
    const net = network([]);
    net.switch.addPort({ pacing: 'bmv2 packets/s', port: 9, packetsPerSecond: 1 });
    for (let i = 0; i < 3; i++) net.arrive(PS_PER_SECOND, 1, packetFor(9));
    expect(net.switch.queuePackets(9)).toBe(2);
    net.switch.removePort(9);
    net.advance();
    expect(net.sent).toHaveLength(1);
    expect(net.switch.counters().drops['unknown-port']).toBe(2);
    net.arrive(20 * PS_PER_SECOND, 9, packetFor(2));
    expect(net.switch.counters().drops['unknown-port']).toBe(3);
  });
});
