import { EXECUTORS } from '../../../../switch/codegen/executors';
import { PacketPool } from '../../../../switch/executor/packet-pool';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { COPYING_PROGRAMS, setCopies } from '../support/copying-programs';
import type { Programs } from '../support/copying-programs';
import { programText } from '../support/program';
import { steering } from '../support/steering';
import type { ExecutorFactory } from '../../../../switch/executor/executor';
import type { Packet } from '../../../../common/packet/packet';
import type { SwitchOutput } from '../../../../switch/v1model/options';

const PORTS = [0, 1, 2, 3].map((port) => ({ pacing: 'bmv2 packets/s', port }) as const);
const MARK = 0xee;

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
  setCopies(device);
  for (let id = 0; id < 20; id++) {
    const bytes = Uint8Array.of(id % 4, 0, id, MARK);
    const packet: Packet = { bytes, length: 60, id, tail: Uint8Array.of(MARK) };
    const given = packets?.copyOf(packet) ?? packet;
    came.add(given);
    device.handlePacket(id, 1, given);
  }
  return { sent, came };
}

describe.each([...EXECUTORS])('packets of a pool, on the executor %s', (_name, executor) => {
  test.each(COPYING_PROGRAMS)(
    'are the same as others, and their rows come back, when %s',
    (_how, programs) => {
      const { sent, came } = run(executor, programs, new PacketPool());
      const plain = run(executor, programs);
      expect(sent).toEqual(plain.sent);
      expect(sent.length).toBeGreaterThanOrEqual(15);
      expect(plain.came.size).toBe(20);
      expect(came.size).toBeLessThanOrEqual(3);
    },
  );
});
