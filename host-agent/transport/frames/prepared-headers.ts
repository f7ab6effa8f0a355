import type { Bytes } from '../../../common/units/units';
import { checksumWords } from '../../../common/wire/ip/checksum';
import { emitEthernet, ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import {
  HPCC_TRANSPORT_LENGTH,
  HPCC_TRANSPORT_PORT,
} from '../../../common/wire/hpcc/hpcc-transport';
import { SUBSCRIPTION_DS_FLAG } from '../../../common/wire/hpcc/subscription';
import {
  emitPathShim,
  PATH_SHIM_LENGTH,
  PATH_SHIM_PORT,
} from '../../../common/wire/hpcc/path-shim';
import { PROTOCOL_UDP } from '../../../common/wire/ip/ipv4';
import { emitUdpHeader, UDP_LENGTH } from '../../../common/wire/ip/udp';
import { CCM_TAG_LENGTH, indicatorsOfDsFlags } from '../../../common/wire/coordination/ccm-tag';
import { withTag } from '../../../common/wire/coordination/tagged-frame';
import type { Carrier, CarrierHeaders } from '../../carrier/carrier';
import { INT_CARRIER } from '../../carrier/int-carrier';
import type { NetworkLayer } from '../../carrier/network-layer';

/** Addresses of a frame, and its requests to switches. */
export interface CommonAddressing {
  readonly sourceMac: number;
  readonly destinationMac: number;
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  /** Makes the frame ask the switches, with room for that many hops; undefined: it does not. */
  readonly intHopLimit: number | undefined;
  /** Number of the carrier's question. Default: the first. */
  readonly question?: number;
  /** Class of the flow: DSCP, which stands in the shim where INT has taken its place. Default 0. */
  readonly dscp?: number;
  /** Asks switches to answer at once when the frame leaves a long queue behind it. */
  readonly asksSwitches?: boolean;
  /** Lets switches mark the frame by ECN. Default false, and true for frames with a tag. */
  readonly asksMarks?: boolean;
  /** Puts a shim for a digest, and a time or a demand, before the transport header; not with INT. */
  readonly shim?: {
    readonly digest: boolean;
    readonly time: boolean;
    readonly demand?: boolean;
  };
  /**
   * The tag of coordinated congestion management, as in DS flags. Frames without INT carry it behind the
   * MAC addresses, so that switches route all packets of a flow alike. Such frames can be marked by ECN.
   */
  readonly coordinationTag?: number;
}

/** Headers up to the transport's, whose place is empty, as are source port, lengths and checksums. */
export interface PreparedHeaders {
  readonly bytes: Uint8Array;
  readonly network: NetworkLayer;
  /** Offsets of the headers of IP and UDP, and of the transport header. */
  readonly ipAt: number;
  readonly udpAt: number;
  readonly transportAt: number;
  /** Bytes behind the UDP header that its length and checksum leave out. */
  readonly gap: Bytes;
  /** Offset of the shim whose time is to be written per frame; undefined without. */
  readonly stampAt: number | undefined;
  /** Sums of the words above that the checksums of IP and UDP cover. */
  readonly ipSum: number;
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
  readonly #carrier: Carrier;

  constructor(carrier: Carrier = INT_CARRIER) {
    this.#carrier = carrier;
  }

  /** Prepares the headers unless they are known. */
  find(addressing: CommonAddressing): PreparedHeaders {
    const key = JSON.stringify(addressing);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size === KNOWN_MAX) this.#known.clear();
    const headers = prepareHeaders(addressing, this.#carrier);
    this.#known.set(key, headers);
    return headers;
  }
}

const KNOWN_MAX = 1024;

/** @param carrier what asks the switches, in frames that do. Default: INT. */
export function prepareHeaders(
  addressing: CommonAddressing,
  carrier: Carrier = INT_CARRIER,
): PreparedHeaders {
  const { coordinationTag, intHopLimit } = addressing;
  const plain = preparePlainHeaders(addressing, carrier);
  if (coordinationTag === undefined || intHopLimit !== undefined) return plain;
  const { bytes } = withTag(
    { bytes: plain.bytes, length: plain.bytes.length },
    indicatorsOfDsFlags(coordinationTag),
  );
  return {
    ...plain,
    bytes,
    ipAt: plain.ipAt + CCM_TAG_LENGTH,
    udpAt: plain.udpAt + CCM_TAG_LENGTH,
    transportAt: plain.transportAt + CCM_TAG_LENGTH,
    stampAt: plain.stampAt === undefined ? undefined : plain.stampAt + CCM_TAG_LENGTH,
  };
}

/** Places of the headers of a frame, as it leaves the host. */
interface Places {
  readonly link: CarrierHeaders | undefined;
  readonly network: CarrierHeaders | undefined;
  readonly datagram: CarrierHeaders | undefined;
  readonly ipAt: number;
  readonly networkAt: number;
  readonly udpAt: number;
  readonly datagramAt: number;
  readonly transportAt: number;
}

function placesOf({ intHopLimit, shim }: CommonAddressing, carrier: Carrier): Places {
  const asks = intHopLimit !== undefined;
  const link = asks ? carrier.linkHeaders : undefined;
  const network = asks ? carrier.networkHeaders : undefined;
  const datagram = asks ? carrier.datagramHeaders : undefined;
  const ipAt = ETHERNET_LENGTH + (link?.length ?? 0);
  const networkAt = ipAt + carrier.network.headerLength;
  const udpAt = networkAt + (network?.length ?? 0);
  const datagramAt = udpAt + UDP_LENGTH;
  const shimLength = shim === undefined ? 0 : PATH_SHIM_LENGTH;
  const transportAt = datagramAt + (datagram?.length ?? 0) + shimLength;
  return { link, network, datagram, ipAt, networkAt, udpAt, datagramAt, transportAt };
}

function preparePlainHeaders(addressing: CommonAddressing, carrier: Carrier): PreparedHeaders {
  const places = placesOf(addressing, carrier);
  const { ipAt, udpAt, datagramAt, transportAt } = places;
  const bytes = new Uint8Array(transportAt + HPCC_TRANSPORT_LENGTH);
  writeConstantHeaders(addressing, carrier, { places, bytes });
  const gap =
    places.datagram !== undefined && carrier.datagramHeaders?.isCounted === false
      ? places.datagram.length
      : 0;
  const { network } = carrier;
  const udpSum =
    pseudoHeaderSum(addressing, network) +
    checksumWords(bytes, udpAt, datagramAt) +
    (gap > 0 ? 0 : checksumWords(bytes, datagramAt, transportAt));
  const { shim } = addressing;
  const isStamped = shim?.time === true || shim?.demand === true;
  const stampAt = isStamped ? transportAt - PATH_SHIM_LENGTH : undefined;
  const ipSum = network.sumOf(bytes, ipAt);
  return { bytes, network, ipAt, udpAt, transportAt, gap, stampAt, ipSum, udpSum };
}

const upperAndLower = (word: number): number => (word >>> 16) + (word & 0xffff);

/** All of it but the length. */
const pseudoHeaderSum = (
  { sourceAddress, destinationAddress }: CommonAddressing,
  { prefixSum }: NetworkLayer,
): number =>
  prefixSum + upperAndLower(sourceAddress) + upperAndLower(destinationAddress) + PROTOCOL_UDP;

/** Wire bytes of a data frame before its payload, as it leaves the host, when it asks the switches. */
export const dataHeaderLength = (carrier: Carrier): Bytes =>
  ETHERNET_LENGTH +
  carrier.network.headerLength +
  UDP_LENGTH +
  carrier.headerLength +
  HPCC_TRANSPORT_LENGTH;

/** Writes all headers before the transport; source port, lengths and identification stay 0. */
function writeConstantHeaders(
  addressing: CommonAddressing,
  carrier: Carrier,
  { places, bytes }: { readonly places: Places; readonly bytes: Uint8Array },
): void {
  const { sourceMac, destinationMac, sourceAddress, destinationAddress, shim } = addressing;
  const { intHopLimit, dscp = 0 } = addressing;
  const { link, network, datagram, ipAt, networkAt, udpAt, datagramAt } = places;
  const { network: layer } = carrier;
  emitEthernet(
    { source: sourceMac, destination: destinationMac, etherType: layer.etherType },
    bytes,
  );
  const ip = {
    dscp: intHopLimit === undefined ? dscp : (carrier.dscp ?? dscp),
    ecn: addressing.asksMarks === true || addressing.coordinationTag !== undefined ? ECN_ECT0 : 0,
    ttl: INITIAL_TTL,
    protocol: network === undefined ? PROTOCOL_UDP : (carrier.networkHeaders?.protocol ?? 0),
    source: sourceAddress,
    destination: destinationAddress,
  };
  layer.emit(ip, bytes, ipAt);
  const destinationPort = shim === undefined ? HPCC_TRANSPORT_PORT : PATH_SHIM_PORT;
  emitUdpHeader({ sourcePort: 0, destinationPort, length: 0, checksum: 0 }, bytes, udpAt);
  if (shim !== undefined) {
    const [digest, sentAtNs] = [shim.digest ? 0 : undefined, shim.time ? 0 : undefined];
    const creditTarget = shim.demand === true ? 0 : undefined;
    emitPathShim({ digest, sentAtNs, creditTarget }, bytes, datagramAt);
  }
  if (intHopLimit === undefined) return;
  const subscription = addressing.asksSwitches === true ? SUBSCRIPTION_DS_FLAG : 0;
  const dsFlags = subscription | (addressing.coordinationTag ?? 0);
  const request = { hops: intHopLimit, dscp, dsFlags, question: addressing.question ?? 0 };
  link?.emit(request, bytes, ETHERNET_LENGTH);
  network?.emit(request, bytes, networkAt);
  datagram?.emit(request, bytes, datagramAt);
}

const INITIAL_TTL = 64;
/** RFC 3168: the transport reacts to marks. */
const ECN_ECT0 = 2;
