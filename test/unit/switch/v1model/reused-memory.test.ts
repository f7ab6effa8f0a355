import { generatedExecutors } from '../../../../switch/codegen/generated-executor';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { assign, hex, primitive } from '../support/json-values';
import { programText } from '../support/program';
import { steering, when } from '../support/steering';
import type { Packet } from '../../../../common/packet/packet';
import type { SwitchOutput } from '../../../../switch/v1model/options';
import type { Primitive } from '../support/json-values';

const CPU_PORT = 4;
const PORTS = [0, 1, 2, 3].map((port) => ({ pacing: 'bmv2 packets/s', port }) as const);

const packetFor = (port: number, rest: readonly number[]): Packet => {
  const bytes = Uint8Array.of(port, 0, ...rest);
  return { bytes, length: bytes.length };
};

interface Run {
  /** Bytes of every packet while it was sent. */
  readonly sent: { readonly port: number; readonly bytes: number[] }[];
  /** The same memory as it is in the end. */
  readonly kept: Uint8Array[];
  readonly received: Uint8Array[];
}

/** Sends two packets to each of the ports through a switch whose output copies or keeps. */
function run(
  copiesPackets: boolean,
  programs: { readonly ingress?: readonly Primitive[]; readonly egress?: readonly Primitive[] },
): Run {
  const made: Run = { sent: [], kept: [], received: [] };
  const output: SwitchOutput = {
    copiesPackets,
    transmit: (port, { bytes }) => {
      made.sent.push({ port, bytes: [...bytes] });
      made.kept.push(bytes);
    },
    schedulePort: () => undefined,
    packetIn: ({ bytes }) => made.received.push(bytes),
  };
  const executor = generatedExecutors();
  const device = new V1ModelSwitch({ ports: PORTS, cpuPort: CPU_PORT, output, executor });
  const { ingress = [], egress = [] } = programs;
  device.loadProgram(programText(steering(ingress, egress)));
  const replicas = [
    { port: 3, instance: 1 },
    { port: 2, instance: 2 },
  ];
  device.cloneSessions.setSession(5, { replicas, packetLengthMax: 12 });
  for (const port of [1, 2, 3, CPU_PORT]) {
    device.handlePacket(port, 1, packetFor(port, [port, 7, 7]));
    device.handlePacket(port, 2, packetFor(port, [port, 8, 8, 8]));
  }
  return made;
}

describe('a switch whose output copies packets', () => {
  test('uses the memory of one packet for the next', () => {
    const { kept } = run(true, {});
    expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(1);
  });

  test('uses it for one packet only where the output keeps packets', () => {
    const { kept, sent } = run(false, {});
    expect(kept.map((bytes) => [...bytes])).toEqual(sent.map(({ bytes }) => bytes));
  });

  test('sends the same bytes', () => {
    expect(run(true, {}).sent).toEqual(run(false, {}).sent);
    expect(run(true, {}).sent).toHaveLength(6);
  });

  test('sends the same bytes when packets are cloned and cut', () => {
    const normal = when('standard_metadata.instance_type', 0, { at: 0, count: 1 });
    const egress = [normal, primitive('clone_egress_pkt_to_egress', hex(5), hex(1))];
    const copying = run(true, { egress }).sent;
    expect(copying).toEqual(run(false, { egress }).sent);
    expect(copying.length).toBeGreaterThan(6);
  });

  test('sends the same bytes when packets go round', () => {
    const first = when('m.kept', 0, { at: 0, count: 2 });
    const egress = [first, assign('m.kept', hex(9)), primitive('recirculate', hex(1))];
    const copying = run(true, { egress }).sent;
    expect(copying).toEqual(run(false, { egress }).sent);
    // The trace of the first way is in front on the second, and begins with the port 0.
    expect(copying.map(({ port }) => port)).toEqual(new Array(8).fill(0));
  });

  test('gives controllers memory of their own', () => {
    const { received } = run(true, {});
    expect(received).toHaveLength(2);
    expect(received.map((bytes) => [...bytes.subarray(-2)])).toEqual([
      [7, 7],
      [8, 8],
    ]);
  });
});
