import { checksumWords } from '../../../common/wire/ip/checksum';
import { readUint16, writeUint16 } from '../../../common/wire/bytes';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../../common/wire/ip/ethernet';
import {
  HPCC_TRANSPORT_LENGTH,
  HPCC_TRANSPORT_PORT,
} from '../../../common/wire/hpcc/hpcc-transport';
import {
  emitPathShim,
  PATH_SHIM_LENGTH,
  PATH_SHIM_PORT,
} from '../../../common/wire/hpcc/path-shim';
import {
  emitIntMdSource,
  HP_DOMAIN,
  HP_WIDE_DOMAIN,
  INT_DSCP,
  INT_FIXED_LENGTH,
} from '../../../common/wire/int/int-md';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../../../common/wire/ip/udp';
import { CCM_TAG_LENGTH, indicatorsOfDsFlags } from '../../../common/wire/coordination/ccm-tag';
import { withTag } from '../../../common/wire/coordination/tagged-frame';

const IPV4_AT = ETHERNET_LENGTH;
const UDP_AT = IPV4_AT + IPV4_LENGTH;
const AFTER_UDP = UDP_AT + UDP_LENGTH;

/** Places within a header. */
export const IPV4_CHECKSUM = 10;
export const UDP_CHECKSUM = 6;

/** Where a frame goes, and what it asks on its way. */
export interface CommonAddressing {
  readonly sourceMac: number;
  readonly destinationMac: number;
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  /** Makes the frame an INT source's, with room for that many hops; undefined: no INT. */
  readonly intHopLimit: number | undefined;
  /** Asks switches for the wide block, which has the time in the queue. Default false. */
  readonly asksSojourn?: boolean;
  /** Class of the flow: DSCP, which stands in the shim where INT has taken its place. Default 0. */
  readonly dscp?: number;
  /** Asks switches to answer at once when the frame leaves a long queue behind it. */
  readonly asksSwitches?: boolean;
  /** Lets switches mark the frame by ECN. Default false, and true for frames with a tag. */
  readonly asksMarks?: boolean;
  /** Puts a shim for a digest or a time before the transport header; not with INT. */
  readonly shim?: { readonly digest: boolean; readonly time: boolean };
  /**
   * The tag of coordinated congestion management, as in DS flags. Frames without INT carry it behind the
   * MAC addresses, so that switches route all packets of a flow alike. Such frames can be marked by ECN.
   */
  readonly coordinationTag?: number;
}

/** Headers up to the transport's, whose place is empty, as are source port, lengths and checksums. */
export interface PreparedHeaders {
  readonly bytes: Uint8Array;
  /** Where the IPv4 header begins. */
  readonly ipv4At: number;
  readonly transportAt: number;
  /** Where the shim lies whose time is to be written per frame; undefined without. */
  readonly stampAt: number | undefined;
  /** Sums of the words above that the IPv4 and the UDP checksum cover. */
  readonly ipv4Sum: number;
  readonly udpSum: number;
}

/**
 * Headers that the flows of a host have in common.
 *
 * PERF: with one copy for all flows to a destination, those of 10,000 flows take no room in the
 * processor's caches. When there are too many destinations all is forgotten and begins anew; flows
 * keep what they have.
 */
export class SharedHeaders {
  readonly #known = new Map<string, PreparedHeaders>();

  /** Prepares the headers unless they are known. */
  find(addressing: CommonAddressing): PreparedHeaders {
    const key = JSON.stringify(addressing);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size === KNOWN_MAX) this.#known.clear();
    const headers = prepareHeaders(addressing);
    this.#known.set(key, headers);
    return headers;
  }
}

const KNOWN_MAX = 1024;

export function prepareHeaders(addressing: CommonAddressing): PreparedHeaders {
  const { coordinationTag, intHopLimit } = addressing;
  const plain = preparePlainHeaders(addressing);
  if (coordinationTag === undefined || intHopLimit !== undefined) return plain;
  const { bytes } = withTag(
    { bytes: plain.bytes, length: plain.bytes.length },
    indicatorsOfDsFlags(coordinationTag),
  );
  return {
    ...plain,
    bytes,
    ipv4At: plain.ipv4At + CCM_TAG_LENGTH,
    transportAt: plain.transportAt + CCM_TAG_LENGTH,
    stampAt: plain.stampAt === undefined ? undefined : plain.stampAt + CCM_TAG_LENGTH,
  };
}

function preparePlainHeaders(addressing: CommonAddressing): PreparedHeaders {
  const { intHopLimit, shim } = addressing;
  const shimLength = shim === undefined ? 0 : PATH_SHIM_LENGTH;
  const transportAt = transportOffset(intHopLimit !== undefined) + shimLength;
  const bytes = new Uint8Array(transportAt + HPCC_TRANSPORT_LENGTH);
  writeConstantHeaders(addressing, bytes);
  const ipv4Sum =
    checksumWords(bytes, IPV4_AT, UDP_AT) - readUint16(bytes, IPV4_AT + IPV4_CHECKSUM);
  // The pseudo-header repeats the addresses, the protocol and the UDP length.
  const addresses = checksumWords(bytes, IPV4_AT + 12, UDP_AT);
  const fromUdp = checksumWords(bytes, UDP_AT, transportAt);
  const udpSum = addresses + PROTOCOL_UDP + fromUdp - readUint16(bytes, UDP_AT + UDP_CHECKSUM);
  const stampAt = shim?.time === true ? transportAt - PATH_SHIM_LENGTH : undefined;
  return { bytes, ipv4At: IPV4_AT, transportAt, stampAt, ipv4Sum, udpSum };
}

export function transportOffset(withInt: boolean): number {
  return AFTER_UDP + (withInt ? INT_FIXED_LENGTH : 0);
}

/** Writes all headers before the transport; source port, lengths and identification stay 0. */
function writeConstantHeaders(addressing: CommonAddressing, bytes: Uint8Array): void {
  const { sourceMac, destinationMac, sourceAddress, destinationAddress } = addressing;
  emitEthernet(
    { source: sourceMac, destination: destinationMac, etherType: ETHERTYPE_IPV4 },
    bytes,
  );
  const { intHopLimit, dscp: originalDscp = 0 } = addressing;
  const ipv4 = {
    dscp: intHopLimit === undefined ? originalDscp : INT_DSCP,
    ecn: addressing.asksMarks === true || addressing.coordinationTag !== undefined ? ECN_ECT0 : 0,
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
  const { shim } = addressing;
  if (shim !== undefined) {
    const [digest, sentAtNs] = [shim.digest ? 0 : undefined, shim.time ? 0 : undefined];
    emitPathShim({ digest, sentAtNs }, bytes, AFTER_UDP);
  }
  const udp = {
    sourcePort: 0,
    destinationPort: shim === undefined ? HPCC_TRANSPORT_PORT : PATH_SHIM_PORT,
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
