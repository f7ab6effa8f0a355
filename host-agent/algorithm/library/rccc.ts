import type { BitsPerSecond, Bytes, Instant } from '../../../common/units/units';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import type { AckKind, Credit, FlowEnvironment, Loss } from '../congestion-control';
import { BaseAlgorithm } from './base-algorithm';
import type { Constants } from './constants';
import { withChanges } from './constants';

/** Constants of RCCC's senders (`uet-htsim`, `UecSrc::initRccc`). */
export const RCCC_CONSTANTS = {
  /** Most credit, and that which a flow begins with before its receiver is heard, in bandwidth-delay products. */
  windowBdps: 1.5,
};

/**
 * RCCC, the congestion control by receivers in Ultra Ethernet 1.0, at the sender: it sends what it has credit for,
 * and tells with each packet how much it wants (`computePullTarget`, `handlePull`, `stopSpeculating`). The receiver's
 * half is `CreditSchedule`, whose grants say what a flow has got so far.
 *
 * Credit is of payload, and nothing is paced. What a flow with several others at its link wants is not divided by
 * their number.
 */
export class Rccc extends BaseAlgorithm implements Credit {
  readonly #windowBdps: number;
  #credit: Bytes;
  /** Granted so far. */
  #granted: Bytes = 0;
  #wanted: Bytes = 0;
  /** Nothing was heard of the receiver yet, and what is sent is at the flow's own risk. */
  #isSpeculating = true;
  /** A timeout was told, and nothing since. */
  #hasTimedOut = false;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    super(environment);
    this.#windowBdps = withChanges('rccc', RCCC_CONSTANTS, changes).windowBdps;
    this.#credit = this.#largest;
  }

  get credit(): Credit {
    return this;
  }

  get bytes(): Bytes {
    return this.#credit;
  }

  get isOwed(): boolean {
    return this.#wanted > this.#granted;
  }

  spend(bytes: Bytes): void {
    this.#credit -= bytes;
  }

  /** A flow that goes on at its own risk wants a segment at least, however much is left. */
  target(backlog: Bytes): Bytes {
    const missing = Math.min(backlog, this.#largest) - this.#credit;
    const least = this.#isSpeculating && backlog > 0 ? this.segmentBytes : 0;
    const wanted = Math.ceil(this.#granted + Math.max(least, missing));
    this.#wanted = Math.max(this.#wanted, wanted);
    return this.#wanted;
  }

  /** For reports: credit is what counts. */
  get windowBytes(): Bytes {
    return Math.max(1, this.#credit);
  }

  get pacingRate(): BitsPerSecond {
    return this.linkRate;
  }

  /** A grant says how much there was in all, so that one that is lost does no harm. */
  onWindow(_now: Instant, { windowBytes }: WindowRecord): boolean {
    if (windowBytes <= this.#granted) return false;
    this.#stopSpeculating();
    this.#credit = Math.min(this.#credit + windowBytes - this.#granted, this.#largest);
    this.#granted = windowBytes;
    return true;
  }

  /** After a timeout one segment leaves without credit, in place of a request to send (`sendRTS`). */
  onLoss({ kind }: Loss): void {
    this.#stopSpeculating();
    if (kind !== 'timeout') return;
    this.#credit = Math.max(this.#credit, 1);
    this.#hasTimedOut = true;
  }

  /** A flow that had nothing to send begins anew; not one whose packets were lost. */
  override onIdleRestart(): void {
    if (this.#hasTimedOut) return;
    this.#credit = this.#largest;
    this.#isSpeculating = true;
  }

  protected learn(): AckKind {
    const wasSpeculating = this.#isSpeculating;
    this.#stopSpeculating();
    return wasSpeculating ? 'update' : 'noted';
  }

  #stopSpeculating(): void {
    this.#hasTimedOut = false;
    if (this.#isSpeculating) this.#credit = Math.min(this.#credit, 0);
    this.#isSpeculating = false;
  }

  get #largest(): Bytes {
    return this.#windowBdps * this.bdpBytes;
  }
}
