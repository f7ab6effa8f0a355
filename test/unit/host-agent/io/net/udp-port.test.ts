import { microseconds, milliseconds } from '../../../../../common/units/units';
import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';
import { UdpPort } from '../../../../../host-agent/io/net/udp-port';
import { HostAgent } from '../../../../../host-agent/transport/host';
import { describeIf } from '../../../../support/requires';

const MTU = 1500;
/** Loopback addresses that nobody else takes; the port is the protocol's. */
const ONE = 0x7f07_0701;
const TWO = 0x7f07_0702;

const agentAt = (address: number): HostAgent =>
  new HostAgent({
    address,
    mac: 0,
    linkRate: 1e9,
    baseRtt: microseconds(100),
    retransmissionTimeout: milliseconds(1000),
    congestionControl: hpccppFactory(),
  });

async function received(port: UdpPort): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for (let looks = 0; frames.length === 0 && looks < 1000; looks++) {
    port.drain(64, (frame) => frames.push(frame.slice()));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return frames;
}

describeIf(process.platform === 'linux', 'a port over UDP', 'needs Linux', () => {
  let one: UdpPort;
  let two: UdpPort;

  beforeEach(() => {
    one = new UdpPort(ONE, MTU);
    two = new UdpPort(TWO, MTU);
  });

  afterEach(() => {
    one.close();
    two.close();
  });

  test('carries frames as hosts see them, DSCP and virtual payload included', async () => {
    const agent = agentAt(ONE);
    const to = { destinationAddress: TWO, destinationMac: 0 };
    agent.startFlow(0, { id: 3, ...to, bytes: 500, sourcePort: 50_002 });
    const packet = agent.pollTransmit(0);
    if (packet === undefined) throw new Error('a new flow may send at once');
    one.send(packet);
    one.flush();
    const [frame = new Uint8Array(0)] = await received(two);
    expect(frame).toHaveLength(packet.length);
    expect(frame[15]).toBe(packet.bytes[15]);
    expect(frame.subarray(42, packet.bytes.length)).toEqual(packet.bytes.subarray(42));
    const receiver = agentAt(TWO);
    receiver.handlePacket(0, { bytes: frame, length: frame.length });
    expect(receiver.counters()).toMatchObject({ dataReceived: 1, bytesDelivered: 500 });
    expect([one.counters().sent, two.counters().received]).toEqual([1, 1]);
  });

  test('counts what does not fit as refused', () => {
    const agent = agentAt(ONE);
    agent.startFlow(0, { id: 1, destinationAddress: TWO, destinationMac: 0, bytes: 100 });
    const packet = agent.pollTransmit(0);
    if (packet === undefined) throw new Error('a new flow may send at once');
    one.send({ bytes: packet.bytes, length: MTU + 15 });
    expect(one.counters()).toMatchObject({ sent: 0, sendFailed: 1 });
  });

  test('is one per address', () => {
    expect(() => new UdpPort(ONE, MTU)).toThrow(
      'UDP port 50002 of 127.7.7.1 is in use; does another hpcc agent run here (ss -lnup)?',
    );
  });
});
