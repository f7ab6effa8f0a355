import type { Packet } from '../../../../../common/packet/packet';
import {
  HPCC_ACK,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_FIN,
  HPCC_FLAG_MARKED,
  HPCC_FLAG_SACK,
  HPCC_FLAG_SELECTIVE,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import type { Signals } from '../../../../../host-agent/algorithm/signals';
import { must } from '../../../../support/frames';
import { toHex } from '../../../../support/hex';
import { addressOf, flowTo, testHost } from '../../../../support/hosts';
import { forged } from '../strangers';
import { answersOf, marked, receiverOf } from './received-flows';

const feedback = { acknowledgeEvery: 3 };

describe('an acknowledgement for three packets', () => {
  it('says that one of them was marked, and the next one no longer', () => {
    const { host, take } = receiverOf({ feedback });
    const send = (sequence: number, change: (packet: Packet) => Packet): void =>
      host.handlePacket(0, change(forged(addressOf(1), { sequence })));
    send(0, (packet) => packet);
    send(8, marked);
    send(16, (packet) => packet);
    expect(answersOf(host, 0)).toMatchObject([{ flags: HPCC_FLAG_MARKED, sequence: 24 }]);
    for (const sequence of [24, 32]) expect(take({ sequence })).toEqual([]);
    expect(take({ sequence: 40 })).toMatchObject([{ flags: 0, sequence: 48 }]);
  });

  it('has no telemetry where none of them had any', () => {
    const { take } = receiverOf({ feedback });
    for (const sequence of [0, 8]) expect(take({ sequence })).toEqual([]);
    expect(take({ sequence: 16 })).toMatchObject([
      { type: HPCC_ACK, flags: 0, sequence: 24, length: 0 },
    ]);
  });

  it('asks for nothing when it has waited for long enough', () => {
    const { host, take } = receiverOf({ feedback });
    take({ sequence: 0 });
    host.handleWakeup(5_000_000);
    expect(answersOf(host, 5_000_000)).toMatchObject([{ flags: 0, sequence: 8 }]);
  });

  it('waits for three of a flow that repeats single segments, too', () => {
    const { take } = receiverOf({ feedback });
    const flags = HPCC_FLAG_SELECTIVE;
    for (const sequence of [0, 8]) expect(take({ sequence, flags })).toEqual([]);
    expect(take({ sequence: 16, flags })).toMatchObject([{ flags: 0, sequence: 24 }]);
  });

  it('leaves at once with the packet that fills a gap', () => {
    const { take } = receiverOf({ feedback });
    const flags = HPCC_FLAG_SELECTIVE;
    expect(take({ sequence: 0, flags })).toEqual([]);
    expect(take({ sequence: 16, flags })).toMatchObject([{ flags: HPCC_FLAG_SACK, sequence: 8 }]);
    expect(take({ sequence: 8, flags })).toMatchObject([{ flags: 0, sequence: 24 }]);
    // While another gap is open, each packet is told of too.
    take({ sequence: 40, flags });
    expect(take({ sequence: 24, flags })).toMatchObject([{ flags: HPCC_FLAG_SACK, sequence: 32 }]);
  });

  it('is waited for behind those of other flows that have left at once', () => {
    const { host, take } = receiverOf({ feedback });
    expect(take({ flow: 1, flags: HPCC_FLAG_FIN })).toHaveLength(1);
    expect(take({ flow: 2 }, 10)).toEqual([]);
    expect(host.pollWakeup()).toBe(5_000_010);
    host.handleWakeup(5_000_010);
    expect(answersOf(host, 5_000_010)).toMatchObject([{ sequence: 8 }]);
  });

  it('has the digest of the latest one only', () => {
    const signals: Signals = { telemetry: 'digest', marks: true, timestamps: true };
    const [sender, receiver] = [1, 2].map((n) => testHost(n, { feedback, signals }));
    sender?.startFlow(0, flowTo(2, 7, 3000));
    const frames = [1_000_000, 2_000_000, 3_000_000].map((now) => must(sender?.pollTransmit(now)));
    for (const frame of frames) receiver?.handlePacket(3_000_000, frame);
    const [answer] = receiver === undefined ? [] : answersOf(receiver, 3_000_000);
    expect(answer).toMatchObject({ flags: HPCC_FLAG_ECHO, sequence: 3000, length: 8 });
    // Version 1 with digest and time, no digest yet, and the time in ns at which the packet left.
    expect(toHex(answer?.body ?? new Uint8Array())).toBe('1300' + '000000000bb8');
    // Each packet says when it left, and may be marked.
    const shims = frames.map(({ bytes }) => toHex(bytes.subarray(44, 50)));
    expect(shims).toEqual(['0000000003e8', '0000000007d0', '000000000bb8']);
    expect(frames.map(({ bytes }) => (bytes[15] as number) & 3)).toEqual([2, 2, 2]);
  });
});

describe('an acknowledgement for each packet', () => {
  it('brings back the filled part of a trace only, and none where none was asked for', () => {
    const given = { carrier: { name: 'ioam' }, feedback: { collectEvery: 2 } } as const;
    const [sender, receiver] = [testHost(1, given), testHost(2, given)];
    sender.startFlow(0, flowTo(2, 7, 3000));
    const lengths = [0, 1e6, 2e6].map((now) => {
      const data = must(sender.pollTransmit(now));
      receiver.handlePacket(now, data);
      const ack = must(receiver.pollTransmit(now));
      sender.handlePacket(now, ack);
      return ack.length;
    });
    // Ethernet, IPv6, UDP and transport header; the trace has 8 bytes and no node.
    const plain = 14 + 40 + 8 + 16;
    expect(lengths).toEqual([plain + 8, plain, plain + 8]);
    expect(sender.pollEvent()).toMatchObject({ kind: 'flow-started' });
    expect(sender.pollEvent()).toMatchObject({ kind: 'flow-completed' });
  });
});
