import type { Instant } from '../../common/units/units';
import { Journey } from './journey';
import type { Piece } from './piece';
import type { NicTransmissions } from './nic-transmissions';

/**
 * The begin of a flow that its receiver asks for (RoCEv2 READ): what the request waited for at that host,
 * what was lost of it, and its way, until its sender has it.
 */
export class ReadRequest {
  /** When the sender had the first request. */
  arrivedAt: Instant | undefined;
  /** Pieces that meet, from the start of the flow to then. */
  pieces: readonly Piece[] = [];
  readonly #nic: NicTransmissions;
  readonly #host: string;
  #firstSentAt: Instant | undefined;
  #waited: readonly Piece[] = [];

  /** @param nic packets that the interface of the receiver has sent since the flow began. */
  constructor(host: string, nic: NicTransmissions) {
    this.#host = host;
    this.#nic = nic;
  }

  /** A request leaves. @param startedAt begin of the flow. */
  sent(now: Instant, startedAt: Instant): Journey {
    if (this.#firstSentAt === undefined) {
      this.#firstSentAt = now;
      this.#waited = this.#nic.between(startedAt, now).map(({ flow, ...span }): Piece => {
        if (flow === undefined) return { cause: 'other', ...span };
        const others = new Map([[flow, span.to - span.from]]);
        return { cause: 'interface', ...span, at: this.#host, others };
      });
    }
    return new Journey('request', now);
  }

  /** One of them has arrived. */
  arrived({ sentAt, pieces }: Journey, now: Instant): void {
    if (this.arrivedAt !== undefined) return;
    this.arrivedAt = now;
    const first = this.#firstSentAt ?? sentAt;
    const lost: readonly Piece[] =
      sentAt > first ? [{ cause: 'retransmission', from: first, to: sentAt, at: this.#host }] : [];
    this.pieces = [...this.#waited, ...lost, ...pieces];
  }
}
