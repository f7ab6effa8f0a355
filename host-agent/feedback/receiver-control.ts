import type { HopRecord } from '../../common/hop/hop';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import type { WindowRecord } from '../../common/wire/hpcc/feedback-records';
import type { AckKind, CongestionControl } from '../algorithm/congestion-control';
import { withNewerHop } from '../carrier/congestion-sample';
import type { CongestionSample } from '../carrier/congestion-sample';
import { EPOCHS_AHEAD_MAX } from './round-clock';
import type { RoundClock } from './round-clock';

/** A window below this part of the one told last is told at once. */
const SHARP_DECREASE = 0.9;
/** A window that the sender seems not to have got is told again after so many base RTTs. */
const REPEAT_RTTS = 3;
const REPEAT_BACKOFF_MAX = 64;

/** Epochs take the place of sequences. */
const NO_SEQUENCES = { ackSequence: 0, nextSequence: 0 } as const;

/** Says whether the algorithm may slow its flow down, where switches coordinate. */
export interface ControlGate {
  /** Data has come with these DS flags of INT. */
  note(now: Instant, dsFlags: number): void;
}

/** Facts that a data packet carries about its flow, besides its payload. */
interface DataMark {
  readonly sample: CongestionSample;
  /** Last four bits of the epoch of the window that the sender used. */
  readonly epochBits: number;
  /** A gap was found, or the flow has ended: the sender shall not wait for the round. */
  readonly isUrgent: boolean;
  /** DS flags of its INT. */
  readonly dsFlags: number;
}

/**
 * Receiver's half of the receiver-based algorithm, NewINT of the draft with the listing's gaps
 * filled: L follows every packet in both branches, and rounds are told from each other by epochs.
 *
 * Every window that is told has a number, its epoch, and the sender marks its packets with the epoch
 * that it obeys. When a round has passed, a clock says: by those marks, or by T.
 */
export class ReceiverControl {
  readonly #control: CongestionControl;
  readonly #baseRtt: Duration;
  readonly #rounds: RoundClock;
  readonly #gate: ControlGate | undefined;
  #epoch = 0;
  /** Epoch of the window that ended the last round. */
  #roundEpoch = 0;
  #toldWindow: Bytes = Infinity;
  #toldAt: Instant = -Infinity;
  #backoff = 1;
  #told = 0;
  /** True once telemetry has come: before, the algorithm has no window of its own. */
  #hasLearnt = false;
  /** The records of a whole path that came last. */
  #latest: readonly HopRecord[] = [];

  constructor(
    control: CongestionControl,
    baseRtt: Duration,
    rounds: RoundClock,
    gate?: ControlGate,
  ) {
    this.#control = control;
    this.#baseRtt = baseRtt;
    this.#rounds = rounds;
    this.#gate = gate;
  }

  /** Windows told so far. */
  get told(): number {
    return this.#told;
  }

  get congestionControl(): CongestionControl {
    return this.#control;
  }

  /** HPCC++ NewINT, lines 28-34. Returns the window to tell now, if any; without telemetry there is none. */
  onData(now: Instant, mark: DataMark, flows: number): WindowRecord | undefined {
    this.#gate?.note(now, mark.dsFlags);
    const hasRoundPassed = this.#rounds.hasPassed(now, mark.epochBits);
    if (flows > 0) this.#control.onFlowCount(flows);
    const ackKind = this.#learn(now, mark.sample, hasRoundPassed);
    this.#hasLearnt ||= hasTelemetry(mark.sample);
    if (!this.#hasLearnt) return undefined;
    if (ackKind === 'update') {
      this.#roundEpoch = (this.#epoch + 1) >>> 0;
      this.#rounds.begin(now, this.#roundEpoch);
      this.#backoff = 1;
      return this.#tellNext(now, flows);
    }
    if (this.#isWorthTelling(mark)) return this.#tellNext(now, flows);
    if (now - this.#toldAt < REPEAT_RTTS * this.#baseRtt * this.#backoff) return undefined;
    this.#backoff = Math.min(2 * this.#backoff, REPEAT_BACKOFF_MAX);
    // Under the same number: who has heard it already passes it over.
    return this.#tell(now, flows);
  }

  /**
   * A switch of the path says at once what its link looks like: the window follows, and a sharp
   * decrease is told, but no round ends.
   */
  onSwitchResponse(now: Instant, hop: HopRecord, flows: number): WindowRecord | undefined {
    const telemetry = withNewerHop(this.#latest, hop);
    if (telemetry === undefined) return undefined;
    this.#control.onAck({
      ...NO_SEQUENCES,
      telemetry,
      isIncomplete: false,
      isOneLink: true,
      endsRound: false,
      now,
    });
    return this.#isWorthTelling({ isUrgent: false }) ? this.#tellNext(now, flows) : undefined;
  }

  #learn(now: Instant, sample: CongestionSample, endsRound: boolean): AckKind {
    if (sample.kind === 'load') {
      const { ratio, intervalNs } = sample;
      return this.#control.onLoad({ ...NO_SEQUENCES, now, endsRound, ratio, intervalNs });
    }
    const { telemetry, isIncomplete } = sample;
    if (telemetry.length > 0 && !isIncomplete) this.#latest = telemetry;
    return this.#control.onAck({ ...NO_SEQUENCES, telemetry, isIncomplete, endsRound, now });
  }

  #isWorthTelling(mark: Pick<DataMark, 'isUrgent'>): boolean {
    if (((this.#epoch - this.#roundEpoch) | 0) >= EPOCHS_AHEAD_MAX) return false;
    if (this.#told === 0 || mark.isUrgent) return true;
    return this.#control.windowBytes < this.#toldWindow * SHARP_DECREASE;
  }

  #tellNext(now: Instant, flows: number): WindowRecord {
    this.#epoch = (this.#epoch + 1) >>> 0;
    return this.#tell(now, flows);
  }

  #tell(now: Instant, flows: number): WindowRecord {
    this.#toldAt = now;
    this.#toldWindow = this.#control.windowBytes;
    this.#told++;
    return { epoch: this.#epoch, flows, windowBytes: this.#toldWindow };
  }
}

const hasTelemetry = (sample: CongestionSample): boolean =>
  sample.kind === 'load' || sample.telemetry.length > 0 || sample.load !== undefined;
