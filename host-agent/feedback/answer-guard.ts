import type { AnswerAddresses } from '../../common/wire/hpcc/answer-code';
import { answerCode } from '../../common/wire/hpcc/answer-code';
import { readSwitchResponse } from '../../common/wire/hpcc/feedback-records';
import { WireFault } from '../../common/wire/fault';
import {
  AUTH_TRAILER_LENGTH,
  MAC_LENGTH,
  macsAreEqual,
  parseAuthTrailer,
} from '../../common/wire/security/message-mac';
import type { SwitchKeys } from './switch-keys';
import type { AuthRejection } from './feedback-auth';
import { SenderWindows } from './sender-windows';

/** Place of an answer in a frame that has been parsed. */
interface AnswerPlace {
  readonly bytes: Uint8Array;
  /** Offsets of the transport header, of the body, and of the end of the trailer. */
  readonly offset: number;
  readonly bodyAt: number;
  readonly end: number;
}

/**
 * Lets each genuine answer of a switch through once. A switch numbers its answers whoever gets them, so
 * that those of one host have gaps, and come late to each other by few.
 */
export class AnswerGuard {
  readonly #keys: SwitchKeys;
  readonly #windows = new SenderWindows();

  constructor(keys: SwitchKeys) {
    this.#keys = keys;
  }

  /** The answer has a trailer. Order: key, code, replay. */
  check(addresses: AnswerAddresses, place: AnswerPlace): AuthRejection | undefined {
    const { bytes, offset, bodyAt, end } = place;
    const trailer = parseAuthTrailer(bytes, end - AUTH_TRAILER_LENGTH, end);
    if (trailer instanceof WireFault) return 'unauthenticated';
    // The code covers the name of the switch, which says whose key has signed.
    const node = readSwitchResponse(bytes, bodyAt).hop.switchId;
    const key = this.#keys.key(trailer.keyId, node);
    if (key?.algorithm !== 'siphash-2-4-64') return 'unauthenticated';
    const code = answerCode(key.bytes, addresses, bytes.subarray(offset, end - MAC_LENGTH));
    if (!macsAreEqual(code, trailer.mac)) return 'unauthenticated';
    return this.#windows.accept(node, trailer.keyId, trailer.sequence) ? undefined : 'replayed';
  }
}
