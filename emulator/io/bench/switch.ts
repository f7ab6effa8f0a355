import { loadP4Artifacts } from '../../../common/io/p4-artifacts';
import { gigabitsPerSecond, microseconds } from '../../../common/units/units';
import type { Packet } from '../../../common/packet/packet';
import { hpccppFactory } from '../../../host-agent/algorithm/window-form';
import { HostAgent } from '../../../host-agent/transport/host';
import { V1ModelSwitch } from '../../../switch/v1model/v1model-switch';
import { planNetwork } from '../../network/plan';
import { expandTopology } from '../../scenario/expand-topology';
import { setUpSwitches } from '../control-plane';
import { operationsPerSecond } from './measure';

const RATE = gigabitsPerSecond(100);

/** The INT transit program on one core, without links and hosts: packets in, packets out. */
export async function benchSwitch(rounds: number): Promise<object> {
  let sent = 0;
  const output = { transmit: () => (sent += 1), schedulePort: () => undefined };
  const ports = [1, 2].map((port) => ({ port, rate: RATE }));
  const queueUnit = { kind: 'bytes', cell: 32 } as const;
  const device = new V1ModelSwitch({ ports, output, queueUnit, clockUnitNs: 1 });
  const { topology } = planNetwork(
    expandTopology({ kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 }),
    { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 },
  );
  await setUpSwitches(
    { topology, devices: new Map([[1, device]]), seed: 1 },
    loadP4Artifacts('hpcc'),
  );
  const packet = dataPacket();
  let now = 0;
  const packetsPerSecond = operationsPerSecond(rounds, 50_000, (count) => {
    // Far enough apart that the port is always free: this measures the pipeline, not the queue.
    for (let i = 0; i < count; i++) device.handlePacket((now += 100_000), 2, packet);
  });
  return { program: 'hpcc.p4', executor: 'interpreter', packetsPerSecond, sent };
}

/** A full data frame from host 2 to host 1, as a host sends it. */
function dataPacket(): Packet {
  const host = new HostAgent({
    address: 0x0a00_0002,
    mac: 0x0201_0000_0002,
    linkRate: RATE,
    baseRtt: microseconds(4.16),
    congestionControl: hpccppFactory(),
  });
  host.startFlow(0, {
    id: 1,
    destinationAddress: 0x0a00_0001,
    destinationMac: 0x0200_0001_0002,
    bytes: 1000,
  });
  const packet = host.pollTransmit(0);
  if (packet === undefined) throw new Error('a new flow may send at once');
  // The host reuses its buffers once a packet is on the wire.
  return { bytes: packet.bytes.slice(), length: packet.length };
}
