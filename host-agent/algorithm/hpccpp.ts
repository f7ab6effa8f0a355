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
import type { HopRecord } from '../../common/hop/hop';
import { PS_PER_NS } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionEventSink,
  LoadReport,
  TelemetryRejection,
} from './congestion-control';
import { LastTelemetry } from './last-telemetry';
import type { PathLoadParameters } from './path-load';
import { PathLoad } from './path-load';
import type { PlausibilityLimits } from './plausible-telemetry';
import { implausibility, isPlausibleChange } from './plausible-telemetry';

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
export interface HpccppParameters extends PathLoadParameters {
  readonly control: ControlVariable;
  readonly eta: number;
  readonly maxStage: number;
  readonly maxHops: number;
  /** Absent: telemetry is believed. */
  readonly limits?: PlausibilityLimits;
  readonly sink: CongestionEventSink | undefined;
}

/**
 * U before the first measurement, which the draft leaves open. 1 means "the path is full": the
 * reference simulator's choice, and the careful one, because the first filtered values then err
 * towards a smaller window.
 */
export const INITIAL_U = 1;

/** No packet is overtaken by others that were sent so many base RTTs later. */
const CONTRADICTION_RTTS = 16;

export class Hpccpp {
  #p: HpccppParameters;
  readonly #L: LastTelemetry;
  #load: PathLoad;
  /** Additive step for as many flows as the receiver counts; Infinity if it counts none. */
  #countedStep = Infinity;
  /** Whether the fullest link of the latest measurement was the last one of the path. */
  #isFullAtLastHop = false;
  #U = INITIAL_U;
  /** PERF: a field that was ever undefined costs an allocation per change; these begin as numbers. */
  #W = NaN;
  #Wc = NaN;
  #incStage = 0;
  /** NaN before the first round: 0 is a sequence number like any other. */
  #lastUpdateSeq = NaN;
  #processed = 0;
  #commits = 0;
  #rejected = 0;
  #stale = 0;
  #pathChanges = 0;

  constructor(parameters: HpccppParameters) {
    this.#p = parameters;
    this.#L = new LastTelemetry(parameters.maxHops);
    this.#load = new PathLoad(parameters);
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
    return Number.isNaN(this.#lastUpdateSeq) ? undefined : this.#lastUpdateSeq;
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

  /**
   * T has changed, in ns. What is counted in bytes is a rate times T, so all of it follows and no rate
   * changes; U is relative to T and stays.
   */
  retune(T: number): void {
    const factor = T / this.#p.T;
    const { max, min, step, truncate } = this.#p.control;
    const control = { max: max * factor, min: min * factor, step: step * factor, truncate };
    this.#p = { ...this.#p, T, Winit: this.#p.Winit * factor, control };
    this.#load = new PathLoad(this.#p);
    this.#countedStep *= factor;
    this.#W = Math.min(control.max, this.#W * factor);
    this.#Wc = Math.min(control.max, this.#Wc * factor);
  }

  /**
   * Section "Receiver-based HPCC": W_ai = W_init * (1 - eta) / N for the N flows that the receiver
   * counts on its link. It holds while that link is the fullest of the path.
   */
  setFlowCount(N: number): void {
    const { Winit, eta, control } = this.#p;
    const step = (Winit * (1 - eta)) / N;
    this.#countedStep = step > 0 ? step : control.step;
  }

  /** HPCC++ §algorithm, lines 21-27, preceded by the cases that the listing leaves open. */
  newAck(ack: Acknowledgement): AckKind {
    const { limits } = this.#p;
    const refused = limits === undefined ? undefined : implausibility(ack.telemetry, limits);
    const verdict = refused ?? this.#L.judge(ack);
    switch (verdict) {
      case 'comparable':
        return this.#isPlausible(ack)
          ? this.#newComparableAck(ack)
          : this.#rejectOrStartAnew(ack, 'implausible');
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
        return this.#reject(ack, verdict);
      case 'stale':
        return this.#rejectOrStartAnew(ack, verdict);
      case 'unknown-link':
      case 'implausible':
        return this.#reject(ack, verdict);
    }
  }

  /** The same where the receiver has compared the links already. */
  newLoad(report: LoadReport): AckKind {
    const last = this.#lastUpdateSeq;
    const updateWc = report.endsRound ?? report.ackSequence > last;
    if (updateWc || Number.isNaN(last)) this.#startRound(report);
    this.#isFullAtLastHop = false;
    this.#load.u = report.ratio;
    this.#load.tau = report.intervalNs;
    this.#filter();
    this.#computeWind(updateWc);
    this.#processed++;
    return updateWc ? 'update' : 'fast';
  }

  #isPlausible(ack: Acknowledgement): boolean {
    const { limits } = this.#p;
    return limits === undefined || isPlausibleChange(ack, this.#L, limits);
  }

  #newComparableAck(ack: Acknowledgement): AckKind {
    assert(!Number.isNaN(this.#lastUpdateSeq), 'a first acknowledgement came before');
    // HPCC++ §algorithm, line 22: a round has passed once the receiver expects more than the first
    // byte sent after the last change of Wc. ack.seq is the next expected byte, hence strictly more.
    // A transport that knows when rounds end says so in place of the sequences.
    const updateWc = ack.endsRound ?? ack.ackSequence > this.#lastUpdateSeq;
    // HPCC++ §algorithm, lines 23 and 26: W follows every acknowledgement, Wc once per round.
    this.#measureInflight(ack.telemetry);
    this.#computeWind(updateWc);
    // HPCC++ §algorithm, line 24: the next round begins with what is sent from now on.
    if (updateWc) this.#startRound(ack);
    // HPCC++ §algorithm, line 27: L follows every acknowledgement. R = W/T is left to the form.
    this.#L.refresh(ack);
    this.#processed++;
    return updateWc ? 'update' : 'fast';
  }

  /**
   * HPCC++ §algorithm, lines 1-10; lines 2 to 7 are in path-load.ts. The result is U itself.
   * PERF: results stay in fields; returned from a call, they may be allocated.
   */
  #measureInflight(ackL: readonly HopRecord[]): void {
    const load = this.#load;
    load.measure(ackL, this.#L);
    this.#isFullAtLastHop = load.link === ackL.length - 1;
    this.#filter();
  }

  #filter(): void {
    const { T } = this.#p;
    const { u } = this.#load;
    // HPCC++ §algorithm, line 8: an interval longer than T replaces U and never extrapolates.
    const tau = this.#load.tau > T ? T : this.#load.tau;
    // HPCC++ §algorithm, line 9: moving average weighted by time, over the common denominator.
    this.#U = (this.#U * (T - tau) + u * tau) / T;
  }

  /** HPCC++ §algorithm, lines 11-20. The result is bounded before Wc takes it over. */
  #computeWind(updateWc: boolean): void {
    const { control, eta, maxStage } = this.#p;
    const c = this.#U / eta;
    const step = this.#step();
    let W: number;
    // HPCC++ §algorithm, line 12: full, or added often enough. The filtered U decides.
    const isMultiplicative = c >= 1 || this.#incStage >= maxStage;
    if (isMultiplicative) {
      // HPCC++ §algorithm, line 13. An idle path makes the quotient huge or infinite; the upper
      // bound below then is the result.
      const quotient = this.#Wc / c;
      W = (control.truncate ? Math.floor(quotient) : quotient) + step;
    } else {
      // HPCC++ §algorithm, line 17.
      W = this.#Wc + step;
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
    this.#W = W;
  }

  /**
   * The counted step shares the headroom of the link among its flows. Where more is in flight than
   * the link can hold there is no headroom, and a step larger than the configured one would only
   * keep the queue up.
   */
  #step(): number {
    const { step } = this.#p.control;
    const counted = this.#countedStep;
    if (counted < step) return this.#isFullAtLastHop ? counted : step;
    const isShared = counted < Infinity && this.#isFullAtLastHop && this.#U < 1;
    return isShared ? counted : step;
  }

  /** There is nothing to compare with: store, and let the flow go on as it is. */
  #newFirstAck(ack: Acknowledgement): AckKind {
    this.#L.replace(ack);
    this.#startRound(ack);
    return 'first';
  }

  /**
   * Counters of other ports cannot be compared. Windows and U stay, because the flow's share of the
   * new path is more likely near the old one than at line rate; the round in progress stays too.
   */
  #newPath(ack: Acknowledgement): AckKind {
    this.#L.replace(ack);
    this.#pathChanges++;
    this.#p.sink?.({ kind: 'path-changed', now: ack.now, hops: ack.telemetry.length });
    return 'first';
  }

  /**
   * Telemetry that contradicts the stored records is wrong, or they are: after the restart of a
   * switch, or when a forged record got in first. Records that nothing has confirmed for several
   * base RTTs give way, so that the flow cannot stay without control.
   */
  #rejectOrStartAnew(ack: Acknowledgement, reason: TelemetryRejection): AckKind {
    const silence = ack.now - this.#L.refreshedAt;
    if (silence > CONTRADICTION_RTTS * this.#p.T * PS_PER_NS) return this.#newFirstAck(ack);
    return this.#reject(ack, reason);
  }

  #reject(ack: Acknowledgement, reason: TelemetryRejection): AckKind {
    if (reason === 'stale') this.#stale++;
    else this.#rejected++;
    const hops = ack.telemetry.length;
    this.#p.sink?.({ kind: 'telemetry-rejected', now: ack.now, reason, hops });
    return 'ignored';
  }

  /**
   * Going back to resend lowers snd_nxt; the end of the round must not move back with it. PERF: takes
   * the record, because a number passed to a call that is not inlined is allocated.
   */
  #startRound({ nextSequence: sndNxt }: Pick<Acknowledgement, 'nextSequence'>): void {
    const last = this.#lastUpdateSeq;
    this.#lastUpdateSeq = last > sndNxt ? last : sndNxt;
  }
}
