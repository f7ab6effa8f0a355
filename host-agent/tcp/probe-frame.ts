import type { HopRecord } from '../../common/hop/hop';
import { readUint48 } from '../../common/wire/bytes';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { HP_DOMAIN, INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { INT_SHIM_LENGTH, emitIntMdSource, parseIntMd } from '../../common/wire/int/int-md';
import { readHops } from '../../common/wire/int/int-md';
import type { IntMd } from '../../common/wire/int/int-md';
import { emitIpv4, IPV4_LENGTH, parseIpv4, PROTOCOL_TCP } from '../../common/wire/ip/ipv4';
import { fillChecksum, segmentSumIsGood } from '../../common/wire/ip/checksum';
import { emitTcp, parseTcp, TCP_CHECKSUM_AT, TCP_FLAG_ACK } from '../../common/wire/ip/tcp';
import { TCP_LENGTH } from '../../common/wire/ip/tcp';
import { probeSequence } from '../../common/wire/hpcc/tcp-probe';
import type { ConnectionKey } from './connection-key';

/**
 * Telemetry probes inside TCP connections, and the responses to them:
 *
 *     | Ethernet 14 | IPv4 20, DSCP 0x17 | TCP 20, ACK | INT shim 4, MD header 12 | stack |
 *
 * The identification of IPv4, which whole datagrams do not need (RFC 6864 section 4.1), holds the
 * number of the probe, and its highest bit is set in responses: receivers then need no memory.
 */
export interface TelemetrySegment {
  /** As the host sees it that received the frame. */
  readonly key: ConnectionKey;
  readonly isResponse: boolean;
  readonly id: number;
  /** Records in the order of the path. */
  readonly hops: readonly HopRecord[];
  /** A link of the path is missing. */
  readonly isIncomplete: boolean;
}

export const PROBE_IDS = 0x8000;
const RESPONSE_BIT = 0x8000;
const IP_AT = ETHERNET_LENGTH;
const TCP_AT = IP_AT + IPV4_LENGTH;
const INT_AT = TCP_AT + TCP_LENGTH;
const TTL = 64;
/** Never read: no end takes a segment that lies in its past for a change of the window. */
const WINDOW = 0xffff;

/** Bits of the first byte of the INT-MD header. */
const INT_EXCEEDED = 0x4;
const INT_MTU_EXCEEDED = 0x2;
/** Offset of the remaining hop count from the shim. */
const REMAINING_HOPS_AT = INT_SHIM_LENGTH + 3;

export interface ProbeFields {
  readonly key: ConnectionKey;
  readonly localMac: number;
  readonly remoteMac: number;
  /** Oldest byte that the peer has not acknowledged. */
  readonly unacknowledged: number;
  /** Next byte that is expected of the peer. */
  readonly expected: number;
  /** Below {@link PROBE_IDS}. */
  readonly id: number;
  readonly hopLimit: number;
  /** Class of the connection, in whose queue the probe shall wait. */
  readonly dscp: number;
}

export function probeFrame(fields: ProbeFields): Uint8Array {
  const { key, unacknowledged, expected, id, hopLimit, dscp } = fields;
  const frame = new Uint8Array(INT_AT + INT_FIXED_LENGTH);
  emitIntMdSource({ remainingHops: hopLimit, originalDscp: dscp }, frame, INT_AT);
  emitHeaders(frame, {
    key,
    identification: id,
    acknowledgement: expected,
    sequence: probeSequence(unacknowledged, HP_DOMAIN.hopWords, hopLimit),
    localMac: fields.localMac,
    remoteMac: fields.remoteMac,
  });
  return frame;
}

/** Undefined for what is no probe or response: another protocol, or no telemetry. */
export function parseTelemetry(frame: Uint8Array): TelemetrySegment | WireFault | undefined {
  const layers = telemetryLayers(frame);
  if (layers === undefined || layers instanceof WireFault) return layers;
  const { key, identification, int, intAt } = layers;
  return {
    key,
    isResponse: (identification & RESPONSE_BIT) !== 0,
    id: identification % PROBE_IDS,
    hops: readHops(int, frame, intAt),
    // Switches on the way back may not push, and say so by E; the receiver has moved it to M.
    isIncomplete:
      int.mtuExceeded || (int.hopLimitExceeded && (identification & RESPONSE_BIT) === 0),
  };
}

/**
 * Makes the response to a received probe: the stack as it came, in the other direction. Everything is taken
 * from the probe, so answering needs no memory. The numbers of the response lie as far in the past as those
 * of the probe do, also where the answering side has sent so little that they precede its first byte.
 * @returns undefined for frames that are no probe, and a fault for damaged ones.
 */
export function responseFrame(frame: Uint8Array): Uint8Array | WireFault | undefined {
  const layers = telemetryLayers(frame);
  if (layers === undefined || layers instanceof WireFault) return layers;
  const { key, identification, int, intAt, sequence, acknowledgement } = layers;
  if ((identification & RESPONSE_BIT) !== 0) return undefined;
  const response = new Uint8Array(INT_AT + int.length);
  response.set(frame.subarray(intAt, intAt + int.length), INT_AT);
  closeStack(response, int);
  const room = int.remainingHops + int.hopCount;
  emitHeaders(response, {
    key,
    identification: identification | RESPONSE_BIT,
    sequence: probeSequence(acknowledgement, HP_DOMAIN.hopWords, room),
    // Up to here the prober has everything acknowledged: what it subtracted is added again.
    acknowledgement: (sequence + INT_FIXED_LENGTH + HP_DOMAIN.hopLength * room) >>> 0,
    localMac: readUint48(frame, 0),
    remoteMac: readUint48(frame, 6),
  });
  return response;
}

/** No switch on the way back shall push, and that one on the way here could not stays known. */
function closeStack(response: Uint8Array, int: IntMd): void {
  const flagsAt = INT_AT + INT_SHIM_LENGTH;
  const kept = (response[flagsAt] as number) & ~INT_EXCEEDED;
  const isIncomplete = int.hopLimitExceeded || int.mtuExceeded;
  response[flagsAt] = isIncomplete ? kept | INT_MTU_EXCEEDED : kept;
  response[INT_AT + REMAINING_HOPS_AT] = 0;
}

interface Layers {
  readonly key: ConnectionKey;
  readonly identification: number;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly int: IntMd;
  readonly intAt: number;
}

function telemetryLayers(frame: Uint8Array): Layers | WireFault | undefined {
  if (frame.length < TCP_AT || frame[12] !== ETHERTYPE_IPV4 >>> 8 || frame[13] !== 0) {
    return undefined;
  }
  const ip = parseIpv4(frame, IP_AT, frame.length);
  if (ip instanceof WireFault) return ip;
  if (ip.protocol !== PROTOCOL_TCP || ip.dscp !== INT_DSCP) return undefined;
  const offset = IP_AT + ip.headerLength;
  const end = IP_AT + ip.totalLength;
  const tcp = parseTcp(frame, offset, end);
  if (tcp instanceof WireFault) return tcp;
  const segment = { ipOffset: IP_AT, offset, end, protocol: PROTOCOL_TCP };
  if (!segmentSumIsGood(frame, segment)) {
    return new WireFault('tcp', offset + TCP_CHECKSUM_AT, 'wrong checksum');
  }
  const intAt = offset + tcp.headerLength;
  const int = parseIntMd(frame.subarray(0, end), intAt);
  if (int instanceof WireFault) return int;
  return {
    key: {
      localAddress: ip.destination,
      localPort: tcp.destinationPort,
      remoteAddress: ip.source,
      remotePort: tcp.sourcePort,
    },
    identification: ip.identification,
    int,
    intAt,
    sequence: tcp.sequence,
    acknowledgement: tcp.acknowledgement,
  };
}

interface HeaderFields {
  readonly key: ConnectionKey;
  readonly localMac: number;
  readonly remoteMac: number;
  readonly identification: number;
  readonly sequence: number;
  readonly acknowledgement: number;
}

/** Writes everything in front of the INT bytes, which are there already. */
function emitHeaders(frame: Uint8Array, fields: HeaderFields): void {
  const { key, identification, sequence, acknowledgement } = fields;
  const addresses = { destination: fields.remoteMac, source: fields.localMac };
  emitEthernet({ ...addresses, etherType: ETHERTYPE_IPV4 }, frame);
  const ip = {
    dscp: INT_DSCP,
    ecn: 0,
    ttl: TTL,
    protocol: PROTOCOL_TCP,
    identification,
    totalLength: frame.length - IP_AT,
    source: key.localAddress,
    destination: key.remoteAddress,
  };
  emitIpv4(ip, frame, IP_AT);
  const tcp = {
    sourcePort: key.localPort,
    destinationPort: key.remotePort,
    sequence,
    acknowledgement,
    flags: TCP_FLAG_ACK,
    window: WINDOW,
    checksum: 0,
    urgent: 0,
    options: [],
  };
  emitTcp(tcp, frame, TCP_AT);
  const segment = { ipOffset: IP_AT, offset: TCP_AT, end: frame.length, protocol: PROTOCOL_TCP };
  fillChecksum(frame, segment, TCP_AT + TCP_CHECKSUM_AT);
}
