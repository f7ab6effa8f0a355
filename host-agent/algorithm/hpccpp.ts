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
 *   T, tau          T, tau         base RTT, sampling interval of the bottleneck    ns
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
 * The methods follow the listing: MeasureInflight, ComputeWind, NewAck. What the listing leaves open
 * stands elsewhere: which telemetry may reach it (telemetry-judge.ts), what a step is where flows are
 * counted (additive-step.ts), windows and rates (window-form.ts, rate-form.ts), and lines 28 to 34,
 * the receiver's NewINT (feedback/receiver-control.ts).
 *
 * Arithmetic is + - * / and comparisons on doubles, in an order that reproduces the reference runs
 * bit for bit; do not regroup it.
 */
import type { Duration } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { AdditiveStep } from './additive-step';
import type { StepRule } from './additive-step';
import { AveragedLoad } from './path-load';
import type { Acknowledgement, AckKind, LoadReport } from './congestion-control';
import type { LastTelemetry } from './last-telemetry';
import type { PathLoadParameters } from './path-load';
import { PathLoad } from './path-load';

/** The quantity that the algorithm controls: a window in payload bytes or a rate in bits/s. */
interface ControlVariable {
  /** Value at the start and upper bound. */
  readonly max: number;
  /** Lower bound, above 0. */
  readonly min: number;
  /** Wai. Fractions add up: nothing rounds them away. */
  readonly step: number;
  /** True if quotients are truncated to integers, as in the reference simulator. */
  readonly truncate: boolean;
}

/** Checked by the callers in window-form.ts and rate-form.ts. */
export interface HpccppParameters extends PathLoadParameters {
  readonly control: ControlVariable;
  readonly eta: number;
  readonly maxStage: number;
  /** A round lasts T at least, whatever the sequences say. Default false. */
  readonly roundsLastT?: boolean | undefined;
  /** U of each link, of which the fullest counts: {@link AveragedLoad}. Default false. */
  readonly averagesLinks?: boolean | undefined;
  /** Share of the way to Wc * eta / U that a round goes, above 0 and at most 1. Default 1, as the listing says. */
  readonly gain?: number | undefined;
  /** W_ai by the configured step. Default: {@link AdditiveStep}. */
  readonly newStep?: ((configured: number) => StepRule) | undefined;
}

/**
 * U before the first measurement, which the draft leaves open. 1 means "the path is full": the
 * reference simulator's choice, and the careful one, because the first filtered values then err
 * towards a smaller window.
 */
const INITIAL_U = 1;

/** Distance of U / eta from 1 within which a gain below 1 counts: what spray by itself makes of U. */
const DAMPED_WITHIN = 0.1;

export class Hpccpp {
  #p: HpccppParameters;
  #load: PathLoad;
  #Wai: StepRule;
  #U = INITIAL_U;
  /** U of the links that telemetry shows where it misses others. */
  #partU = 0;
  /** PERF: a field that was ever undefined costs an allocation per change; these begin as numbers. */
  #W = NaN;
  #Wc = NaN;
  #incStage = 0;
  /** NaN before the first round: 0 is a sequence number like any other. */
  #lastUpdateSeq = NaN;
  /** Shortest duration of a round, in ps; 0 where the sequences decide alone. */
  #leastRound = 0;
  #roundBeganAt = NaN;
  #processed = 0;
  #commits = 0;

  constructor(parameters: HpccppParameters) {
    this.#p = parameters;
    this.#load = newPathLoad(parameters);
    const { newStep, control } = parameters;
    this.#Wai = newStep?.(control.step) ?? new AdditiveStep(control.step);
    this.#W = parameters.control.max;
    this.#Wc = parameters.control.max;
    this.#leastRound = leastRound(parameters);
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

  get T(): number {
    return this.#p.T;
  }

  get incStage(): number {
    return this.#incStage;
  }

  get lastUpdateSeq(): number | undefined {
    return Number.isNaN(this.#lastUpdateSeq) ? undefined : this.#lastUpdateSeq;
  }

  /** Acknowledgements that changed W, and how many of them changed Wc. */
  get counters() {
    return { acksProcessed: this.#processed, commits: this.#commits };
  }

  /**
   * HPCC++ §algorithm, lines 1-10. Lines 2 to 7, u and tau of the bottleneck, are in path-load.ts.
   * The result is U itself. PERF: results stay in fields; returned from a call, they may be allocated.
   */
  #measureInflight(isWhole: boolean): void {
    const { T } = this.#p;
    const { u } = this.#load;
    // HPCC++ §algorithm, line 8: an interval longer than T replaces U and never extrapolates.
    const tau = this.#load.tau > T ? T : this.#load.tau;
    // HPCC++ §algorithm, line 9: moving average weighted by time, over the common denominator.
    const U = (this.#U * (T - tau) + u * tau) / T;
    if (isWhole) this.#U = U;
    else {
      this.#partU = (this.#partU * (T - tau) + u * tau) / T;
      if (U > this.#U) this.#U = U;
    }
  }

  /**
   * HPCC++ §algorithm, lines 11-20. The result is bounded before Wc takes it over. Returns false, having
   * done nothing, if telemetry that misses a link shows no overload.
   */
  #computeWind(updateWc: boolean, isWhole: boolean): boolean {
    const { control, eta, maxStage } = this.#p;
    const c = (isWhole ? this.#U : this.#partU) / eta;
    if (!isWhole && c < 1) return false;
    const Wai = this.#Wai.at(this.#load, this);
    let W: number;
    // HPCC++ §algorithm, line 12: full, or added often enough. The filtered U decides.
    const isMultiplicative = c >= 1 || this.#incStage >= maxStage;
    if (isMultiplicative) {
      // HPCC++ §algorithm, line 13. An idle path makes the quotient huge or infinite; the upper
      // bound below then is the result.
      const quotient = this.#dampedQuotient(c);
      W = (control.truncate ? Math.floor(quotient) : quotient) + Wai;
    } else {
      // HPCC++ §algorithm, line 17.
      W = this.#Wc + Wai;
    }
    if (W > control.max) W = control.max;
    if (W < control.min) W = control.min;
    if (!isWhole && W > this.#W) W = this.#W;
    // HPCC++ §algorithm, lines 14-15 and 18-19: both branches commit only at the end of a round.
    if (updateWc) {
      this.#incStage = isMultiplicative ? 0 : this.#incStage + 1;
      this.#Wc = W;
      this.#commits++;
    }
    // HPCC++ §algorithm, line 20.
    this.#W = W;
    return true;
  }

  /** Wc / c, or a share of the way there while c = U / eta is nearly 1. */
  #dampedQuotient(c: number): number {
    const { gain = 1 } = this.#p;
    const quotient = this.#Wc / c;
    if (gain === 1 || Math.abs(c - 1) > DAMPED_WITHIN) return quotient;
    return this.#Wc + gain * (quotient - this.#Wc);
  }

  /**
   * HPCC++ §algorithm, lines 21-27, for telemetry that can be compared with L. Telemetry that is not
   * whole misses a link, which may be the fullest: it can only lower W.
   */
  newAck(ack: Acknowledgement, L: LastTelemetry, isWhole: boolean): AckKind {
    this.#load.measure(ack.telemetry, L);
    const ackKind = this.#react(ack, isWhole);
    // HPCC++ §algorithm, line 27: L follows every acknowledgement. R = W/T is left to the form.
    L.refresh(ack);
    return ackKind;
  }

  /** The same where the receiver has compared the links already. */
  newReport(report: LoadReport): AckKind {
    this.#load.take(report);
    return this.#react(report, true);
  }

  /** HPCC++ §algorithm, lines 22-26, for the load that was measured or reported. */
  #react(ack: Round, isWhole: boolean): AckKind {
    const last = this.#lastUpdateSeq;
    // HPCC++ §algorithm, line 22: a round has passed once the receiver expects more than the first
    // byte sent after the last change of Wc. ack.seq is the next expected byte, hence strictly more.
    // A transport that knows when rounds end says so in place of the sequences.
    const hasPassed = ack.endsRound ?? ack.ackSequence > last;
    const updateWc = hasPassed && !(ack.now - this.#roundBeganAt < this.#leastRound);
    // HPCC++ §algorithm, lines 23 and 26: W follows every acknowledgement, Wc once per round.
    this.#measureInflight(isWhole);
    if (!this.#computeWind(updateWc, isWhole)) return 'ignored';
    // HPCC++ §algorithm, line 24: the next round begins with what is sent from now on.
    if (updateWc || Number.isNaN(last)) {
      this.startRound(ack);
      this.#roundBeganAt = ack.now;
    }
    this.#processed++;
    return updateWc ? 'update' : 'fast';
  }

  /**
   * lastUpdateSeq = snd_nxt. Going back to resend lowers snd_nxt; the end of the round must not move
   * back with it. PERF: takes the record, because a number passed to a call that is not inlined is
   * allocated.
   */
  startRound({ nextSequence: sndNxt }: Pick<Acknowledgement, 'nextSequence'>): void {
    const last = this.#lastUpdateSeq;
    this.#lastUpdateSeq = last > sndNxt ? last : sndNxt;
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
    this.#load = this.#load.retuned(this.#p);
    this.#Wai = this.#Wai.scaledBy(factor);
    this.#leastRound = leastRound(this.#p);
    this.#W = Math.min(control.max, this.#W * factor);
    this.#Wc = Math.min(control.max, this.#Wc * factor);
  }

  /** Section "Receiver-based HPCC": W_ai = W_init * (1 - eta) / N for N flows on the last link. */
  setFlowCount(N: number): void {
    const { Winit, eta } = this.#p;
    this.#Wai.count((Winit * (1 - eta)) / N);
  }
}

const newPathLoad = (parameters: HpccppParameters): PathLoad =>
  parameters.averagesLinks === true ? new AveragedLoad(parameters) : new PathLoad(parameters);

type Round = Pick<Acknowledgement, 'ackSequence' | 'nextSequence' | 'endsRound' | 'now'>;

const leastRound = ({ roundsLastT, T }: HpccppParameters): Duration =>
  roundsLastT === true ? T * PS_PER_NS : 0;
