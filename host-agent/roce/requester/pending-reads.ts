import type { Duration, Instant } from '../../../common/units/units';
import { RetransmissionTimer } from '../../transport/recovery/retransmission-timer';
import type { Message } from '../queue-pair/message-log';

/** A READ whose request has left. */
interface PendingRead {
  readonly message: Message;
  /** PSN of the next response, without wrap-around. */
  next: number;
  /** Something has come back for it, so the request has arrived. */
  isUnderWay: boolean;
}

/** Place of a response: the next one, one that came before, or one behind a gap. */
export type ReadVerdict =
  | { readonly kind: 'next'; readonly message: Message; readonly index: number }
  | { readonly kind: 'again' }
  | { readonly kind: 'beyond'; readonly asksAgain: boolean }
  | { readonly kind: 'unrequested' };

/** The rest of a READ that shall be asked for again. */
export interface ReadRest {
  readonly message: Message;
  /** Packets that have arrived already. */
  readonly done: number;
}

/**
 * READ operations that wait for responses, in the order of their PSNs. The initiator notices what is
 * missing, by a gap or by time, and asks for the rest; the target only does what it is asked.
 */
export class PendingReads {
  readonly #timer: RetransmissionTimer;
  #reads: PendingRead[] = [];
  /** PSN of the last response beyond the present gap. */
  #lastBeyond: number | undefined = undefined;

  constructor(timeout: Duration) {
    this.#timer = new RetransmissionTimer(timeout);
  }

  get count(): number {
    return this.#reads.length;
  }

  /** Time at which the rest of a READ may have to be asked for again, or Infinity. */
  get deadline(): Instant {
    return this.#timer.deadline;
  }

  handleStandstill(duration: Duration): void {
    this.#timer.handleStandstill(duration);
  }

  /** The PSN that the next response has, or undefined if none is awaited. */
  get expectedPsn(): number | undefined {
    return this.#reads[0]?.next;
  }

  /** The READ that the next response belongs to. */
  get first(): Message | undefined {
    return this.#reads[0]?.message;
  }

  isPending(message: Message): boolean {
    return this.#reads.some((read) => read.message === message);
  }

  /** The request has left, perhaps again. */
  onSent(message: Message): void {
    if (this.isPending(message)) return;
    this.#reads.push({ message, next: message.psn, isUnderWay: false });
  }

  /** Judges a response and counts it if it is the next one. */
  accept(now: Instant, psn: number): ReadVerdict {
    const read = this.#reads[0];
    if (read === undefined) return { kind: 'unrequested' };
    if (psn < read.next) return { kind: 'again' };
    if (psn > read.next) {
      read.isUnderWay = true;
      const last = this.#lastBeyond;
      this.#lastBeyond = psn;
      // As a receiver of data: at or before its predecessor, the target has gone back already.
      return { kind: 'beyond', asksAgain: last === undefined || psn <= last };
    }
    this.#lastBeyond = undefined;
    const { message } = read;
    const index = read.next - message.psn;
    read.next++;
    read.isUnderWay = true;
    if (read.next === message.psn + message.packets) this.#reads.shift();
    this.#timer.onProgress(now, this.#reads[0]?.isUnderWay === true);
    return { kind: 'next', message, index };
  }

  /**
   * The target has acknowledged everything up to `psn`. Returns whether responses must have been lost:
   * they leave before the acknowledgement of anything that follows them.
   */
  onAcknowledged(now: Instant, psn: number): boolean {
    let isLost = false;
    for (const read of this.#reads) {
      const { message } = read;
      if (message.psn > psn) break;
      if (!read.isUnderWay) this.#timer.onSend(now);
      read.isUnderWay = true;
      if (message.psn + message.packets <= psn) isLost = true;
    }
    if (!isLost || this.#lastBeyond !== undefined) return false;
    this.#lastBeyond = psn;
    return true;
  }

  /** Returns the rest of the oldest READ, to be requested again; the timer starts anew. */
  takeRest(now: Instant): ReadRest | undefined {
    const read = this.#reads[0];
    if (read?.isUnderWay !== true) return undefined;
    this.#timer.onSend(now);
    return { message: read.message, done: read.next - read.message.psn };
  }

  hasTimedOut(now: Instant): boolean {
    return this.#timer.hasFired(now);
  }
}
