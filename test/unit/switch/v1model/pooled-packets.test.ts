import { EXECUTORS } from '../../../../switch/codegen/executors';
import { PacketPool } from '../../../../switch/executor/packet-pool';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { assign, hex, primitive } from '../support/json-values';
import { programText } from '../support/program';
import { steering, when } from '../support/steering';
import type { ExecutorFactory } from '../../../../switch/executor/executor';
import type { Packet } from '../../../../common/packet/packet';
import type { SwitchOutput } from '../../../../switch/v1model/options';
import type { Primitive } from '../support/json-values';

const PORTS = [0, 1, 2, 3].map((port) => ({ pacing: 'bmv2 packets/s', port }) as const);
const MARK = 0xee;

interface Programs {
  readonly ingress?: readonly Primitive[];
  readonly egress?: readonly Primitive[];
}

interface Run {
  readonly sent: number[][];
  /** Packets that came; those in rows that were used before are the same ones. */
  readonly came: ReadonlySet<Packet>;
}

/** Sends a few packets through a switch; whoever gets one behind it gives it back to the pool. */
function run(executor: ExecutorFactory, programs: Programs, packets?: PacketPool): Run {
  const sent: number[][] = [];
  const came = new Set<Packet>();
  const output: SwitchOutput = {
    copiesPackets: false,
    transmit: (port, packet) => {
      sent.push([port, packet.length, packet.id ?? -1, ...packet.bytes]);
      packets?.give(packet);
    },
    schedulePort: () => undefined,
  };
  const device = new V1ModelSwitch({ ports: PORTS, output, executor, packets });
  device.loadProgram(programText(steering(programs.ingress ?? [], programs.egress ?? [])));
  device.multicast.setGroup(6, [
    { port: 1, instance: 1 },
    { port: 3, instance: 2 },
  ]);
  const replicas = [{ port: 3, instance: 1 }];
  device.cloneSessions.setSession(5, { replicas, multicastGroup: 6, packetLengthMax: undefined });
  for (let id = 0; id < 20; id++) {
    const bytes = Uint8Array.of(id % 4, 0, id, MARK);
    const packet: Packet = { bytes, length: 60, id, tail: Uint8Array.of(MARK) };
    const given = packets?.copyOf(packet) ?? packet;
    came.add(given);
    device.handlePacket(id, 1, given);
  }
  return { sent, came };
}

const once = (count: number) => when('m.kept', 0, { at: 0, count });
const isNormal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });

describe.each([...EXECUTORS])('packets of a pool, on the executor %s', (_name, executor) => {
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
  ])('are the same as others, and their rows come back, when %s', (_how, programs) => {
    const { sent, came } = run(executor, programs, new PacketPool());
    const plain = run(executor, programs);
    expect(sent).toEqual(plain.sent);
    expect(sent.length).toBeGreaterThanOrEqual(15);
    expect(plain.came.size).toBe(20);
    expect(came.size).toBeLessThanOrEqual(3);
  });
});
