import type { Packet } from '../../../../common/packet/packet';
import { HostFrames } from '../../../../emulator/record/host-frames';
import { TrafficCounter } from '../../../../emulator/record/traffic';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';

const HOP = { switchId: 1, portId: 1, timestamp: 1, txBytes: 0, queueBytes: 0, capacity: 100e9 };

/** Counts what two hosts send for the first packets of a flow. */
function counted(feedback: FeedbackOptions, isSigned = false): TrafficCounter {
  const ring = () => new KeyRing(hmacSha256, 1, new Uint8Array(32));
  const config = { feedback, ...(isSigned && { keyRing: ring() }) };
  const [sender, receiver] = [testHost(1, config), testHost(2, config)];
  const counter = new TrafficCounter(new HostFrames(INT_CARRIER));
  const note = (packet: Packet | undefined): Packet | undefined => {
    if (packet !== undefined) counter.frameSent(packet);
    return packet;
  };
  sender.startFlow(0, flowTo(2, 0, 1000));
  for (let packet = note(sender.pollTransmit(0)); packet !== undefined;) {
    receiver.handlePacket(0, packet.bytes[15] === 0 ? packet : pushHop(packet, HOP));
    while (note(receiver.pollTransmit(0)) !== undefined);
    packet = note(sender.pollTransmit(0));
  }
  return counter;
}

describe('traffic by purpose', () => {
  const none = { packets: 0, bytes: 0 };
  const data = { packets: 1, bytes: 1074 };

  test('counts the echo of an acknowledgement as feedback, and the whole as acknowledgement', () => {
    const { traffic, ackBytesMax } = counted({});
    const acks = { packets: 1, bytes: 58 + 48 };
    expect(traffic).toEqual({ data, probes: none, acks, feedback: { packets: 1, bytes: 48 } });
    expect(ackBytesMax).toBe(106);
  });

  test('leaves the signature of an acknowledgement out of its feedback', () => {
    const { traffic } = counted({}, true);
    expect(traffic.acks.bytes).toBe(58 + 48 + 28);
    expect(traffic.feedback.bytes).toBe(48);
  });

  test('counts notifications, windows and responses as a whole, and probes apart', () => {
    const acks = { packets: 1, bytes: 58 };
    const note = { packets: 1, bytes: 58 + 48 };
    expect(counted({ returnBy: 'notification' }).traffic).toEqual({
      data,
      probes: none,
      acks,
      feedback: note,
    });
    expect(counted({ algorithmAt: 'receiver' }).traffic).toEqual({
      data,
      probes: none,
      acks,
      feedback: { packets: 1, bytes: 58 + 16 },
    });
    expect(counted({ collectBy: 'probe' }).traffic).toEqual({
      data: { packets: 1, bytes: 1058 },
      probes: { packets: 1, bytes: 74 },
      acks,
      feedback: note,
    });
  });
});
