import type { Duration, Instant } from '../../../common/units/units';

/**
 * A flow sends without control once so many base RTTs and acknowledgements have brought nothing to react to.
 * Acknowledgements must have come in as many base RTTs: what comes at once after a host stood still shows one
 * moment only.
 */
const SILENCE_RTTS = 8;
const SILENCE_ACKS = 8;

/** Notices that a flow sends without control: acknowledgements come, and none of them lets it react. */
export class ControlWatch {
  readonly #acksMost: number;
  #baseRtt: Duration;
  /** PERF: a field without a number at first costs an object per change. */
  #since: Instant = NaN;
  #latest: Instant = NaN;
  #acks = 0;
  /** Base RTTs with acknowledgements, and the beginning of the last one. */
  #rounds = 0;
  #round: Instant = NaN;
  #total: Duration = 0;

  /** @param spacing acknowledgements of which one brings telemetry. */
  constructor(startedAt: Instant, baseRtt: Duration, spacing: number) {
    this.#since = startedAt;
    this.#latest = startedAt;
    this.#round = startedAt;
    this.#baseRtt = baseRtt;
    this.#acksMost = SILENCE_ACKS * spacing;
  }

  /** Time for which the flow has been without control, up to the last acknowledgement. */
  get total(): Duration {
    return this.#total + (this.#isSilent() ? this.#latest - this.#since : 0);
  }

  /** Data was acknowledged, which may have let the flow react or not. */
  noteAck(now: Instant): void {
    this.#acks++;
    this.#latest = now;
    if (now - this.#round < this.#baseRtt) return;
    this.#rounds++;
    this.#round = now;
  }

  /** The flow has reacted to what it was told. */
  noteControl(now: Instant): void {
    if (this.#isSilent()) this.#total += now - this.#since;
    this.#since = now;
    this.#latest = now;
    this.#round = now;
    this.#acks = 0;
    this.#rounds = 0;
  }

  onBaseRtt(baseRtt: Duration): void {
    this.#baseRtt = baseRtt;
  }

  #isSilent(): boolean {
    if (this.#acks < this.#acksMost || this.#rounds < SILENCE_RTTS) return false;
    return this.#latest - this.#since > SILENCE_RTTS * this.#baseRtt;
  }
}
