import { checksumWords, finishChecksum } from '../../common/wire/checksum';
import { readUint16, writeUint16 } from '../../common/wire/bytes';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ethernet';
import type { HpccTransportHeader } from '../../common/wire/hpcc-transport';
import {
  emitHpccTransport,
  HPCC_TRANSPORT_LENGTH,
  HPCC_TRANSPORT_PORT,
  patchHpccTransport,
} from '../../common/wire/hpcc-transport';
import {
  emitIntMdSource,
  HP_DOMAIN,
  HP_WIDE_DOMAIN,
  INT_DSCP,
  INT_FIXED_LENGTH,
} from '../../common/wire/int-md';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ipv4';
import { emitUdp, UDP_LENGTH } from '../../common/wire/udp';
import type { Bytes } from '../../common/units/units';
import type { ByteSlab } from './byte-slab';

const IPV4_AT = ETHERNET_LENGTH;
const UDP_AT = IPV4_AT + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;

const IPV4_TOTAL_LENGTH = IPV4_AT + 2;
const IPV4_IDENTIFICATION = IPV4_AT + 4;
const IPV4_CHECKSUM = IPV4_AT + 10;
const UDP_LENGTH_FIELD = UDP_AT + 4;
const UDP_CHECKSUM = UDP_AT + 6;

/** What all frames of one direction of a flow have in common. */
export interface FrameAddressing {
  readonly sourceMac: number;
  readonly destinationMac: number;
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  readonly sourcePort: number;
  /** Makes the frame an INT source's, with room for that many hops; undefined: no INT. */
  readonly intHopLimit: number | undefined;
  /** Asks switches for the wide block, which has the time in the queue. Default false. */
  readonly asksSojourn?: boolean;
  /** Class of the flow: DSCP, which stands in the shim where INT has taken its place. Default 0. */
  readonly dscp?: number;
  /** Asks switches to answer at once when the frame leaves a long queue behind it. */
  readonly asksSwitches?: boolean;
  /** The tag of coordinated congestion management, in DS flags; such frames can be marked by ECN. */
  readonly coordinationTag?: number;
}

/** What differs from frame to frame. */
export interface FrameFields {
  readonly flags: number;
  readonly sequence: number;
  /** Bytes after the transport header: payload or echo. */
  readonly length: Bytes;
  /** IPv4 identification, 16 bits. */
  readonly identification: number;
}

/**
 * A prepared frame, Ethernet to transport header.
 *
 * PERF: per frame one copy of the headers and about ten patched words. Checksums start from sums of
 * the words that never change, so that their cost does not depend on the length of the headers.
 */
export class FrameTemplate {
  readonly #bytes: Uint8Array;
  readonly #transportAt: number;
  /** Sums of the constant words that the IPv4 and the UDP checksum cover. */
  readonly #ipv4Sum: number;
  readonly #udpSum: number;

  constructor(
    addressing: FrameAddressing,
    transport: Pick<HpccTransportHeader, 'type' | 'flowId' | 'generation'>,
  ) {
    this.#transportAt = transportOffset(addressing.intHopLimit !== undefined);
    this.#bytes = new Uint8Array(this.#transportAt + HPCC_TRANSPORT_LENGTH);
    writeConstantHeaders(addressing, this.#bytes);
    const varying = { flags: 0, sequence: 0, length: 0 };
    emitHpccTransport({ ...transport, ...varying }, this.#bytes, this.#transportAt);
    this.#ipv4Sum = checksumWords(this.#bytes, IPV4_AT, UDP_AT) - this.#at(IPV4_CHECKSUM);
    // The pseudo-header repeats the addresses, the protocol and the UDP length.
    const addresses = checksumWords(this.#bytes, IPV4_AT + 12, UDP_AT);
    const fromUdp = checksumWords(this.#bytes, UDP_AT, this.#transportAt);
    this.#udpSum = addresses + PROTOCOL_UDP + fromUdp - this.#at(UDP_CHECKSUM);
  }

  /** Bytes of a frame before its payload or echo. */
  get headerLength(): Bytes {
    return this.#bytes.length;
  }

  /**
   * A frame of `headerLength + fields.length` bytes. The tail is stored if it is given, and is
   * virtual zeros otherwise.
   */
  emit(fields: FrameFields, slab: ByteSlab, tail?: Uint8Array): Uint8Array {
    const bytes = slab.take(this.#bytes.length + (tail?.length ?? 0));
    bytes.set(this.#bytes);
    if (tail !== undefined) bytes.set(tail, this.#bytes.length);
    const udpLength = this.#bytes.length - UDP_AT + fields.length;
    this.#stampIpv4(bytes, IPV4_LENGTH + udpLength, fields.identification);
    patchHpccTransport(fields, bytes, this.#transportAt);
    writeUint16(bytes, UDP_LENGTH_FIELD, udpLength);
    const sum =
      this.#udpSum + 2 * udpLength + checksumWords(bytes, this.#transportAt, bytes.length);
    writeUint16(bytes, UDP_CHECKSUM, nonZero(finishChecksum(sum)));
    return bytes;
  }

  #stampIpv4(bytes: Uint8Array, totalLength: number, identification: number): void {
    writeUint16(bytes, IPV4_TOTAL_LENGTH, totalLength);
    writeUint16(bytes, IPV4_IDENTIFICATION, identification);
    const checksum = finishChecksum(this.#ipv4Sum + totalLength + identification);
    writeUint16(bytes, IPV4_CHECKSUM, checksum);
  }

  #at(offset: number): number {
    return readUint16(this.#bytes, offset);
  }
}

/** Bytes of a data frame before its payload, as it leaves the host. */
export const DATA_HEADER_LENGTH = transportOffset(true) + HPCC_TRANSPORT_LENGTH;

function transportOffset(withInt: boolean): number {
  return AFTER_UDP + (withInt ? INT_FIXED_LENGTH : 0);
}

/** Writes all headers before the transport; lengths and identification stay 0. */
function writeConstantHeaders(addressing: FrameAddressing, bytes: Uint8Array): void {
  const { sourceMac, destinationMac, sourceAddress, destinationAddress } = addressing;
  emitEthernet(
    { source: sourceMac, destination: destinationMac, etherType: ETHERTYPE_IPV4 },
    bytes,
  );
  const { intHopLimit, dscp: originalDscp = 0 } = addressing;
  const ipv4 = {
    dscp: intHopLimit === undefined ? originalDscp : INT_DSCP,
    ecn: addressing.coordinationTag === undefined ? 0 : ECN_ECT0,
    totalLength: 0,
    identification: 0,
    ttl: INITIAL_TTL,
    protocol: PROTOCOL_UDP,
    source: sourceAddress,
    destination: destinationAddress,
  };
  emitIpv4(ipv4, bytes, IPV4_AT);
  if (intHopLimit !== undefined) {
    const domain = addressing.asksSojourn === true ? HP_WIDE_DOMAIN : HP_DOMAIN;
    emitIntMdSource({ remainingHops: intHopLimit, originalDscp, domain }, bytes, AFTER_UDP);
    const subscription = addressing.asksSwitches === true ? SUBSCRIPTION_DS_FLAG : 0;
    const dsFlags = subscription | (addressing.coordinationTag ?? 0);
    writeUint16(bytes, AFTER_UDP + INT_FIXED_LENGTH - 2, dsFlags);
  }
  const udp = {
    sourcePort: addressing.sourcePort,
    destinationPort: HPCC_TRANSPORT_PORT,
    length: 0,
  };
  const end = bytes.length;
  emitUdp(udp, bytes, {
    source: sourceAddress,
    destination: destinationAddress,
    offset: UDP_AT,
    end,
  });
}

/** Flag of the INT domain "HP": the packet subscribes to switch responses. */
const SUBSCRIPTION_DS_FLAG = 0x2000;

const INITIAL_TTL = 64;
/** RFC 3168: the transport reacts to marks. */
const ECN_ECT0 = 2;

/** RFC 768: a computed zero is sent as all ones, because zero means "no checksum". */
function nonZero(checksum: number): number {
  return checksum === 0 ? 0xffff : checksum;
}
