import type { Packet } from '../../common/packet/packet';
import type { CcmKey, CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { ccmMac, CCM_PORT } from '../../common/wire/coordination/ccm-notification';
import { ccmNotificationLength } from '../../common/wire/coordination/ccm-notification';
import { emitCcmNotification } from '../../common/wire/coordination/ccm-notification';
import { CCM_SOURCE_HOST } from '../../common/wire/coordination/ccm-tag';
import { emitEthernet, ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { MAC_LENGTH } from '../../common/wire/security/message-mac';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import { IP_LAYERS } from '../../host-agent/carrier/network-layer';
import type { IpVersion } from '../../host-agent/carrier/network-layer';
import { SwitchKeys } from '../../host-agent/feedback/switch-keys';
import { hmacSha256 } from '../../host-agent/io/keys/hmac';
import { addressOf, macOf } from './hosts';

export const SIPHASH_KEY: CcmKey = {
  algorithm: 'siphash-2-4-64',
  bytes: Uint8Array.from({ length: 16 }, (_, i) => i),
};

/** Key 1 of the network, as hosts have it. */
export const networkKeys = (): SwitchKeys => new SwitchKeys(hmacSha256).add(1, SIPHASH_KEY);

export const SWITCH_ADDRESS = 0x0aff_0007;

/** A notification as a test gives it: type, number, and whose flow. */
export interface GivenNotification extends Partial<CcmNotification> {
  readonly type: CcmNotification['type'];
  /** Low word of the sequence number. */
  readonly number: number;
  /** The flow is of host 1, to host 2, from this port. */
  readonly sourcePort: number;
  readonly key?: CcmKey;
  /** The host that it is sent to. Default: 1. */
  readonly to?: number;
  /** Version of IP of the flow and of the frame. Default: IPv4. */
  readonly version?: IpVersion;
}

/** A frame from switch 7 to host 1 unless told, signed. */
export function notificationFrame(given: GivenNotification): Packet {
  const { number, key = SIPHASH_KEY, to = 1, version = 'ipv4', ...fields } = given;
  const { addressBytes } = IP_LAYERS[version];
  const isReroute = fields.type === 'rerouting-required';
  const message: CcmNotification = {
    anyPort: false,
    keyId: 1,
    senderNode: 7,
    sequence: { high: 1, low: number },
    reroutingPoint: isReroute ? CCM_SOURCE_HOST : 0,
    protocol: PROTOCOL_UDP,
    trafficClass: 0,
    queueId: 0,
    severity: 0,
    destinationPort: 50002,
    destinationQp: 0,
    queueBytes: 100_000,
    time: 0,
    source: addressBytes(addressOf(1)),
    destination: addressBytes(addressOf(2)),
    mac: new Uint8Array(MAC_LENGTH),
    ...fields,
  };
  const payload = new Uint8Array(ccmNotificationLength(message));
  emitCcmNotification(message, payload, 0);
  const covered = payload.subarray(0, payload.length - MAC_LENGTH);
  const outer = {
    source: addressBytes(SWITCH_ADDRESS),
    destination: addressBytes(addressOf(to)),
    hmac: hmacSha256,
  };
  payload.set(ccmMac(key, outer, covered), covered.length);
  return frameAround(payload, to, version);
}

/** The UDP payload, in a frame from switch 7 to a host. */
export function frameAround(payload: Uint8Array, to = 1, version: IpVersion = 'ipv4'): Packet {
  const network = IP_LAYERS[version];
  const udpAt = ETHERNET_LENGTH + network.headerLength;
  const bytes = new Uint8Array(udpAt + UDP_LENGTH + payload.length);
  bytes.set(payload, udpAt + UDP_LENGTH);
  const addresses = { source: SWITCH_ADDRESS, destination: addressOf(to) };
  const { etherType } = network;
  emitEthernet({ source: macOf(7), destination: macOf(to), etherType }, bytes);
  const ip = { dscp: 48, ecn: 0, ttl: 64, protocol: PROTOCOL_UDP, ...addresses };
  network.emit(ip, bytes, ETHERNET_LENGTH);
  const varying = { length: bytes.length - udpAt, identification: 0 };
  network.stamp(bytes, ETHERNET_LENGTH, varying, network.sumOf(bytes, ETHERNET_LENGTH));
  const udp = {
    sourcePort: CCM_PORT,
    destinationPort: CCM_PORT,
    length: UDP_LENGTH + payload.length,
  };
  const { prefixSum } = network;
  emitUdp(udp, bytes, { ...addresses, offset: udpAt, end: bytes.length, prefixSum });
  return { bytes, length: bytes.length };
}

/** Where the notification begins in such a frame. */
export const NOTIFICATION_AT = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;

/** The same of either version. */
export const notificationAt = (version: IpVersion): number =>
  ETHERNET_LENGTH + IP_LAYERS[version].headerLength + UDP_LENGTH;
