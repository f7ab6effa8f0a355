import type { Packet } from '../../../../common/packet/packet';
import { roceFrameInfo } from '../../../../emulator/record/roce-frame';
import { HostFrames } from '../../../../emulator/record/host-frames';
import { TrafficCounter } from '../../../../emulator/record/traffic';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { dataFrame } from '../../../support/frames';
import { flowTo } from '../../../support/hosts';
import { PairDriver } from '../../../support/pair-driver';
import { pushingSwitch, roceHost } from '../../../support/roce-hosts';

/** All frames of a flow of 1000 bytes with the id 5, which take four packets. */
function frames(given: Partial<RoceConfig>): Packet[] {
  const hosts = [roceHost(1, given), roceHost(2, given)] as const;
  const driver = new PairDriver(hosts, { delay: 2e6, network: pushingSwitch() });
  hosts[0].startFlow(0, flowTo(2, 5, 1000));
  driver.run(1e12);
  return driver.sent.map(({ packet }) => packet);
}

describe('frames of RoCEv2', () => {
  test('are none of the other transport', () => {
    expect(roceFrameInfo(dataFrame(), INT_CARRIER)).toBeUndefined();
    expect(roceFrameInfo({ bytes: new Uint8Array(14), length: 14 }, INT_CARRIER)).toBeUndefined();
  });

  test('know the flow that they belong to', () => {
    const flows = new Set(frames({}).map((frame) => roceFrameInfo(frame, INT_CARRIER)?.flow));
    expect(flows).toEqual(new Set([5]));
  });

  test.each<[Partial<RoceConfig>, Record<string, number>]>([
    [{}, { data: 4, probes: 0, acks: 4, feedback: 4 }],
    [{ operation: 'send' }, { data: 4, probes: 0, acks: 4, feedback: 4 }],
    // A request, and a report per packet.
    [{ operation: 'read' }, { data: 5, probes: 0, acks: 0, feedback: 4 }],
    [{ feedback: { collectBy: 'probe' } }, { data: 4, probes: 2, acks: 4, feedback: 2 }],
  ])('with %j are counted by purpose: %j', (given, packets) => {
    const counter = new TrafficCounter(new HostFrames(INT_CARRIER));
    for (const frame of frames(given)) counter.frameSent(frame);
    const { data, probes, acks, feedback } = counter.traffic;
    const counts = { data, probes, acks, feedback };
    for (const [name, amount] of Object.entries(counts)) {
      expect([name, amount.packets]).toEqual([name, packets[name]]);
    }
  });

  test('count of an acknowledgement as feedback what it has of the links', () => {
    const counter = new TrafficCounter(new HostFrames(INT_CARRIER));
    for (const frame of frames({})) counter.frameSent(frame);
    expect(counter.traffic.feedback.bytes).toBe(4 * 48);
    expect(counter.ackBytesMax).toBe(42 + 12 + 4 + 48 + 4);
  });
});
