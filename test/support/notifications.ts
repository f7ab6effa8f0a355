import type { Packet } from '../../common/packet/packet';
import type { CcmKey, CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { ccmMac, CCM_PORT } from '../../common/wire/coordination/ccm-notification';
import { ccmNotificationLength } from '../../common/wire/coordination/ccm-notification';
import { emitCcmNotification } from '../../common/wire/coordination/ccm-notification';
import { CCM_SOURCE_HOST } from '../../common/wire/coordination/ccm-tag';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { ipv4Bytes, emitIpv4, IPV4_LENGTH, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { MAC_LENGTH } from '../../common/wire/security/message-mac';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
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
}

/** A frame from switch 7 to host 1 unless told, signed. */
export function notificationFrame(given: GivenNotification): Packet {
  const { number, key = SIPHASH_KEY, to = 1, ...fields } = given;
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
    source: ipv4Bytes(addressOf(1)),
    destination: ipv4Bytes(addressOf(2)),
    mac: new Uint8Array(MAC_LENGTH),
    ...fields,
  };
  const payload = new Uint8Array(ccmNotificationLength(message));
  emitCcmNotification(message, payload, 0);
  const covered = payload.subarray(0, payload.length - MAC_LENGTH);
  const outer = {
    source: ipv4Bytes(SWITCH_ADDRESS),
    destination: ipv4Bytes(addressOf(to)),
    hmac: hmacSha256,
  };
  payload.set(ccmMac(key, outer, covered), covered.length);
  return frameAround(payload, to);
}

/** The UDP payload, in a frame from switch 7 to a host. */
export function frameAround(payload: Uint8Array, to = 1): Packet {
  const udpAt = ETHERNET_LENGTH + IPV4_LENGTH;
  const bytes = new Uint8Array(udpAt + UDP_LENGTH + payload.length);
  bytes.set(payload, udpAt + UDP_LENGTH);
  const addresses = { source: SWITCH_ADDRESS, destination: addressOf(to) };
  emitEthernet({ source: macOf(7), destination: macOf(to), etherType: ETHERTYPE_IPV4 }, bytes);
  const ipv4 = {
    dscp: 48,
    ecn: 0,
    totalLength: bytes.length - ETHERNET_LENGTH,
    identification: 0,
    ttl: 64,
    protocol: PROTOCOL_UDP,
    ...addresses,
  };
  emitIpv4(ipv4, bytes, ETHERNET_LENGTH);
  const udp = {
    sourcePort: CCM_PORT,
    destinationPort: CCM_PORT,
    length: UDP_LENGTH + payload.length,
  };
  emitUdp(udp, bytes, { ...addresses, offset: udpAt, end: bytes.length });
  return { bytes, length: bytes.length };
}

/** Where the notification begins in such a frame. */
export const NOTIFICATION_AT = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;
