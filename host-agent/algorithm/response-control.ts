import type { HopRecord } from '../../common/hop/hop';
import type { Duration, Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import type {
  Acknowledgement,
  AckKind,
  CongestionControl,
  CongestionControlFactory,
  CongestionMetrics,
  FlowEnvironment,
  Loss,
} from './congestion-control';
import { DelegatingControl } from './delegating-control';

/**
 * Control of a flow by responses of switches alone (draft-pan-tsvwg-hpccplus-00, section 6.3): its data
 * carries no telemetry, and a switch answers data that leaves a long queue behind it. The listing runs
 * unchanged (hpccpp.ts); here is what U is, and when a round ends.
 *
 * - A link with a queue sends at its capacity, so one record tells U without one before it: line 5 is
 *   1 + qlen / (B * T).
 * - Within a round the largest U counts, always against the same Wc: answers to data that left before the
 *   window fell tell of the same queue once more.
 * - A round lasts T at least, and until data that left after its beginning, or after its last reduction, is
 *   acknowledged or answered.
 * - A round without an answer tells no more than that no queue was long. It counts as U = eta^2: W_ai is
 *   added, and after maxStage such rounds W is divided by eta once (lines 12 to 19).
 * - Data that is lost without an answer counts as a queue of T, U = 2: some switch has not answered.
 */
export class ResponseControl extends DelegatingControl {
  protected readonly inner: CongestionControl;
  readonly #quietLoad: number;
  #T: number;
  /** The largest U of the round; 0 while nobody has answered. */
  #U = 0;
  /** The round ends with what is acknowledged or answered beyond it. */
  #roundEnd = 0;
  #roundBeganAt: Instant = -Infinity;
  #responses = 0;
  /** Links that have answered this flow, the latest ones. */
  readonly #links = new Set<string>();

  /** @param eta target utilisation of the inner algorithm. */
  constructor(
    inner: CongestionControl,
    { baseRtt }: Pick<FlowEnvironment, 'baseRtt'>,
    eta: number,
  ) {
    super();
    this.inner = inner;
    this.#T = Math.ceil(baseRtt / PS_PER_NS);
    this.#quietLoad = eta * eta;
  }

  /** Takes a response, which has one record, or an acknowledgement, which is a clock. */
  override onAck(ack: Acknowledgement): AckKind {
    const [hop] = ack.telemetry;
    if (hop !== undefined) return this.#onResponse(hop, ack);
    return this.#hasPassed(ack) ? this.#endRound(ack) : 'ignored';
  }

  override onLoss(loss: Loss): void {
    super.onLoss(loss);
    this.#reduce(LOAD_OF_A_LOSS, { ...loss, ackSequence: loss.sequence });
  }

  override onIdleRestart(now: Instant): void {
    this.#links.clear();
    super.onIdleRestart(now);
  }

  override onBaseRtt(baseRtt: Duration): void {
    this.#T = Math.ceil(baseRtt / PS_PER_NS);
    super.onBaseRtt(baseRtt);
  }

  override metrics(): CongestionMetrics {
    return { ...this.inner.metrics(), switchResponses: this.#responses };
  }

  #onResponse(hop: HopRecord, ack: Acknowledgement): AckKind {
    const link = `${hop.switchId}:${hop.portId}`;
    // A response to another flow of the host is of use if its link is on the path of this one.
    const isOwn = ack.endsRound === undefined;
    if (!isOwn && !this.#links.has(link)) return 'ignored';
    if (hop.capacity === 0) return 'ignored';
    this.#remember(link);
    this.#responses++;
    // HPCC++ §algorithm, line 5: txRate of a link with a queue is B.
    const U = 1 + (hop.queueBytes * 8e9) / hop.capacity / this.#T;
    if (isOwn && this.#hasPassed(ack)) this.#endRound(ack);
    return this.#reduce(U, ack);
  }

  /** A link that has not answered for long gives way to others. */
  #remember(link: string): void {
    this.#links.delete(link);
    this.#links.add(link);
    if (this.#links.size <= LINKS_MAX) return;
    const [oldest = ''] = this.#links;
    this.#links.delete(oldest);
  }

  #reduce(U: number, round: Round): AckKind {
    if (U <= this.#U) return 'ignored';
    this.#U = U;
    this.#beginRound(round);
    return this.#report(U, round, false);
  }

  /** HPCC++ §algorithm, lines 22-24: what the round has found becomes the reference. */
  #endRound(round: Round): AckKind {
    const kind = this.#report(this.#U === 0 ? this.#quietLoad : this.#U, round, true);
    this.#U = 0;
    this.#beginRound(round);
    return kind;
  }

  #hasPassed({ ackSequence, now }: Round): boolean {
    return ackSequence > this.#roundEnd && now - this.#roundBeganAt >= this.#T * PS_PER_NS;
  }

  #beginRound({ nextSequence, now }: Round): void {
    this.#roundEnd = Math.max(this.#roundEnd, nextSequence);
    this.#roundBeganAt = now;
  }

  /** HPCC++ §algorithm, line 9: with tau = T, U is what is reported. */
  #report(ratio: number, { ackSequence, nextSequence, now }: Round, endsRound: boolean): AckKind {
    const intervalNs = this.#T;
    return this.inner.onLoad({ ackSequence, nextSequence, now, endsRound, ratio, intervalNs });
  }
}

type Round = Pick<Acknowledgement, 'ackSequence' | 'nextSequence' | 'now'>;

/** U of a link with a queue of T. */
const LOAD_OF_A_LOSS = 2;
/** More links than a path has. */
const LINKS_MAX = 32;

/** Makes the control by responses alone around an algorithm that takes loads, with its target eta. */
export const withResponsesAlone =
  (make: CongestionControlFactory, eta: number): CongestionControlFactory =>
  (environment) =>
    new ResponseControl(make(environment), environment, eta);
