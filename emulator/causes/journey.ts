import type { BitsPerSecond, Bytes, Instant } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';
import type { CausePart } from '../result/flow-causes';
import type { Piece } from './piece';

/** The way of one packet of a flow from host to host, in pieces that meet. */
export class Journey {
  readonly pieces: Piece[] = [];
  receivedAt: Instant | undefined = undefined;
  /** Data whose arrival made the receiver send this, and its way until this left. */
  trigger: { readonly data: Journey; readonly pieces: readonly Piece[] } | undefined = undefined;
  /** When its first bit left the last node. */
  #leftAt: Instant;
  #onLinkFor = 0;
  #link: string | undefined;

  constructor(
    readonly way: NonNullable<CausePart['way']>,
    readonly sentAt: Instant,
  ) {
    this.#leftAt = sentAt;
  }

  /** It leaves a node. */
  leave(
    start: Instant,
    link: { readonly bytes: Bytes; readonly rate: BitsPerSecond; name?: string },
  ): void {
    this.#leftAt = start;
    this.#onLinkFor = serialisationTime(link.bytes, link.rate);
    this.#link = link.name;
  }

  /** Its last bit arrives at the next node. */
  arrive(now: Instant): void {
    const end = Math.min(now, this.#leftAt + this.#onLinkFor);
    const place = { at: this.#link, way: this.way };
    if (end > this.#leftAt) {
      this.pieces.push({ cause: 'serialisation', from: this.#leftAt, to: end, ...place });
    }
    if (now > end) this.pieces.push({ cause: 'propagation', from: end, to: now, ...place });
  }

  /** It waited inside of a switch. */
  wait(pieces: readonly Piece[]): void {
    this.pieces.push(...pieces);
  }
}
