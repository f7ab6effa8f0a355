import { ReplayWindow } from '../../common/wire/security/replay-window';
import type { Word64 } from '../../common/wire/bytes';

/** Senders and keys that are remembered; one beyond them is refused, since it could replay. */
const SENDERS_MAX = 65_536;

/** Numbers of the messages that have come from switches: each switch numbers its own, anew under each key. */
export class SenderWindows {
  readonly #windows = new Map<number, ReplayWindow>();

  /** Accepts a message if it is new; no other one of that number is accepted afterwards. */
  accept(node: number, keyId: number, sequence: Word64): boolean {
    // Below 2^40: 32 bits of node and 8 of key.
    const place = node * 0x100 + keyId;
    const window = this.#windows.get(place) ?? this.#remember(place);
    return window?.accept(sequence) === 'accepted';
  }

  #remember(place: number): ReplayWindow | undefined {
    if (this.#windows.size === SENDERS_MAX) return undefined;
    const fresh = new ReplayWindow();
    this.#windows.set(place, fresh);
    return fresh;
  }
}
