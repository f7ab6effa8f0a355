import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { LimitName, Limits } from '../limits/limits';

type Response = p4.StreamMessageResponse;

/** The sending side of a controller's stream. */
export interface OutboxChannel {
  /** False when the receiver should be left alone until {@link onDrain}. */
  write(response: Response): unknown;
  on(event: 'drain', listener: () => void): unknown;
}

/** Weight of a message: the limit that bounds messages of its kind, and its amount towards it. */
interface Weight {
  readonly limit: LimitName;
  readonly amount: number;
}

/**
 * Bounded queue of messages to one controller, in order. A controller that does not read loses
 * packet-ins and digests, which are counted; too many messages of other kinds, which must not be
 * lost, end its stream.
 */
export class Outbox {
  #waiting: { readonly response: Response; readonly weight: Weight }[] = [];
  readonly #amounts = new Map<LimitName, number>();
  #isBlocked = false;

  constructor(
    private readonly channel: OutboxChannel,
    private readonly limits: Limits,
  ) {
    channel.on('drain', () => this.#drain());
  }

  get hasRoomForPacketIn(): boolean {
    const limit = 'packet-in-queue';
    return !this.#isBlocked || (this.#amounts.get(limit) ?? 0) < this.limits.of(limit);
  }

  /** False when there is no room for a message that must not be lost. */
  send(response: Response): boolean {
    if (!this.#isBlocked) {
      this.#isBlocked = this.channel.write(response) === false;
      return true;
    }
    const weight = weightOf(response);
    const amount = (this.#amounts.get(weight.limit) ?? 0) + weight.amount;
    if (amount > this.limits.of(weight.limit)) {
      this.limits.met(weight.limit, weight.amount);
      return weight.limit !== 'notice-queue';
    }
    this.#amounts.set(weight.limit, amount);
    this.#waiting.push({ response, weight });
    return true;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = [];
    this.#amounts.clear();
  }

  #drain(): void {
    this.#isBlocked = false;
    let sent = 0;
    for (const { response, weight } of this.#waiting) {
      if (this.#isBlocked) break;
      sent += 1;
      this.#amounts.set(weight.limit, (this.#amounts.get(weight.limit) ?? 0) - weight.amount);
      this.#isBlocked = this.channel.write(response) === false;
    }
    this.#waiting = this.#waiting.slice(sent);
  }
}

function weightOf(response: Response): Weight {
  if (response.hasPacket) return { limit: 'packet-in-queue', amount: 1 };
  if (response.hasDigest) return { limit: 'digest-queue', amount: response.digest.data.length };
  return { limit: 'notice-queue', amount: 1 };
}
