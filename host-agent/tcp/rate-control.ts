import type { HopRecord } from '../../common/hop/hop';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_SECOND } from '../../common/units/units';
import type { CongestionControl } from '../algorithm/congestion-control';
import type { KnownPath } from './path-memory';
import { slowestLink } from './path-memory';
import type { TcpSettings } from './tcp-settings';

/**
 * Full frames that pass between two probes which a rate is computed from. With fewer of them a frame
 * more or less would look like congestion, and the probes themselves would be a load, most of all on
 * switches that count packets instead of bytes. A connection that has just begun is in more of a
 * hurry.
 */
const SAMPLE_FRAMES = 32;
const FIRST_SAMPLE_FRAMES = 8;
const FRAME_BYTES: Bytes = 1514;
/** Longest gap in T, so that slow connections still measure. */
const GAP_ROUNDS = 4;
/**
 * Least rate as a share of the slowest link: below it a connection could not even tell that the path is
 * free again.
 */
const RATE_SHARE_MIN = 1 / 200;

export interface RateSample {
  readonly hops: readonly HopRecord[];
  readonly isIncomplete: boolean;
  /** True if everything since the sample before was sent at the present rate. */
  readonly endsRound: boolean;
  readonly acknowledgedBytes: Bytes;
  readonly rtt: Duration;
}

/**
 * HPCC++ for one connection. What the draft calls the sender's link is here the slowest link of the
 * path, once telemetry has told it: a host with a fast interface would otherwise begin far too fast,
 * and its additive steps, which follow from that link, would be larger than whole windows.
 */
export class RateControl {
  readonly capacity: BitsPerSecond;
  /** T. */
  readonly baseRtt: Duration;
  readonly #control: CongestionControl;
  /** Time by which a round trip may be longer because processes wait for their turn. */
  readonly #patience: Duration;
  #windowBytes: Bytes;
  #rate: BitsPerSecond;
  #isFresh = true;

  constructor(settings: TcpSettings, path: KnownPath) {
    this.capacity = Math.min(path.capacity, settings.linkRate);
    this.#patience = sampleTime(this.capacity);
    this.baseRtt = settings.baseRtt ?? Math.max(path.baseRtt, this.#patience);
    this.#control = settings.control({ linkRate: this.capacity, baseRtt: this.baseRtt });
    this.#windowBytes = this.#control.windowBytes;
    this.#rate = this.#paced(0);
  }

  /** Rate of the connection's class: frames without their checksum, in bits/s. */
  get rate(): BitsPerSecond {
    return this.#rate;
  }

  get windowBytes(): Bytes {
    return this.#windowBytes;
  }

  /** Gap between the two probes of a round. */
  get gap(): Duration {
    const frames = this.#isFresh ? FIRST_SAMPLE_FRAMES : SAMPLE_FRAMES;
    return Math.min(sampleTime(this.#rate, frames), GAP_ROUNDS * this.baseRtt);
  }

  /** True if the path has the slowest link that this was made for. */
  suits(hops: readonly HopRecord[], linkRate: BitsPerSecond): boolean {
    return Math.min(slowestLink(hops), linkRate) === this.capacity;
  }

  /** Takes in what a probe has brought; {@link rate} may be another one then. */
  onSample(now: Instant, sample: RateSample): void {
    const { hops, isIncomplete, endsRound, acknowledgedBytes, rtt } = sample;
    const kind = this.#control.onAck({
      now,
      telemetry: hops,
      isIncomplete,
      endsRound,
      ackSequence: acknowledgedBytes,
      nextSequence: acknowledgedBytes,
    });
    // Between rounds W looks back to before the last change, and is not followed.
    if (kind === 'update') {
      this.#isFresh = false;
      this.#windowBytes = this.#control.windowBytes;
    }
    this.#rate = this.#paced(rtt);
  }

  /** A probe has been on its way for so long, and has not come back. */
  onSilence(elapsed: Duration): void {
    this.#rate = Math.min(this.#rate, this.#paced(elapsed));
  }

  onIdleRestart(now: Instant): void {
    this.#control.onIdleRestart(now);
  }

  /**
   * R = W / T; and, until the first measurement, W / RTT if the round trip is longer: a window would
   * let no more out, and nothing but a rate limits the kernel here. Without it a connection that
   * begins on a busy path would fill the queue faster than its own probes get through.
   */
  #paced(rtt: Duration): BitsPerSecond {
    const longest = this.#isFresh ? rtt - this.#patience : 0;
    const roundTrip = Math.max(this.baseRtt, longest);
    const rate = (this.#windowBytes * 8 * PS_PER_SECOND) / roundTrip;
    return Math.max(rate, this.capacity * RATE_SHARE_MIN);
  }
}

const sampleTime = (rate: BitsPerSecond, frames = SAMPLE_FRAMES): Duration =>
  Math.ceil((frames * FRAME_BYTES * 8 * PS_PER_SECOND) / rate);

/** Smaller changes are not worth a call of the kernel. */
const CHANGE_MIN = 0.01;

/** Decides which new rates of a class are set, so that the number of changes is bounded. */
export class RateGate {
  #rate: BitsPerSecond;
  #setAt: Instant;

  constructor(now: Instant, rate: BitsPerSecond) {
    this.#rate = rate;
    this.#setAt = now;
  }

  /** Rate that the class has, in bits/s. */
  get rate(): BitsPerSecond {
    return this.#rate;
  }

  /**
   * Accepts a new rate for the class if it differs by more than a hundredth, and at most once in
   * `interval`.
   */
  admit(now: Instant, rate: BitsPerSecond, interval: Duration): boolean {
    if (now - this.#setAt < interval) return false;
    if (Math.abs(rate - this.#rate) <= CHANGE_MIN * this.#rate) return false;
    this.#rate = rate;
    this.#setAt = now;
    return true;
  }
}
