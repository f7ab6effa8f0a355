/**
 * Sender-based HPCC++ in the notation of draft-miao-tsv-hpcc-01 (October 2022), section "HPCC++
 * Algorithm", listing lines 1 to 27. The listing has no section numbers of its own; tags below
 * quote its lines.
 *
 *   here            draft          meaning                                            unit
 *   W, Wc           W, W^c         window and reference window (the control variable)  bytes [1]
 *   U, u, uHop      U, u, u'       normalised in-flight bytes: filtered, path, link   ratio
 *   eta             eta            target link utilisation                            ratio
 *   Wai             W_ai           additive increase                                  bytes [1]
 *   maxStage        maxStage       additive rounds before a multiplicative one        count
 *   incStage        incStage       additive rounds so far                             count
 *   T, tau          T, tau         base RTT, sampling interval of the fullest link    ns
 *   B, txRate       B, txRate      capacity and output rate of a link                 bits/s
 *   L, ack.L        L, ack.L       records of the links: last and acknowledged        list
 *   sndNxt          snd_nxt        next byte to send                                  sequence
 *   lastUpdateSeq   lastUpdateSeq  first byte sent after the last change of Wc        sequence
 *
 * [1] The window form counts payload bytes. The reference simulator keeps a rate instead, which
 *     is the same listing with W, Wc and Wai in bits/s and truncated quotients; its recorded runs
 *     are replayed through this file, so that the replay tests the code that the product uses.
 *     Queue lengths and txBytes are wire bytes in both forms.
 *
 * Arithmetic is + - * / and comparisons on doubles, in an order that reproduces the reference runs
 * bit for bit; do not regroup it.
 */
import { assert } from '../../common/assert';
import type { HopRecord } from '../../common/telemetry/hop';
import { wrappedDifference } from '../../common/telemetry/hop';
import type {
  Acknowledgement,
  AckKind,
  CongestionEventSink,
  TelemetryRejection,
} from './congestion-control';
import { interval, LastTelemetry } from './last-telemetry';

/** What the algorithm steers: a window in payload bytes or a rate in bits/s. */
export interface ControlVariable {
  /** Value at the start and upper bound. */
  readonly max: number;
  /** Lower bound, above 0. */
  readonly min: number;
  /** Wai. Fractions add up: nothing rounds them away. */
  readonly step: number;
  /** Whether quotients are truncated to integers, as the reference simulator does. */
  readonly truncate: boolean;
}

/** Checked by the callers in window-form.ts and rate-form.ts. */
export interface HpccppParameters {
  readonly control: ControlVariable;
  readonly T: number;
  /** Rate of the sender's own link in bits/s. */
  readonly nicRate: number;
  /** nicRate * T in bytes. */
  readonly Winit: number;
  readonly eta: number;
  readonly maxStage: number;
  readonly maxHops: number;
  readonly sink: CongestionEventSink | undefined;
}

/**
 * U before the first measurement, which the draft leaves open. 1 means "the path is full": the
 * reference simulator's choice, and the careful one, because the first filtered values then err
 * towards a smaller window.
 */
export const INITIAL_U = 1;

export class Hpccpp {
  readonly #p: HpccppParameters;
  readonly #L: LastTelemetry;
  #U = INITIAL_U;
  #W: number;
  #Wc: number;
  #incStage = 0;
  /** Distinct from 0, which is a sequence number like any other. */
  #lastUpdateSeq: number | undefined = undefined;
  #processed = 0;
  #commits = 0;
  #rejected = 0;
  #stale = 0;
  #pathChanges = 0;

  constructor(parameters: HpccppParameters) {
    this.#p = parameters;
    this.#L = new LastTelemetry(parameters.maxHops);
    this.#W = parameters.control.max;
    this.#Wc = parameters.control.max;
  }

  get W(): number {
    return this.#W;
  }

  get Wc(): number {
    return this.#Wc;
  }

  get U(): number {
    return this.#U;
  }

  get incStage(): number {
    return this.#incStage;
  }

  get lastUpdateSeq(): number | undefined {
    return this.#lastUpdateSeq;
  }

  get counters() {
    return {
      acksProcessed: this.#processed,
      commits: this.#commits,
      telemetryRejected: this.#rejected,
      telemetryStale: this.#stale,
      pathChanges: this.#pathChanges,
    };
  }

  /** The next acknowledgement becomes a first one again; W, Wc, U and incStage stay. */
  forgetPath(): void {
    this.#L.clear();
  }

  /** HPCC++ §algorithm, lines 21-27, preceded by the cases that the listing leaves open. */
  newAck(ack: Acknowledgement): AckKind {
    const verdict = this.#L.judge(ack);
    switch (verdict) {
      case 'comparable':
        return this.#newComparableAck(ack);
      case 'first':
      case 'expired':
        return this.#newFirstAck(ack);
      case 'path-changed':
        return this.#newPath(ack);
      case 'no-interval':
        // Nothing was measured, so nothing may be concluded: not even that a round has passed.
        return 'ignored';
      case 'no-hops':
      case 'too-many-hops':
      case 'incomplete':
      case 'unknown-capacity':
      case 'stale':
        return this.#reject(ack, verdict);
    }
  }

  #newComparableAck(ack: Acknowledgement): AckKind {
    assert(this.#lastUpdateSeq !== undefined, 'a first acknowledgement came before');
    // HPCC++ §algorithm, line 22: a round has passed once the receiver expects more than the first
    // byte sent after the last change of Wc. ack.seq is the next expected byte, hence strictly more.
    const updateWc = ack.ackSequence > this.#lastUpdateSeq;
    // HPCC++ §algorithm, lines 23 and 26: W follows every acknowledgement, Wc once per round.
    this.#W = this.#computeWind(this.#measureInflight(ack.telemetry), updateWc);
    // HPCC++ §algorithm, line 24: the next round begins with what is sent from now on.
    if (updateWc) this.#startRound(ack.nextSequence);
    // HPCC++ §algorithm, line 27: L follows every acknowledgement. R = W/T is left to the form.
    this.#L.refresh(ack.telemetry, ack.now);
    this.#processed++;
    return updateWc ? 'update' : 'fast';
  }

  /** HPCC++ §algorithm, lines 1-10. */
  #measureInflight(ackL: readonly HopRecord[]): number {
    const { T, nicRate, Winit } = this.#p;
    // HPCC++ §algorithm, line 2: u starts at 0. If every link was idle then tau stays 0 as well,
    // which leaves U as it is.
    let u = 0;
    let tau = 0;
    // HPCC++ §algorithm, line 3: for each link on the path. PERF: linear in the hops, no allocation.
    for (let i = 0; i < ackL.length; i++) {
      const hop = ackL[i];
      assert(hop !== undefined, 'the index is below the length');
      const last = this.#L.record(i);
      const dt = interval(hop, last);
      if (dt === 0) continue;
      // HPCC++ §algorithm, line 4: bytes that left the link between the two records, over time.
      const dBytes = wrappedDifference(hop.txBytes, last.txBytes, hop.txBytesModulus);
      const txRate = (8 * dBytes) / (dt * 1e-9);
      // HPCC++ §algorithm, line 5: the smaller queue filters out momentary bursts. B * T of the
      // listing is Winit scaled from the sender's link to this one.
      const qlen = hop.queueBytes < last.queueBytes ? hop.queueBytes : last.queueBytes;
      const B = hop.capacity;
      const uHop = txRate / B + (qlen * nicRate) / B / Winit;
      // HPCC++ §algorithm, lines 6-7: the fullest link counts, and its interval with it.
      if (uHop > u) {
        u = uHop;
        tau = dt;
      }
    }
    // HPCC++ §algorithm, line 8: an interval longer than T replaces U and never extrapolates.
    if (tau > T) tau = T;
    // HPCC++ §algorithm, line 9: moving average weighted by time, over the common denominator.
    this.#U = (this.#U * (T - tau) + u * tau) / T;
    return this.#U;
  }

  /** HPCC++ §algorithm, lines 11-20. The result is bounded before Wc takes it over. */
  #computeWind(U: number, updateWc: boolean): number {
    const { control, eta, maxStage } = this.#p;
    const c = U / eta;
    let W: number;
    // HPCC++ §algorithm, line 12: full, or added often enough. The filtered U decides.
    const isMultiplicative = c >= 1 || this.#incStage >= maxStage;
    if (isMultiplicative) {
      // HPCC++ §algorithm, line 13. An idle path makes the quotient huge or infinite; the upper
      // bound below then is the result.
      const quotient = this.#Wc / c;
      W = (control.truncate ? Math.floor(quotient) : quotient) + control.step;
    } else {
      // HPCC++ §algorithm, line 17.
      W = this.#Wc + control.step;
    }
    if (W > control.max) W = control.max;
    if (W < control.min) W = control.min;
    // HPCC++ §algorithm, lines 14-15 and 18-19: both branches commit only at the end of a round.
    if (updateWc) {
      this.#incStage = isMultiplicative ? 0 : this.#incStage + 1;
      this.#Wc = W;
      this.#commits++;
    }
    // HPCC++ §algorithm, line 20.
    return W;
  }

  /** There is nothing to compare with: store, and let the flow go on as it is. */
  #newFirstAck(ack: Acknowledgement): AckKind {
    this.#L.replace(ack.telemetry, ack.now);
    this.#startRound(ack.nextSequence);
    return 'first';
  }

  /**
   * Counters of other ports cannot be compared. Windows and U stay, because the flow's share of the
   * new path is more likely near the old one than at line rate; the round in progress stays too.
   */
  #newPath(ack: Acknowledgement): AckKind {
    this.#L.replace(ack.telemetry, ack.now);
    this.#pathChanges++;
    this.#p.sink?.({ kind: 'path-changed', now: ack.now, hops: ack.telemetry.length });
    return 'first';
  }

  #reject(ack: Acknowledgement, reason: TelemetryRejection): AckKind {
    if (reason === 'stale') this.#stale++;
    else this.#rejected++;
    const hops = ack.telemetry.length;
    this.#p.sink?.({ kind: 'telemetry-rejected', now: ack.now, reason, hops });
    return 'ignored';
  }

  /** Going back to resend lowers snd_nxt; the end of the round must not move back with it. */
  #startRound(sndNxt: number): void {
    const last = this.#lastUpdateSeq;
    this.#lastUpdateSeq = last !== undefined && last > sndNxt ? last : sndNxt;
  }
}
