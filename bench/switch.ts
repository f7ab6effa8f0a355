import { dataPacket } from './live/run-load';
import { loadP4Artifacts } from '../common/io/p4-profiles';
import type { P4Artifacts } from '../common/io/p4-profiles';
import { gigabitsPerSecond } from '../common/units/units';
import type { Packet } from '../common/packet/packet';
import type { PacketMemory } from '../switch/executor/executor';
import { topologyDocument } from '../controller/document/topology-document';
import { applyDocument } from '../controller/io/apply-network';
import { ReusedBytes } from '../switch/v1model/pipeline';
import { startP4RuntimeServer } from '../switch/server/server';
import { readProgram } from '../switch/ir/lowering/read-program';
import { findStandardMetadata, setWrapping } from '../switch/v1model/standard-metadata';
import { V1ModelSwitch } from '../switch/v1model/v1model-switch';
import { planNetwork } from '../emulator/network/plan';
import { expandTopology } from '../emulator/scenario/expand-topology';
import { executorFactory } from '../switch/codegen/executors';
import { EXECUTOR_NAMES } from '../switch/codegen/executor-names';
import type { ExecutorName } from '../switch/codegen/executor-names';
import { measureSpeed } from './measure';
import type { Speed } from './measure';

const RATE = gigabitsPerSecond(100);

const DROP_PORT = 511;
const DEADLINE_MS = 60_000;
const INTERPRETED_PACKETS = 20_000;
const GENERATED_PACKETS = 200_000;

/** Packets per second of one executor on one core. */
interface SwitchFigures {
  /** Bytes in, bytes out, of a frame whose payload is not stored. */
  readonly pipeline: Speed;
  /** The same when the caller gives the memory of the packet before, as switches on interfaces do. */
  readonly pipelineReusingMemory: Speed;
  /** As the first with 1000 bytes of payload, which are copied. */
  readonly pipelineWithPayload: Speed;
  /** With traffic manager, metadata and transmissions around it. */
  readonly withQueues: Speed;
  /** The same when `transmit` keeps nothing of a packet. */
  readonly withQueuesReusingMemory: Speed;
  /**
   * Bytes that the pipeline allocates per packet, the memory of the packet that leaves included.
   */
  readonly allocatedBytesPerPacket: number;
  /** The same when the caller gives that memory. */
  readonly allocatedBytesPerPacketReusingMemory: number;
}

/** The INT transit program on one core, without links and hosts: packets in, packets out. */
export async function benchSwitch(rounds: number): Promise<object> {
  const artifacts = loadP4Artifacts('hpcc');
  const figures: Partial<Record<ExecutorName, SwitchFigures>> = {};
  for (const name of EXECUTOR_NAMES) {
    figures[name] = await benchExecutor(name, artifacts, rounds);
  }
  const { generated, interpreter } = figures;
  const ratio =
    generated && interpreter
      ? generated.pipeline.perCpuSecond / interpreter.pipeline.perCpuSecond
      : 0;
  return { program: 'hpcc.p4', ...figures, generatedOverInterpreter: Number(ratio.toFixed(1)) };
}

async function benchExecutor(
  name: ExecutorName,
  artifacts: P4Artifacts,
  rounds: number,
): Promise<SwitchFigures> {
  const packets = name === 'interpreter' ? INTERPRETED_PACKETS : GENERATED_PACKETS;
  const device = await configuredSwitch(name);
  const run = pipelineOf(name, artifacts, device);
  const memory = new ReusedBytes();
  const runReusing = pipelineOf(name, artifacts, device, memory);
  const copying = await configuredSwitch(name, true);
  const header = dataPacket();
  const stored = { bytes: new Uint8Array(header.length), length: header.length };
  stored.bytes.set(header.bytes);
  return {
    pipeline: measureSpeed(rounds, packets, (n) => run(header, n)),
    pipelineReusingMemory: measureSpeed(rounds, packets, (n) => runReusing(header, n)),
    pipelineWithPayload: measureSpeed(rounds, packets, (n) => run(stored, n)),
    withQueues: measureSpeed(rounds, packets, feeder(device, header)),
    withQueuesReusingMemory: measureSpeed(rounds, packets, feeder(copying, header)),
    allocatedBytesPerPacket: allocatedBytes(packets, (n) => run(header, n)),
    allocatedBytesPerPacketReusingMemory: allocatedBytes(packets, (n) => runReusing(header, n)),
  };
}

/** Gives the switch so many packets, far enough apart that the port is always free. */
function feeder(device: V1ModelSwitch, packet: Packet): (count: number) => void {
  let now = 0;
  return (count) => {
    for (let i = 0; i < count; i++) device.handlePacket((now += 100_000), 2, packet);
  };
}

/** A switch whose program and entries came over P4Runtime. */
async function configuredSwitch(name: ExecutorName, copiesPackets = false): Promise<V1ModelSwitch> {
  const output = { transmit: () => undefined, schedulePort: () => undefined, copiesPackets };
  const ports = [1, 2].map((port) => ({ port, rate: RATE }));
  const queueUnit = { kind: 'bytes', cell: 32 } as const;
  const executor = executorFactory(name);
  const device = new V1ModelSwitch({ ports, output, queueUnit, clockUnitNs: 1, executor });
  const { topology } = planNetwork(
    expandTopology({ kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 }),
    { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 },
  );
  const server = await startP4RuntimeServer({
    devices: new Map([[1, device]]),
    address: '127.0.0.1:0',
  });
  try {
    const document = topologyDocument(topology, () => `127.0.0.1:${server.port}`);
    await applyDocument({ ...document, ecmpSeed: 1 }, DEADLINE_MS);
  } finally {
    await server.stop();
  }
  return device;
}

/** Parser to deparser on the tables of a configured switch. */
function pipelineOf(
  name: ExecutorName,
  artifacts: P4Artifacts,
  device: V1ModelSwitch,
  memory?: PacketMemory,
): (packet: Packet, count: number) => void {
  const program = readProgram(artifacts.deviceConfig);
  const state = device.pipeline;
  if (state === undefined) throw new Error('a configured switch has a program');
  const executor = executorFactory(name)({ program, state, dropPort: DROP_PORT });
  const metadata = findStandardMetadata(program);
  const flight = executor.createState();
  return (packet, count) => {
    for (let i = 0; i < count; i++) {
      executor.reset(flight, packet);
      flight.writeMetadata(metadata.ingress_port.slot, 2);
      setWrapping(flight, metadata.packet_length, packet.length);
      executor.parse(flight);
      executor.ingress(flight);
      flight.writeMetadata(metadata.egress_port.slot, 1);
      flight.writeMetadata(metadata.egress_spec.slot, 0);
      setWrapping(flight, metadata.egress_global_timestamp, i);
      executor.egress(flight);
      executor.deparse(flight, memory);
    }
  };
}

/** Bytes of memory that a packet takes, its output included, while nothing is collected. */
function allocatedBytes(packets: number, run: (count: number) => void): number {
  const samples = Array.from({ length: 9 }, () => {
    const before = process.memoryUsage();
    run(Math.floor(packets / 100));
    const after = process.memoryUsage();
    const grown = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
    return grown / Math.floor(packets / 100);
  });
  // A collection in between makes a sample small or negative: the largest ones are undisturbed.
  samples.sort((a, b) => b - a);
  return Math.round(samples[2] ?? 0);
}
