import type { Packet } from '../../../../common/packet/packet';
import { readUint16 } from '../../../../common/wire/bytes';
import {
  HPCC_DATA,
  HPCC_FLAG_ACCUMULATED,
  HPCC_FLAG_RATIO,
} from '../../../../common/wire/hpcc/hpcc-transport';
import type { CongestionControlFactory } from '../../../../host-agent/algorithm/congestion-control';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { readInt } from '../../../../host-agent/carrier/int-carrier';
import { ofType, runFeedback } from '../../../support/feedback-run';
import { flowTo, testHost } from '../../../support/hosts';
import { seenFrame } from '../../../support/transport-frames';

/** Timestamps of the single hop of each echo in an acknowledgement, in the order of the wire. */
function timestampsIn(bytes: Uint8Array, flags: number): number[] {
  const body = 14 + 20 + 8 + 16;
  const isOne = (flags & HPCC_FLAG_ACCUMULATED) === 0;
  const count = isOne ? 1 : readUint16(bytes, bytes.length - 2);
  return Array.from({ length: count }, (_, i) => {
    const int = readInt(bytes, body + i * ECHO, ECHO);
    return int?.telemetry[0]?.timestamp ?? NaN;
  });
}

/** INT headers and one hop. */
const ECHO = 48;

describe('delayed acknowledgements', () => {
  it('come for every third packet and at once for the last', () => {
    const { back } = runFeedback({ acknowledgeEvery: 3 }, 8000);
    expect(back.map(({ sequence }) => sequence)).toEqual([3000, 6000, 8000]);
  });

  it('bring the telemetry of all that they acknowledge, the latest first', () => {
    const { back, forward } = runFeedback({ acknowledgeEvery: 3 }, 7000);
    const told = back.map(({ bytes, flags }) => timestampsIn(bytes, flags));
    const [a, b, c, d, e, f, g] = ofType(forward, HPCC_DATA).map(({ at }) => Math.floor(at / 1000));
    expect(told).toEqual([[c, a, b], [f, d, e], [g]]);
  });

  it('teach the sender of each packet, and end its round with the latest', () => {
    const learnt: number[][] = [];
    const congestionControl: CongestionControlFactory = (options) => {
      const control = hpccppFactory()(options);
      const onAck = control.onAck.bind(control);
      control.onAck = (ack) => {
        learnt.push([ack.ackSequence, ack.telemetry[0]?.timestamp ?? NaN]);
        return onAck(ack);
      };
      return control;
    };
    runFeedback({ acknowledgeEvery: 3 }, 7000, { congestionControl });
    const [sequences, timestamps] = [0, 1].map((i) => learnt.map((each) => each[i] ?? NaN));
    expect(sequences).toEqual([0, 0, 3000, 3000, 3000, 6000, 7000]);
    expect(timestamps).toEqual(timestamps?.toSorted((x, y) => x - y));
    expect(new Set(timestamps).size).toBe(7);
  });

  it('bring the loads of all of them where links are hidden', () => {
    const { back } = runFeedback({ acknowledgeEvery: 3, hidesLinks: true }, 12_000);
    const loads = back.map(({ flags }) => flags & (HPCC_FLAG_RATIO | HPCC_FLAG_ACCUMULATED));
    const all = HPCC_FLAG_RATIO | HPCC_FLAG_ACCUMULATED;
    expect(loads).toEqual([all, all, all, all]);
  });

  it('have no more telemetry than has room in a segment', () => {
    const { back } = runFeedback({ acknowledgeEvery: 50 }, 100_000, { mss: 1000 });
    const most = Math.max(...back.map(({ bytes, flags }) => timestampsIn(bytes, flags).length));
    const trailers = 28 + 8 + 28;
    expect(most).toBe(Math.floor((1000 - trailers - 2) / ECHO));
  });

  it('wait for no longer than they may', () => {
    const feedback = { acknowledgeEvery: 10, acknowledgeDelay: 1_500_000 };
    const [sender, receiver] = [testHost(1, { feedback }), testHost(2, { feedback })];
    sender.startFlow(0, flowTo(2, 0, 5000));
    receiver.handlePacket(100, sender.pollTransmit(0) as Packet);
    expect(receiver.pollTransmit(100)).toBeUndefined();
    expect(receiver.pollWakeup()).toBe(1_500_100);
    receiver.handleWakeup(1_500_099);
    expect(receiver.pollTransmit(1_500_099)).toBeUndefined();
    receiver.handleWakeup(1_500_100);
    expect(seenFrame(receiver.pollTransmit(1_500_100) as Packet).sequence).toBe(1000);
    expect(receiver.pollWakeup()).toBeUndefined();
  });

  it('do not wait when a packet is missing or repeated', () => {
    const feedback = { acknowledgeEvery: 10 };
    const [sender, receiver] = [testHost(1, { feedback }), testHost(2, { feedback })];
    sender.startFlow(0, flowTo(2, 0, 5000));
    const frames = [0, 1, 2].map((i) => sender.pollTransmit(i * 100_000) as Packet);
    receiver.handlePacket(300_000, frames[0] as Packet);
    expect(receiver.pollTransmit(300_000)).toBeUndefined();
    for (const [at, frame] of [
      [400_000, frames[2]],
      [500_000, frames[0]],
    ] as const) {
      receiver.handlePacket(at, frame as Packet);
      expect(seenFrame(receiver.pollTransmit(at) as Packet).sequence).toBe(1000);
    }
  });
});
