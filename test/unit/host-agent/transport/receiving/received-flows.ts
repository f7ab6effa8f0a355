import type { Packet } from '../../../../../common/packet/packet';
import { writeUint16 } from '../../../../../common/wire/bytes';
import { checksumWords, finishChecksum } from '../../../../../common/wire/ip/checksum';
import type { HpccTransportHeader } from '../../../../../common/wire/hpcc/hpcc-transport';
import type { HostConfig } from '../../../../../host-agent/host/host-config';
import { parseFrame } from '../../../../../host-agent/transport/frames/received-frame';
import type { HostAgent } from '../../../../../host-agent/transport/host';
import { addressOf, testHost } from '../../../../support/hosts';
import { forged } from '../strangers';

/** An answer of host 2 to host 1, as the latter reads it. */
export interface Answer extends Pick<
  HpccTransportHeader,
  'type' | 'flags' | 'sequence' | 'token' | 'length'
> {
  readonly sourcePort: number;
  readonly body: Uint8Array;
}

function answerOf(packet: Packet): Answer {
  const frame = parseFrame(packet, addressOf(1));
  if ('reason' in frame) throw new Error(`an answer was expected, not: ${frame.reason}`);
  const { type, flags, sequence, token, length, bodyAt } = frame.transport;
  const body = packet.bytes.subarray(bodyAt, bodyAt + length);
  return { type, flags, sequence, token, length, sourcePort: frame.sourcePort, body };
}

/** Everything that the host has to send. */
export function answersOf(host: HostAgent, now: number): Answer[] {
  const answers: Answer[] = [];
  for (let one = host.pollTransmit(now); one !== undefined; one = host.pollTransmit(now)) {
    answers.push(answerOf(one));
  }
  return answers;
}

/** Host 2, and where the bytes begin that it delivers and how many they are. */
export function receiverOf(given: Partial<HostConfig> = {}) {
  const delivered: (readonly [number, number])[] = [];
  const host = testHost(2, {
    deliver: ({ sequence, length }) => delivered.push([sequence, length]),
    ...given,
  });
  /** Takes data of host 1, and says what it answers. */
  const take = (fields: Parameters<typeof forged>[1], now = 0): Answer[] => {
    host.handlePacket(now, forged(addressOf(1), fields));
    return answersOf(host, now);
  };
  return { host, delivered, take };
}

/** With a mark of ECN, "congestion experienced", and a checksum that is right again. */
export function marked(packet: Packet): Packet {
  const bytes = packet.bytes.slice();
  bytes[15] = (bytes[15] as number) | 3;
  writeUint16(bytes, 24, 0);
  writeUint16(bytes, 24, finishChecksum(checksumWords(bytes, 14, 34)));
  return { ...packet, bytes };
}
