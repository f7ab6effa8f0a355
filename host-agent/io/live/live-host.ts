import type { Clock } from '../../../common/io/monotonic-clock';
import { Readiness } from '../../../common/io/net/readiness';
import type { BitsPerSecond, Duration, Instant } from '../../../common/units/units';
import {
  microseconds,
  milliseconds,
  PS_PER_NS,
  serialisationTime,
} from '../../../common/units/units';
import type { Agent } from '../../host/agent';
import type { HostEvent } from '../../host/host-events';
import type { FramePort } from '../net/frame-port';

/** Frames that arrive before those that wait get their turn: what one system call can send. */
const BATCH = 64;
/** Rounds before timers and servers of the process get their turn, and how long they may last. */
const ROUNDS = 32;
const TURN_MAX: Duration = milliseconds(1);
/**
 * How long the thread may sleep with everything on it. Timers come so much later, which nobody
 * notices; a sleep on a thread of its own costs more than the frame that ends it.
 */
const SLEEP_HERE_NS = 500_000;
/** Sleeps on the thread without a frame before the host counts as idle. */
const IDLE_SLEEPS = 4;
/** With nothing to wait for, the host still looks around now and then. */
const SLEEP_NS = 100_000_000;
/** A process that did not run for longer has lost its turn to send, not saved it up. */
const CATCH_UP_MAX: Duration = milliseconds(1);

/** Of what was due longer ago than this, so few packets are sent: a burst would queue elsewhere. */
const RECENT: Duration = microseconds(200);
const LATE_PACKETS = 2;

export interface LiveHostOptions {
  readonly clock: Clock;
  readonly agent: Agent;
  readonly port: FramePort;
  /** At which the host puts frames on its link, whatever the interface could take. */
  readonly linkRate: BitsPerSecond;
  readonly onEvent: (event: HostEvent) => void;
  /** Called once when the host cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives a host agent by the machine's clock and a real interface, with the calls that the emulator
 * makes in virtual time.
 *
 * The clock only says how far the present has come; up to there the driver goes through the
 * agent's instants one by one, in order. So a process that gets its turn every 50 us sends in a burst
 * what had been due since the last one, and flows keep their rates exactly, without a timer for
 * each packet.
 */
export class LiveHost {
  readonly #o: LiveHostOptions;
  readonly #readiness: Readiness;
  /** How far the agent has been driven. */
  #time: Instant = 0;
  /** When the last frame has left, at the link's rate. */
  #busyUntil: Instant = 0;
  /** When something is due next. */
  #nextAt: Instant = 0;
  #idleSleeps = 0;
  #isRunning = false;
  #isFinished = false;
  #onStopped: (() => void) | undefined;
  readonly #handleFrame = (bytes: Uint8Array): void =>
    this.#o.agent.handlePacket(this.#time, { bytes, length: bytes.length });

  constructor(options: LiveHostOptions) {
    this.#o = options;
    this.#readiness = new Readiness([options.port.fd]);
  }

  start(): void {
    this.#isRunning = true;
    setImmediate(this.#turn);
  }

  /** Something that the application wants of the agent now. */
  act<Result>(use: (agent: Agent, now: Instant) => Result): Result {
    const { agent, clock } = this.#o;
    // What a stopped host says about itself still holds, but it sends no more.
    if (!this.#isFinished) this.#catchUp(clock());
    const result = use(agent, this.#time);
    this.#nextAt = this.#time;
    if (!this.#isFinished) this.#readiness.wake();
    return result;
  }

  /** Sends what waits and closes the port, also that of a host that has not been started. */
  stop(): Promise<void> {
    if (!this.#isRunning) {
      this.#finish();
      return Promise.resolve();
    }
    this.#isRunning = false;
    return new Promise((resolve) => {
      this.#onStopped = resolve;
      this.#readiness.wake();
    });
  }

  readonly #turn = (): void => {
    if (!this.#isRunning) {
      this.#finish();
      return;
    }
    try {
      this.#work();
    } catch (error) {
      this.#isRunning = false;
      this.#finish();
      this.#o.onFailure(error);
      return;
    }
    if (this.#idleSleeps < IDLE_SLEEPS) setImmediate(this.#turn);
    else this.#readiness.wait(this.#waitNs(SLEEP_NS), this.#turn);
  };

  #work(): void {
    const endsAt = this.#o.clock() + TURN_MAX;
    for (let round = 0; round < ROUNDS && this.#time < endsAt; round++) {
      const received = this.#round();
      if (received > 0) {
        this.#idleSleeps = 0;
        continue;
      }
      const waitNs = this.#waitNs(SLEEP_HERE_NS);
      if (waitNs <= 0) continue;
      this.#idleSleeps = waitNs < SLEEP_HERE_NS ? 0 : this.#idleSleeps + 1;
      if (this.#idleSleeps >= IDLE_SLEEPS) return;
      this.#readiness.waitHere(waitNs);
    }
  }

  /** Does what is due and handles what has arrived; returns how many frames arrived. */
  #round(): number {
    const { clock, port } = this.#o;
    this.#catchUp(clock());
    const received = port.drain(BATCH, this.#handleFrame);
    if (received > 0) this.#catchUp(this.#time);
    port.flush();
    this.#drainEvents();
    return received;
  }

  /** Sends and wakes what is due up to `now`, each at its own instant. */
  #catchUp(now: Instant): void {
    const { agent, port, linkRate } = this.#o;
    let time = Math.max(this.#time, now - CATCH_UP_MAX);
    const recent = now - RECENT;
    let late = 0;
    for (;;) {
      if (late >= LATE_PACKETS && time < recent) time = recent;
      if (this.#busyUntil > now) {
        this.#nextAt = this.#busyUntil;
        break;
      }
      if (this.#busyUntil > time) time = this.#busyUntil;
      const packet = agent.pollTransmit(time);
      if (packet !== undefined) {
        port.send(packet);
        late++;
        this.#busyUntil = time + serialisationTime(packet.length, linkRate);
        continue;
      }
      this.#nextAt = agent.pollWakeup() ?? Infinity;
      if (this.#nextAt > now) break;
      if (this.#nextAt > time) time = this.#nextAt;
      agent.handleWakeup(time);
    }
    this.#time = Math.max(now, time);
  }

  #waitNs(longest: number): number {
    return Math.min(longest, (this.#nextAt - this.#o.clock()) / PS_PER_NS);
  }

  #drainEvents(): void {
    for (;;) {
      const event = this.#o.agent.pollEvent();
      if (event === undefined) return;
      this.#o.onEvent(event);
    }
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#drainEvents();
    this.#o.port.close();
    this.#readiness.close();
    this.#onStopped?.();
  }
}
