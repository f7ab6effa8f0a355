import type { HopRecord } from '../../../common/hop/hop';
import { wrappedDifference } from '../../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration } from '../../../common/units/units';
import { PS_PER_NS, PS_PER_SECOND } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment } from '../congestion-control';
import type { Constants } from './constants';
import { withChanges } from './constants';
import { Rounds, BaseAlgorithm } from './base-algorithm';

/** PowerTCP (Addanki et al., "PowerTCP: Pushing the Performance Limits...", NSDI 2022). */
export const POWERTCP_CONSTANTS = {
  /** gamma: weight of the newest window. */
  gamma: 0.9,
  /** N in beta = BDP / N, the additive increase of a round trip. */
  expectedFlows: 100,
  /** Least window, as a share of the bandwidth-delay product. */
  windowMinShare: 0.001,
};

type PowerConstants = Readonly<Record<keyof typeof POWERTCP_CONSTANTS, number>>;

/** The control law that both forms share: cwnd = gamma (cwndOld / power + beta) + (1 - gamma) cwnd. */
abstract class PowerBasedAlgorithm extends BaseAlgorithm {
  readonly #c: PowerConstants;
  #cwnd: Bytes;
  /** Smoothed normalised power. */
  protected power = 1;

  constructor(name: string, environment: FlowEnvironment, changes?: Constants) {
    super(environment);
    this.#c = withChanges(name, POWERTCP_CONSTANTS, changes);
    this.#cwnd = this.bdpBytes;
  }

  get windowBytes(): Bytes {
    return this.#cwnd;
  }

  get pacingRate(): BitsPerSecond {
    return (8 * this.#cwnd * PS_PER_SECOND) / this.baseRtt;
  }

  protected override get normalizedInflight(): number {
    return this.power;
  }

  override onBaseRtt(baseRtt: Duration): void {
    const before = this.bdpBytes;
    super.onBaseRtt(baseRtt);
    this.#cwnd *= this.bdpBytes / before;
  }

  /** Takes a sample of power over an interval, in ps, into the filter. */
  protected smooth(sample: number, interval: Duration): void {
    const weight = Math.min(1, interval / this.baseRtt);
    this.power = Math.max(Number.MIN_VALUE, this.power * (1 - weight) + sample * weight);
  }

  protected updateWindow(cwndOld: Bytes): void {
    const { gamma, expectedFlows, windowMinShare } = this.#c;
    const beta = this.bdpBytes / expectedFlows;
    const wanted = gamma * (cwndOld / this.power + beta) + (1 - gamma) * this.#cwnd;
    this.#cwnd = Math.min(this.bdpBytes, Math.max(windowMinShare * this.bdpBytes, wanted));
  }
}

/** Algorithm 1: power from the records of the hops, the window with each acknowledgement. */
export class PowerTcp extends PowerBasedAlgorithm {
  readonly #rounds = new Rounds();
  #last: readonly HopRecord[] = [];
  #cwndOld: Bytes;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    super('powertcp', environment, changes);
    this.#cwndOld = this.windowBytes;
  }

  protected learn(ack: Acknowledgement): AckKind {
    if (ack.telemetry.length === 0 || ack.isIncomplete) return 'ignored';
    const last = this.#last;
    this.#last = ack.telemetry;
    if (!this.#measure(ack.telemetry, last)) {
      if (!this.#rounds.hasBegun) this.#rounds.begin(ack);
      return 'first';
    }
    this.updateWindow(this.#cwndOld);
    if (!this.#rounds.ends(ack)) return 'fast';
    this.#rounds.begin(ack);
    this.#cwndOld = this.windowBytes;
    return 'update';
  }

  override onIdleRestart(): void {
    this.#last = [];
  }

  /** NORMPOWER: the hop with the most power counts. Returns false if no hop can be compared. */
  #measure(hops: readonly HopRecord[], last: readonly HopRecord[]): boolean {
    let most = -Infinity;
    let interval = 0;
    for (let i = 0; i < hops.length; i++) {
      const [hop, before] = [hops[i], last[i]];
      if (hop === undefined || before === undefined || !isSameLink(hop, before)) continue;
      const ns = wrappedDifference(hop.timestamp, before.timestamp, hop.timestampModulus);
      // Equal records, and those of packets that overtook each other.
      if (ns <= 0 || ns > hop.timestampModulus / 2) continue;
      const power = this.#powerOf(hop, before, ns);
      if (power > most) [most, interval] = [power, ns * PS_PER_NS];
    }
    if (interval === 0) return false;
    this.smooth(most, interval);
    return true;
  }

  /** (dq/dt + txRate) (q + b tau) / (b^2 tau), in bytes and ns. */
  #powerOf(hop: HopRecord, before: HopRecord, ns: number): number {
    const b = hop.capacity / 8e9;
    const bdp = (b * this.baseRtt) / PS_PER_NS;
    const sent = wrappedDifference(hop.txBytes, before.txBytes, hop.txBytesModulus);
    const current = (hop.queueBytes - before.queueBytes + sent) / ns;
    return (Math.max(0, current) * (hop.queueBytes + bdp)) / (b * bdp);
  }
}

/** Algorithm 2: power from round-trip times alone, the window once per round trip. */
export class ThetaPowerTcp extends PowerBasedAlgorithm {
  readonly #rounds = new Rounds();
  #lastRtt: Duration = 0;
  #lastAt = 0;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    super('theta-powertcp', environment, changes);
  }

  protected learn(ack: Acknowledgement): AckKind {
    const { rtt, now } = ack;
    if (rtt === undefined || rtt <= 0) return 'ignored';
    const interval = now - this.#lastAt;
    const isFirst = this.#lastRtt === 0;
    if (!isFirst && interval > 0) {
      const gradient = (rtt - this.#lastRtt) / interval;
      this.smooth((Math.max(0, gradient + 1) * rtt) / this.baseRtt, interval);
    }
    if (isFirst || interval > 0) [this.#lastRtt, this.#lastAt] = [rtt, now];
    if (isFirst) this.#rounds.begin(ack);
    if (isFirst || !this.#rounds.ends(ack)) return isFirst ? 'first' : 'noted';
    this.updateWindow(this.windowBytes);
    this.#rounds.begin(ack);
    return 'update';
  }

  override onIdleRestart(): void {
    this.#lastRtt = 0;
  }
}

const isSameLink = (a: HopRecord, b: HopRecord): boolean =>
  a.switchId === b.switchId && a.portId === b.portId;
