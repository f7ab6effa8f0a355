import { ccmMac } from '../../common/wire/coordination/ccm-notification';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { MAC_LENGTH, macsAreEqual } from '../../common/wire/security/message-mac';
import { SenderWindows } from '../feedback/sender-windows';
import type { SwitchKeys } from '../feedback/switch-keys';
import type { Packet } from '../../common/packet/packet';
import {
  CCM_PORT,
  ccmNotificationLength,
  parseCcmNotification,
} from '../../common/wire/coordination/ccm-notification';
import { ETHERNET_LENGTH, parseEthernet } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import { IPV4_LAYER } from '../carrier/network-layer';
import type { NetworkLayer } from '../carrier/network-layer';

interface NotificationFrame {
  readonly notification: CcmNotification;
  /** UDP payload, code included. */
  readonly message: Uint8Array;
  /** Source address in the outer IP header. */
  readonly source: number;
}

/**
 * The notification in a frame for `address`; undefined if the frame is something else. Checks all
 * lengths and checksums.
 */
export function readNotificationFrame(
  { bytes, length }: Packet,
  address: number,
  network: NetworkLayer = IPV4_LAYER,
): NotificationFrame | WireFault | undefined {
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return ethernet;
  if (ethernet.etherType !== network.etherType) return undefined;
  const ip = network.parse(bytes, ETHERNET_LENGTH, length);
  if (ip === undefined || ip instanceof WireFault) return ip;
  if (ip.protocol !== PROTOCOL_UDP || ip.destination !== address) return undefined;
  const { source, destination, payloadAt: offset, end } = ip;
  const prefixSum = network.prefixSum === 0 ? undefined : network.prefixSum;
  const udp = parseUdp(bytes, { source, destination, offset, end, prefixSum });
  if (udp instanceof WireFault) return udp;
  if (udp.destinationPort !== CCM_PORT) return undefined;
  const at = offset + UDP_LENGTH;
  const messageEnd = Math.min(offset + udp.length, bytes.length);
  const notification = parseCcmNotification(bytes, at, messageEnd);
  if (notification instanceof WireFault) return notification;
  // Bytes behind the message, if any, are covered by no code.
  const message = bytes.subarray(at, at + ccmNotificationLength(notification));
  return { notification, message, source };
}

/** Source and destination of a notification, as unsigned 32-bit addresses. */
interface NotificationPath {
  readonly source: number;
  readonly destination: number;
}

/** Reason why a notification was refused. */
type NotificationRejection = 'unauthenticated' | 'replayed';

/** Lets each genuine notification through once. */
export class NotificationGuard {
  readonly #keys: SwitchKeys;
  readonly #network: NetworkLayer;
  readonly #windows = new SenderWindows();

  constructor(keys: SwitchKeys, network: NetworkLayer = IPV4_LAYER) {
    this.#keys = keys;
    this.#network = network;
  }

  /** `message` are the bytes that `notification` was parsed from. Order: key, code, replay. */
  check(
    notification: CcmNotification,
    message: Uint8Array,
    path: NotificationPath,
  ): NotificationRejection | undefined {
    if (!this.#isGenuine(notification, message, path)) return 'unauthenticated';
    const { senderNode, keyId, sequence } = notification;
    return this.#windows.accept(senderNode, keyId, sequence) ? undefined : 'replayed';
  }

  #isGenuine(
    { keyId, senderNode, mac }: CcmNotification,
    message: Uint8Array,
    { source, destination }: NotificationPath,
  ): boolean {
    const key = this.#keys.key(keyId, senderNode);
    if (key === undefined) return false;
    const { addressBytes } = this.#network;
    const outer = { source: addressBytes(source), destination: addressBytes(destination) };
    const covered = message.subarray(0, message.length - MAC_LENGTH);
    const code = ccmMac(key, { ...outer, hmac: this.#keys.hmac }, covered);
    return macsAreEqual(code, mac);
  }
}
