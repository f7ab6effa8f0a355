import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { BTH_LENGTH, emitBth, ROCE_PORT } from '../../../common/wire/roce/bth';
import { indicatorsOfDsFlags } from '../../../common/wire/coordination/ccm-tag';
import { emitEthernet, ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { emitIcrc, ICRC_LENGTH, icrcOfParts } from '../../../common/wire/roce/icrc';
import { PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { TRIMMABLE_DSCP } from '../../../common/wire/ip/trimming';
import { emitUdpHeader, UDP_LENGTH } from '../../../common/wire/ip/udp';
import { withTag } from '../../../common/wire/coordination/tagged-frame';
import type { Carrier } from '../../carrier/carrier';
import { ByteSlab } from '../../transport/frames/byte-slab';
import { fillIcrcHead, newIcrcHead } from './icrc-head';

const INITIAL_TTL = 64;
/** RFC 3168: the transport reacts to marks. */
const ECN_ECT0 = 2;
/** The default partition, full member. */
export const PARTITION_KEY = 0xffff;

/** Wire bytes of a data packet that collects telemetry, besides its payload: that of a middle one. */
export const roceDataHeaderLength = ({ headerLength, network }: Carrier): Bytes =>
  ETHERNET_LENGTH + network.headerLength + UDP_LENGTH + headerLength + BTH_LENGTH + ICRC_LENGTH;

/** Memory for frames and the IPv4 identification, which all queue pairs of a host share. */
export class RoceOutput {
  readonly #slab = new ByteSlab();
  #identification = 0;

  take(length: Bytes): Uint8Array {
    return this.#slab.take(length);
  }

  nextIdentification(): number {
    const identification = this.#identification;
    this.#identification = (identification + 1) & 0xffff;
    return identification;
  }
}

/** Addresses of the interfaces between which the frames of a queue pair travel. */
export interface PeerAddressing {
  readonly sourceMac: number;
  readonly destinationMac: number;
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  /** UDP source port, the same for all packets of a direction. */
  readonly sourcePort: number;
  readonly destinationQp: number;
  /** Class of the packets. Default 0. */
  readonly dscp?: number;
}

/** Headers of data whose switches coordinate: its own source port, its tag, and ECN can mark it. */
export interface DataPath {
  readonly sourcePort: number;
  /** The tag as DS flags of INT; it is a header of its own where there is no INT. */
  readonly dsFlags: number;
}

export interface RoceFrame {
  readonly opcode: number;
  /** 24 bits. */
  readonly psn: number;
  readonly ackRequest?: boolean;
  /** Extended headers, which are whole words, or the body of a control packet. */
  readonly body: Uint8Array;
  /** Absent: none. Virtual zeros unless it is stored. */
  readonly payload?: { readonly length: Bytes; readonly stored: Uint8Array | undefined };
  /** Makes the packet ask for telemetry of so many hops. */
  readonly intHopLimit?: number | undefined;
  /** Absent: from the port of the connection, and ECN-incapable. */
  readonly path?: DataPath | undefined;
  /** Epoch of the window that data obeys, of which four bits leave. Default 0. */
  readonly windowEpoch?: number;
  /** Switches may cut it to its headers. Default false. */
  readonly isTrimmable?: boolean;
  /** Backward explicit congestion notification: the packet is a CNP. Default false. */
  readonly becn?: boolean;
}

/** Makes the frames for one peer. */
export class PeerFrames {
  #addressing: PeerAddressing;
  readonly #output: RoceOutput;
  readonly #carrier: Carrier;
  /** First bytes that the ICRC covers; written anew for each frame. */
  readonly #head: Uint8Array;

  constructor(addressing: PeerAddressing, output: RoceOutput, carrier: Carrier) {
    this.#addressing = addressing;
    this.#output = output;
    this.#carrier = carrier;
    this.#head = newIcrcHead(carrier.network);
  }

  get addressing(): PeerAddressing {
    return this.#addressing;
  }

  /** The peer's frames may come over another next hop, or from another port. */
  follow({ mac, port }: { readonly mac: number; readonly port: number }): void {
    const { destinationMac, sourcePort } = this.#addressing;
    if (mac === destinationMac && port === sourcePort) return;
    this.#addressing = { ...this.#addressing, destinationMac: mac, sourcePort: port };
  }

  emit(frame: RoceFrame): Packet {
    const packet = this.#emitUntagged(frame);
    const { path, intHopLimit } = frame;
    if (path === undefined || intHopLimit !== undefined) return packet;
    return withTag(packet, indicatorsOfDsFlags(path.dsFlags));
  }

  /**
   * PERF: the ICRC costs a look into a table per stored byte, and a few hundred steps for virtual
   * payload of any length.
   */
  #emitUntagged(frame: RoceFrame): Packet {
    const { body, payload = NO_PAYLOAD, intHopLimit } = frame;
    const bthAt = this.#afterUdp + (intHopLimit === undefined ? 0 : this.#carrier.headerLength);
    const bodyAt = bthAt + BTH_LENGTH;
    const payloadAt = bodyAt + body.length;
    const end = payloadAt + payload.length + padOf(body.length + payload.length);
    const isWhole = payload.length === 0 || payload.stored !== undefined;
    const bytes = this.#output.take(isWhole ? end + ICRC_LENGTH : payloadAt);
    this.#writeHeaders(frame, bytes, { bthAt, end });
    bytes.set(body, bodyAt);
    if (payload.stored !== undefined) bytes.set(payload.stored, payloadAt);
    const to = isWhole ? end : payloadAt;
    const rest = { bytes, from: bodyAt, to, zeros: end - to };
    const icrc = icrcOfParts(this.#head, rest);
    const length = end + ICRC_LENGTH;
    if (isWhole) {
      emitIcrc(icrc, bytes, end);
      return { bytes, length };
    }
    const tail = this.#output.take(ICRC_LENGTH);
    emitIcrc(icrc, tail, 0);
    return { bytes, length, tail };
  }

  #writeHeaders(
    frame: RoceFrame,
    bytes: Uint8Array,
    { bthAt, end }: { readonly bthAt: number; readonly end: number },
  ): void {
    const { opcode, psn, ackRequest = false, body, payload = NO_PAYLOAD, becn = false } = frame;
    this.#writeIp(frame, bytes, end + ICRC_LENGTH);
    // PERF: one literal; spreading costs microseconds per packet.
    const bth = {
      opcode,
      solicited: false,
      // Annex A17 wants the bit clear in a CNP, which belongs to no path of the connection.
      migration: !becn,
      padCount: padOf(body.length + payload.length),
      partitionKey: PARTITION_KEY,
      fecn: false,
      becn,
      destinationQp: this.#addressing.destinationQp,
      ackRequest,
      psn,
      windowEpoch: frame.windowEpoch ?? 0,
    };
    emitBth(bth, bytes, bthAt);
    fillIcrcHead(this.#head, bytes, this.#carrier.network, bthAt);
  }

  get #udpAt(): number {
    return ETHERNET_LENGTH + this.#carrier.network.headerLength;
  }

  get #afterUdp(): number {
    return this.#udpAt + UDP_LENGTH;
  }

  #writeIp({ intHopLimit, path, isTrimmable }: RoceFrame, bytes: Uint8Array, length: Bytes): void {
    const { sourceMac, destinationMac, sourceAddress, destinationAddress } = this.#addressing;
    const dscp = isTrimmable === true ? TRIMMABLE_DSCP : (this.#addressing.dscp ?? 0);
    const carrier = this.#carrier;
    const { network } = carrier;
    const etherType = network.etherType;
    emitEthernet({ source: sourceMac, destination: destinationMac, etherType }, bytes);
    const ip = {
      dscp: intHopLimit === undefined ? dscp : (carrier.dscp ?? dscp),
      ecn: path === undefined ? 0 : ECN_ECT0,
      ttl: INITIAL_TTL,
      protocol: PROTOCOL_UDP,
      source: sourceAddress,
      destination: destinationAddress,
    };
    network.emit(ip, bytes, ETHERNET_LENGTH);
    const datagram = length - this.#udpAt;
    const varying = { length: datagram, identification: this.#output.nextIdentification() };
    network.stamp(bytes, ETHERNET_LENGTH, varying, network.sumOf(bytes, ETHERNET_LENGTH));
    const sourcePort = path?.sourcePort ?? this.#addressing.sourcePort;
    // The ICRC protects what a UDP checksum would, over IPv6 too (annex A17).
    const udp = { sourcePort, destinationPort: ROCE_PORT, length: datagram, checksum: 0 };
    emitUdpHeader(udp, bytes, this.#udpAt);
    if (intHopLimit === undefined) return;
    const request = { hops: intHopLimit, dscp, dsFlags: path?.dsFlags ?? 0, question: 0 };
    carrier.datagramHeaders?.emit(request, bytes, this.#afterUdp);
  }
}

const NO_PAYLOAD = { length: 0, stored: undefined } as const;

/** Bytes that fill what is not made of whole words up to them. */
export const padOf = (length: Bytes): number => (0 - length) & 3;
