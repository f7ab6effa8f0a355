import type { Packet } from '../../common/packet/packet';
import { RemoteWindow } from '../../host-agent/feedback/remote-window';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import {
  remoteKey,
  initiatorQpn,
  targetId,
} from '../../host-agent/roce/packets/connection-numbers';
import { Initiator } from '../../host-agent/roce/requester/initiator';
import type { MessageKind } from '../../host-agent/roce/queue-pair/message-log';
import { PeerFrames, RoceOutput } from '../../host-agent/roce/packets/peer-frames';
import type {
  DeliveredPayload,
  QpContext,
  QpSender,
} from '../../host-agent/roce/queue-pair/queue-pair';
import type { ReadServer } from '../../host-agent/roce/responder/read-server';
import { parsePacket } from '../../host-agent/roce/packets/received-packet';
import type { ReceivedPacket } from '../../host-agent/roce/packets/received-packet';
import { checkRoceConfig } from '../../host-agent/roce/queue-pair/roce-config';
import type { RoceConfig } from '../../host-agent/roce/queue-pair/roce-config';
import { Target } from '../../host-agent/roce/responder/target';
import { addressOf, macOf } from './hosts';
import type { PairEnd } from './pair-driver';
import { FLOW, TARGET_QP } from './roce-peer';
import { writeBytes } from './roce-hosts';

export interface PostedMessage {
  readonly kind: Exclude<MessageKind, 'response'>;
  readonly length: number;
  readonly offset: number;
}

/** One connection without hosts around it, so that operations of all kinds can be mixed on it. */
export class Connection {
  readonly written: DeliveredPayload[] = [];
  readonly read: DeliveredPayload[] = [];
  readonly ends: readonly [PairEnd, PairEnd];
  outcome = 'running';
  #server: ReadServer | undefined;

  constructor(messages: readonly PostedMessage[], given: Partial<RoceConfig>) {
    const answers: [Packet[], Packet[]] = [[], []];
    const context = (side: 0 | 1): QpContext => newContext(side, given, answers[side], this);
    const initiator = new Initiator({
      ...{ context: context(0), operation: 'write', payload: writeBytes, startedAt: 0 },
      onCompleted: () => (this.outcome = 'completed'),
      onFailed: (_now, reason) => (this.outcome = reason),
    });
    messages.forEach((message, i) => {
      initiator.requester.post(0, message, i === messages.length - 1);
    });
    const target = new Target({
      now: 0,
      ...{ context: context(1), qpn: TARGET_QP },
      onReading: (_now, server) => (this.#server = server),
      onReceived: () => undefined,
    });
    this.ends = [
      newEnd(1, answers[0], {
        sender: () => initiator.requester,
        handle: (now, packet, frame) => initiator.handle(now, packet, frame),
      }),
      newEnd(2, answers[1], {
        sender: () => this.#server,
        handle: (now, packet, frame) => target.handle(now, packet, frame),
      }),
    ];
  }
}

function newContext(
  side: 0 | 1,
  given: Partial<RoceConfig>,
  answers: Packet[],
  { written, read }: Connection,
): QpContext {
  const [own, peer] = side === 0 ? [1, 2] : [2, 1];
  const config = checkRoceConfig({
    ...{ address: addressOf(own), mac: macOf(own), linkRate: 100e9, baseRtt: 5_000_000, mss: 256 },
    ...{ congestionControl: hpccppFactory(), readSource: () => writeBytes, ...given },
  });
  const addressing = {
    ...{ sourceMac: macOf(own), destinationMac: macOf(peer), sourcePort: 50_000 },
    ...{ sourceAddress: addressOf(own), destinationAddress: addressOf(peer) },
    destinationQp: side === 0 ? TARGET_QP : initiatorQpn(TARGET_QP),
  };
  return {
    ...{ config, flow: FLOW, firstPsn: config.initialPsn(TARGET_QP) },
    senderId: side === 0 ? FLOW : targetId(addressOf(peer), FLOW),
    frames: new PeerFrames(addressing, new RoceOutput()),
    remoteKey: remoteKey(TARGET_QP),
    newControl: () => config.congestionControl({ linkRate: 100e9, baseRtt: 5_000_000 }),
    newRemoteWindow: () => new RemoteWindow({ linkRate: 100e9, baseRtt: 5_000_000 }),
    answer: (packet) => answers.push(packet),
    deliver: ({ offset, length, stored }) =>
      (side === 0 ? read : written).push({ offset, length, stored: stored.slice() }),
  };
}

function newEnd(
  host: number,
  answers: Packet[],
  end: {
    readonly sender: () => QpSender | undefined;
    readonly handle: (now: number, packet: ReceivedPacket, frame: Packet) => unknown;
  },
): PairEnd {
  let present = 0;
  return {
    handlePacket: (now, frame) => {
      present = now;
      const packet = parsePacket(frame, addressOf(host));
      if (!('reason' in packet)) end.handle(now, packet, frame);
    },
    handleWakeup: (now) => {
      present = now;
      end.sender()?.handleWakeup(now);
    },
    pollTransmit: (now) => {
      present = now;
      const sender = end.sender();
      return answers.shift() ?? (sender?.canSend(now) === true ? sender.emit(now) : undefined);
    },
    pollWakeup: () => {
      const at = end.sender()?.wakeupAfter(present) ?? Infinity;
      return at === Infinity ? undefined : at;
    },
    pollEvent: () => undefined,
  };
}
