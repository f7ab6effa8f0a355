import { writeUint32 } from '../../common/wire/bytes';
import { ccmMac } from '../../common/wire/coordination/ccm-notification';
import type { CcmNotification } from '../../common/wire/coordination/ccm-notification';
import { MAC_LENGTH, macsAreEqual } from '../../common/wire/security/message-mac';
import { ReplayWindow } from '../../common/wire/security/replay-window';
import type { NotificationKeys } from './notification-keys';

/** Between whom a notification travels, as unsigned 32-bit IPv4 addresses. */
export interface NotificationPath {
  readonly source: number;
  readonly destination: number;
}

/** Why a notification was refused. */
export type NotificationRejection = 'unauthenticated' | 'replayed';

/** Senders and keys that are remembered; one beyond them is refused, since it could replay. */
const SENDERS_MAX = 65_536;

/** Lets each genuine notification through once. */
export class NotificationGuard {
  readonly #keys: NotificationKeys;
  readonly #windows = new Map<number, ReplayWindow>();

  constructor(keys: NotificationKeys) {
    this.#keys = keys;
  }

  /** `message` are the bytes that `notification` was parsed from. Order: key, code, replay. */
  check(
    notification: CcmNotification,
    message: Uint8Array,
    path: NotificationPath,
  ): NotificationRejection | undefined {
    if (!this.#isGenuine(notification, message, path)) return 'unauthenticated';
    const window = this.#windowOf(notification);
    return window?.accept(notification.sequence) === 'accepted' ? undefined : 'replayed';
  }

  #isGenuine(
    { keyId, senderNode, mac }: CcmNotification,
    message: Uint8Array,
    { source, destination }: NotificationPath,
  ): boolean {
    const key = this.#keys.key(keyId, senderNode);
    if (key === undefined) return false;
    const outer = { source: addressBytes(source), destination: addressBytes(destination) };
    const covered = message.subarray(0, message.length - MAC_LENGTH);
    const code = ccmMac(key, { ...outer, hmac: this.#keys.hmac }, covered);
    return macsAreEqual(code, mac);
  }

  #windowOf({ senderNode, keyId }: CcmNotification): ReplayWindow | undefined {
    // Below 2^40: 32 bits of node and 8 of key.
    const key = senderNode * 0x100 + keyId;
    const known = this.#windows.get(key);
    if (known !== undefined || this.#windows.size === SENDERS_MAX) return known;
    const fresh = new ReplayWindow();
    this.#windows.set(key, fresh);
    return fresh;
  }
}

function addressBytes(address: number): Uint8Array {
  const bytes = new Uint8Array(4);
  writeUint32(bytes, 0, address);
  return bytes;
}
