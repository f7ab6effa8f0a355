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
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, parseEthernet } from '../../common/wire/ip/ethernet';
import { WireFault } from '../../common/wire/fault';
import { ipv4Bytes, parseIpv4, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { parseUdp, UDP_LENGTH } from '../../common/wire/ip/udp';

interface NotificationFrame {
  readonly notification: CcmNotification;
  /** UDP payload, code included. */
  readonly message: Uint8Array;
  /** Source address in the outer IPv4 header. */
  readonly source: number;
}

/**
 * The notification in a frame for `address`; undefined if the frame is something else. Checks all
 * lengths and checksums.
 */
export function readNotificationFrame(
  { bytes, length }: Packet,
  address: number,
): NotificationFrame | WireFault | undefined {
  const ethernet = parseEthernet(bytes);
  if (ethernet instanceof WireFault) return ethernet;
  if (ethernet.etherType !== ETHERTYPE_IPV4) return undefined;
  const ipv4 = parseIpv4(bytes, ETHERNET_LENGTH, length);
  if (ipv4 instanceof WireFault) return ipv4;
  if (ipv4.protocol !== PROTOCOL_UDP || ipv4.destination !== address) return undefined;
  const offset = ETHERNET_LENGTH + ipv4.headerLength;
  const end = ETHERNET_LENGTH + ipv4.totalLength;
  const context = { source: ipv4.source, destination: ipv4.destination, offset, end };
  const udp = parseUdp(bytes, context);
  if (udp instanceof WireFault) return udp;
  if (udp.destinationPort !== CCM_PORT) return undefined;
  const at = offset + UDP_LENGTH;
  const messageEnd = Math.min(offset + udp.length, bytes.length);
  const notification = parseCcmNotification(bytes, at, messageEnd);
  if (notification instanceof WireFault) return notification;
  // Bytes behind the message, if any, are covered by no code.
  const message = bytes.subarray(at, at + ccmNotificationLength(notification));
  return { notification, message, source: ipv4.source };
}

/** Source and destination of a notification, as unsigned 32-bit IPv4 addresses. */
interface NotificationPath {
  readonly source: number;
  readonly destination: number;
}

/** Reason why a notification was refused. */
type NotificationRejection = 'unauthenticated' | 'replayed';

/** Lets each genuine notification through once. */
export class NotificationGuard {
  readonly #keys: SwitchKeys;
  readonly #windows = new SenderWindows();

  constructor(keys: SwitchKeys) {
    this.#keys = keys;
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
    const outer = { source: ipv4Bytes(source), destination: ipv4Bytes(destination) };
    const covered = message.subarray(0, message.length - MAC_LENGTH);
    const code = ccmMac(key, { ...outer, hmac: this.#keys.hmac }, covered);
    return macsAreEqual(code, mac);
  }
}
