import * as fc from 'fast-check';
import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import {
  initiatorQpn,
  remoteKey,
  targetId,
} from '../../../../host-agent/roce/packets/connection-numbers';
import { PeerFrames, RoceOutput } from '../../../../host-agent/roce/packets/peer-frames';
import { parsePacket } from '../../../../host-agent/roce/packets/received-packet';
import type { ReceivedPacket } from '../../../../host-agent/roce/packets/received-packet';
import type { MessageKind } from '../../../../host-agent/roce/queue-pair/message-log';
import type {
  DeliveredPayload,
  QpContext,
  QpSender,
} from '../../../../host-agent/roce/queue-pair/queue-pair';
import { checkRoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { Initiator } from '../../../../host-agent/roce/requester/initiator';
import type { ReadServer } from '../../../../host-agent/roce/responder/read-server';
import { Target } from '../../../../host-agent/roce/responder/target';
import { casesOf } from '../../../support/effort';
import { addressOf, macOf } from '../../../support/hosts';
import { PairDriver } from '../../../support/pair-driver';
import type { PairEnd } from '../../../support/pair-driver';
import { byteAt, faultyNetwork, writeBytes } from '../../../support/roce-hosts';
import { FLOW, TARGET_QP } from '../../../support/roce-peer';

interface PostedMessage {
  readonly kind: Exclude<MessageKind, 'response'>;
  readonly length: number;
  readonly offset: number;
}

/** One connection without hosts around it, so that operations of all kinds can be mixed on it. */
class Connection {
  readonly written: DeliveredPayload[] = [];
  readonly read: DeliveredPayload[] = [];
  readonly ends: readonly [PairEnd, PairEnd];
  outcome = 'running';
  #server: ReadServer | undefined;

  constructor(messages: readonly PostedMessage[], given: Partial<RoceConfig>) {
    const answers: [Packet[], Packet[]] = [[], []];
    const context = (side: 0 | 1): QpContext => newContext(side, given, answers[side], this);
    const initiator = new Initiator({
      context: context(0),
      operation: 'write',
      payload: writeBytes,
      startedAt: 0,
      onCompleted: () => (this.outcome = 'completed'),
      onFailed: (_now, reason) => (this.outcome = reason),
    });
    messages.forEach((message, i) => {
      initiator.requester.post(0, message, i === messages.length - 1);
    });
    const target = new Target({
      now: 0,
      context: context(1),
      qpn: TARGET_QP,
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
    address: addressOf(own),
    mac: macOf(own),
    linkRate: 100e9,
    baseRtt: 5_000_000,
    mss: 256,
    congestionControl: hpccppFactory(),
    readSource: () => writeBytes,
    ...given,
  });
  const addressing = {
    sourceMac: macOf(own),
    destinationMac: macOf(peer),
    sourcePort: 50_000,
    sourceAddress: addressOf(own),
    destinationAddress: addressOf(peer),
    destinationQp: side === 0 ? TARGET_QP : initiatorQpn(TARGET_QP),
  };
  return {
    config,
    flow: FLOW,
    firstPsn: config.initialPsn(TARGET_QP),
    senderId: side === 0 ? FLOW : targetId(addressOf(peer), FLOW),
    frames: new PeerFrames(addressing, new RoceOutput(), INT_CARRIER),
    remoteKey: remoteKey(TARGET_QP),
    newControl: () => config.congestionControl({ linkRate: 100e9, baseRtt: 5_000_000 }),
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
      const packet = parsePacket(frame, addressOf(host), INT_CARRIER);
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
      const wakeup = Float64Array.of(Infinity);
      end.sender()?.writeWakeup(present, wakeup);
      const [at = Infinity] = wakeup;
      return at === Infinity ? undefined : at;
    },
    pollEvent: () => undefined,
  };
}

const RUNS = casesOf(40);
const DELAY = 2_000_000;

const anyMessage: fc.Arbitrary<PostedMessage> = fc.record({
  kind: fc.constantFrom('write', 'read', 'send'),
  length: fc.oneof(fc.nat({ max: 10 }), fc.constantFrom(256, 512), fc.nat({ max: 2000 })),
  offset: fc.nat({ max: 1000 }),
});

const anyRun = fc.record({
  messages: fc.array(anyMessage, { minLength: 1, maxLength: 8 }),
  psn: fc.constantFrom(0, 0xff_fff8, 0x7f_fff8),
  readsOutstanding: fc.constantFrom(1, 16),
  feedback: fc.constantFrom<FeedbackOptions>(
    {},
    { collectBy: 'probe' },
    { collectBy: 'probe', returnBy: 'ack' },
    { returnBy: 'notification' },
    { algorithmAt: 'receiver' },
  ),
  faults: fc.record({
    lost: fc.constantFrom(0, 0.05),
    repeated: fc.constantFrom(0, 0.05),
    reordered: fc.constantFrom(0, 0.05),
    corrupted: fc.constantFrom(0, 0.05),
  }),
  seed: fc.nat(),
});

/** Delivered packets of a message, whose bytes say where they come from. */
function packetsOf({ offset, length }: PostedMessage): (readonly [number, number])[] {
  const starts = Array.from({ length: Math.ceil(length / 256) }, (_, i) => 256 * i);
  return starts.map((at) => [offset + at, Math.min(256, length - at)]);
}

const ranges = (payloads: readonly DeliveredPayload[]) =>
  payloads.map(({ offset, length }) => [offset, length]);

/** SENDs say no address: one follows the other. */
function withSendOffsets(messages: readonly PostedMessage[]): PostedMessage[] {
  let end = 0;
  return messages.map((message) => {
    if (message.kind !== 'send') return message;
    const offset = end;
    end += message.length;
    return { ...message, offset };
  });
}

describe('a connection with WRITE, READ and SEND mixed', () => {
  test('executes each operation once and in order, whatever the network does', () => {
    fc.assert(
      fc.property(anyRun, ({ messages, psn, readsOutstanding, feedback, faults, seed }) => {
        const posted = withSendOffsets(messages);
        const given = { initialPsn: () => psn, readsOutstanding, feedback };
        const connection = new Connection(posted, given);
        const network = faultyNetwork(new Random(seed), faults, 2 * DELAY);
        const driver = new PairDriver(connection.ends, { delay: DELAY, network });
        expect(driver.run(100 * PS_PER_SECOND)).toBe(true);
        expect(connection.outcome).toBe('completed');
        const [toTarget, toInitiator] = [false, true].map((isRead) =>
          posted.filter(({ kind }) => (kind === 'read') === isRead).flatMap(packetsOf),
        );
        expect(ranges(connection.written)).toEqual(toTarget);
        expect(ranges(connection.read)).toEqual(toInitiator);
        for (const { offset, stored } of [...connection.written, ...connection.read]) {
          expect(stored.every((byte, i) => byte === byteAt(offset + i))).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
