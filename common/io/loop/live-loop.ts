import { microseconds } from '../../units/units';
import type { Duration, Instant } from '../../units/units';
import type { Clock } from '../monotonic-clock';
import { Reactor } from './reactor';

/** Work that runs on the machine's clock: a switch or a host. */
export interface LiveWork {
  /** Handles what has arrived, does what is due and sends; says how many packets it handled. */
  round(now: Instant): number;
  /** When something is due next, unless something arrives before. */
  nextAt(now: Instant): Instant;
  /** Called once, when no round will follow. */
  finish(): void;
}

export interface LiveLoopOptions {
  readonly clock: Clock;
  readonly work: LiveWork;
  /**
   * Time for which packets may be gathered once they follow each other closely: a wake-up costs ten
   * times what a packet costs. Small against the round-trip time; 0 wakes for each packet.
   */
  readonly gather: Duration;
  /** Sockets whose packets end any sleep; more can be watched later. */
  readonly fds?: readonly number[];
  /** Called once when the work cannot go on; it is finished then. */
  readonly onFailure: (error: unknown) => void;
}

/** Packets in one round after which more are likely to wait already. */
const MANY = 32;
/** Arrivals in a row, close to each other, after which packets are gathered. */
const CLOSE_ARRIVALS = 3;
/** Not further apart than this or a gathering: the wake-up for each would cost what a nap costs. */
const CLOSE: Duration = microseconds(100);
/** Without packets for so many times what is close, each is waited for again. */
const QUIET = 3;

/**
 * Runs one switch or host on the main thread: it gets a round when it has work, in the order in
 * which loops started, between the calls of servers and timers.
 */
export class LiveLoop {
  /** True if packets or a wake-up may have come. */
  isReady = true;
  /** The last round was full. */
  hasMore = false;
  /** Packets come so fast that they are waited for together. */
  isGathering = false;
  readonly gather: Duration;
  readonly #o: LiveLoopOptions;
  readonly #fds: Set<number>;
  #token: number | undefined;
  #isInRound = false;
  #isFinished = false;
  readonly #close: Duration;
  #lastArrival: Instant = -Infinity;
  #streak = 0;
  #onStopped: (() => void) | undefined;
  readonly #watchAgain = (fd: number): void => {
    if (this.#token !== undefined) Reactor.shared().watch(fd, this.#token);
  };

  constructor(options: LiveLoopOptions) {
    this.#o = options;
    this.gather = options.gather;
    this.#close = options.gather === 0 ? 0 : Math.max(CLOSE, options.gather);
    this.#fds = new Set(options.fds);
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** @throws InputError when the process has no descriptors left. */
  start(): void {
    const reactor = Reactor.shared();
    this.#token = reactor.enter(this);
    this.#fds.forEach(this.#watchAgain);
    reactor.queueTurn();
  }

  /** Makes packets of this socket end any sleep. */
  watch(fd: number): void {
    if (this.#fds.has(fd)) return;
    this.#fds.add(fd);
    if (!this.isGathering) this.#watchAgain(fd);
  }

  /**
   * Stops waiting for a socket: before it is closed, and while its packets can wait for the next
   * round.
   */
  unwatch(fd: number): void {
    if (this.#fds.delete(fd) && this.#token !== undefined) Reactor.shared().unwatch(fd);
  }

  /** Something may be due earlier than the work has said. */
  wake(): void {
    // A round handles whatever it causes itself.
    if (this.#isInRound || this.#token === undefined) return;
    this.isReady = true;
    Reactor.shared().queueTurn();
  }

  /** Resolves when the work is finished, also that which has not been started. */
  stop(): Promise<void> {
    if (!this.#isInRound) {
      this.#finish();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#onStopped = resolve;
    });
  }

  /** In picoseconds; negative when it is over already. */
  untilDue(): Duration {
    const now = this.#o.clock();
    return this.#o.work.nextAt(now) - now;
  }

  /** One round, at the end of a gathering or because there is something to do. */
  run(): void {
    const { clock, work, onFailure } = this.#o;
    this.isReady = false;
    this.#isInRound = true;
    try {
      const now = clock();
      this.#observe(now, work.round(now));
    } catch (error) {
      try {
        this.#finish();
      } catch {
        // A second error while finishing adds nothing to the failure that is reported.
      }
      onFailure(error);
      return;
    } finally {
      this.#isInRound = false;
    }
    if (this.#onStopped !== undefined) this.#finish();
  }

  #observe(now: Instant, handled: number): void {
    this.hasMore = handled >= MANY;
    const since = now - this.#lastArrival;
    if (handled > 0) {
      this.#lastArrival = now;
      if (this.isGathering) return;
      this.#streak = since < this.#close ? this.#streak + 1 : 0;
      if (this.#streak >= CLOSE_ARRIVALS) this.#gatherFromNowOn(true);
    } else if (this.isGathering && since > QUIET * this.#close) this.#gatherFromNowOn(false);
  }

  /** PERF: while packets are polled, wake-ups per packet would cost as much as receiving it. */
  #gatherFromNowOn(isGathering: boolean): void {
    this.isGathering = isGathering;
    this.#streak = 0;
    if (isGathering) this.#fds.forEach((fd) => Reactor.shared().unwatch(fd));
    else this.#fds.forEach(this.#watchAgain);
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#token !== undefined) {
      const reactor = Reactor.shared();
      this.#fds.forEach((fd) => reactor.unwatch(fd));
      reactor.leave(this.#token);
      this.#token = undefined;
    }
    try {
      this.#o.work.finish();
    } finally {
      this.#onStopped?.();
    }
  }
}
