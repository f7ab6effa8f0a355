import type { Packet } from '../../common/packet/packet';
import { writeUint16, writeUint32, writeUint48 } from '../../common/wire/bytes';
import { answerCode } from '../../common/wire/hpcc/answer-code';
import {
  emitHpccTransport,
  HPCC_FLAG_AUTH,
  HPCC_SWITCH_RESPONSE,
} from '../../common/wire/hpcc/hpcc-transport';
import { emitIpv4, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { emitUdp } from '../../common/wire/ip/udp';
import {
  AUTH_TRAILER_LENGTH,
  emitAuthTrailer,
  MAC_LENGTH,
} from '../../common/wire/security/message-mac';
import type { HostConfig } from '../../host-agent/host/host-config';
import type { HostAgent } from '../../host-agent/transport/host';
import { addressOf, flowTo, testHost } from './hosts';
import { pushHop } from './int-hop';

interface AnswerOptions {
  readonly toReceiver?: boolean;
  /** Key 1, and the low half of the number. Default: the answer is not signed. */
  readonly signed?: { readonly key: Uint8Array; readonly number: number };
}

const IP_AT = 14;
const UDP_AT = IP_AT + 20;
const TRANSPORT_AT = UDP_AT + 8;
const BODY_AT = TRANSPORT_AT + 16;
const RESPONSE_LENGTH = 40;

/**
 * As p4src/v1model/profiles/hpcc-feedback/feedback_response.p4 writes it about 1000 bytes of flow 0 between hosts 1
 * and 2, with a UDP checksum.
 */
export function switchAnswer(
  hop: { timestamp: number; txBytes: number; queueBytes: number },
  { toReceiver = false, signed }: AnswerOptions = {},
): Packet {
  const body = RESPONSE_LENGTH + (signed === undefined ? 0 : AUTH_TRAILER_LENGTH);
  const bytes = new Uint8Array(BODY_AT + body);
  bytes[12] = 0x08;
  const [source, destination] = toReceiver ? [1, 2] : [2, 1];
  const addresses = { source: addressOf(source), destination: addressOf(destination) };
  const totalLength = bytes.length - IP_AT;
  const ipv4 = { dscp: 0, ecn: 0, totalLength, identification: 0, ttl: 64 };
  emitIpv4({ ...ipv4, protocol: PROTOCOL_UDP, ...addresses }, bytes, IP_AT);
  const flags = (toReceiver ? 1 : 0) | (signed === undefined ? 0 : HPCC_FLAG_AUTH);
  const header = { type: HPCC_SWITCH_RESPONSE, flags, flowId: 0, generation: 0 } as const;
  emitHpccTransport({ ...header, length: body, sequence: 1000 }, bytes, TRANSPORT_AT);
  bytes[BODY_AT + 1] = 1;
  const at = BODY_AT + 8;
  writeUint32(bytes, at, 1);
  writeUint16(bytes, at + 6, 1);
  writeUint32(bytes, at + 8, hop.queueBytes);
  writeUint48(bytes, at + 14, hop.timestamp);
  writeUint48(bytes, at + 22, hop.txBytes);
  writeUint32(bytes, at + 28, 100_000);
  if (signed !== undefined) sign(bytes, signed);
  const udp = { sourcePort: 49152, destinationPort: 50002, length: bytes.length - UDP_AT };
  emitUdp(udp, bytes, { ...addresses, offset: UDP_AT, end: bytes.length });
  return { bytes, length: bytes.length };
}

function sign(bytes: Uint8Array, { key, number }: NonNullable<AnswerOptions['signed']>): void {
  const sequence = { high: 1, low: number };
  const mac = new Uint8Array(MAC_LENGTH);
  emitAuthTrailer({ keyId: 1, sequence, mac }, bytes, bytes.length - AUTH_TRAILER_LENGTH);
  const [source, destination] = [12, 16].map((i) => bytes.slice(IP_AT + i, IP_AT + i + 4));
  if (source === undefined || destination === undefined) throw new Error('two addresses');
  const message = bytes.subarray(TRANSPORT_AT, bytes.length - MAC_LENGTH);
  bytes.set(answerCode(key, { source, destination }, message), bytes.length - MAC_LENGTH);
}

/** Host 1 with a flow that has its first telemetry, of clock 1000 and counter 0, behind it. */
export function hostAwaitingAnswers(given: Partial<HostConfig> = {}): HostAgent {
  const config = { feedback: { asksSwitches: true }, ...given };
  const [sender, receiver] = [testHost(1, config), testHost(2, config)];
  sender.startFlow(0, flowTo(2, 0, 100_000));
  const first = sender.pollTransmit(0) as Packet;
  for (const at of [100_000, 200_000]) expect(sender.pollTransmit(at)).toBeDefined();
  const zero = { switchId: 1, portId: 1, txBytes: 0, queueBytes: 300_000, capacity: 100e9 };
  receiver.handlePacket(200_000, pushHop(first, { ...zero, timestamp: 1000 }));
  sender.handlePacket(200_000, receiver.pollTransmit(200_000) as Packet);
  return sender;
}
