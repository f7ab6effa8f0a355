import { LiveLoop } from '../../../common/io/loop/live-loop';
import type { LiveWork } from '../../../common/io/loop/live-loop';
import type { Clock } from '../../../common/io/monotonic-clock';
import type { BitsPerSecond, Duration, Instant } from '../../../common/units/units';
import { microseconds, milliseconds, serialisationTime } from '../../../common/units/units';
import type { Agent } from '../../host/agent';
import type { HostEvent } from '../../host/host-events';
import type { FramePort } from '../net/frame-port';

/** Frames that arrive before those that wait get their turn: what one system call can send. */
const BATCH = 64;
/** Frames that are read after a standstill before timers are looked at. */
const ANSWERS_MAX = 4096;
/** Share of T for which packets are gathered that come fast, within limits. */
const GATHER_SHARE = 1 / 32;
const GATHER_MIN: Duration = microseconds(20);
const GATHER_MAX: Duration = microseconds(100);
/** A process that did not run for longer has lost its turn to send, not saved it up. */
const CATCH_UP_MAX: Duration = milliseconds(1);

/**
 * Share of T, within limits: of packets that were due longer ago, only {@link LATE_PACKETS} are sent. A
 * burst queues elsewhere, and a queue costs more of the rate, for several T, than the turn that was lost:
 * at 200 Mb/s and T of 2 ms, bursts of a quarter of T left 91.7 % of the link used, those of a twentieth
 * 93.2 %.
 */
const RECENT_SHARE = 1 / 20;
const RECENT_MIN: Duration = microseconds(100);
const LATE_PACKETS = 2;

export interface LiveHostOptions {
  readonly clock: Clock;
  readonly agent: Agent;
  readonly port: FramePort;
  /** Rate at which the host puts frames on its link, whatever the interface could take. */
  readonly linkRate: BitsPerSecond;
  /** T. */
  readonly baseRtt: Duration;
  readonly onEvent: (event: HostEvent) => void;
  /** Called once when the host cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/** Drives a host on real interfaces. */
export interface HostDriver {
  start(): void;
  /** Something that the application wants of the agent now. */
  act<Result>(use: (agent: Agent, now: Instant) => Result): Result;
  /** Sends what waits and closes the ports, also those of a host that has not been started. */
  stop(): Promise<void>;
  /** A port has another descriptor to wait for, since its interface was made again. */
  interfaceRenewed(before: number, port: FramePort): void;
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
export class LiveHost implements LiveWork, HostDriver {
  readonly #o: LiveHostOptions;
  readonly #loop: LiveLoop;
  readonly #recent: Duration;
  /** Time up to which the agent has been driven. */
  #time: Instant = 0;
  /** Time at which the last frame has left, at the link's rate. */
  #busyUntil: Instant = 0;
  /** Time at which something is due next. */
  #nextAt: Instant = 0;
  readonly #handleFrame = (bytes: Uint8Array): void =>
    this.#o.agent.handlePacket(this.#time, { bytes, length: bytes.length });

  constructor(options: LiveHostOptions) {
    this.#o = options;
    const { clock, port, baseRtt, onFailure } = options;
    const fds = [port.fd];
    const gather = Math.min(Math.max(GATHER_MIN, baseRtt * GATHER_SHARE), GATHER_MAX);
    this.#recent = Math.min(Math.max(RECENT_MIN, baseRtt * RECENT_SHARE), CATCH_UP_MAX);
    this.#loop = new LiveLoop({ clock, work: this, gather, fds, onFailure });
  }

  start(): void {
    this.#loop.start();
  }

  /** The agent has something to send that it did not have before. */
  wake(): void {
    this.#nextAt = this.#time;
    this.#loop.wake();
  }

  act<Result>(use: (agent: Agent, now: Instant) => Result): Result {
    const { agent, clock } = this.#o;
    // A stopped host still has counters, but it sends no more.
    if (!this.#loop.isFinished) {
      const now = clock();
      this.#readAfterStandstill(now);
      this.#catchUp(now);
    }
    const result = use(agent, this.#time);
    this.wake();
    return result;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  interfaceRenewed(before: number): void {
    this.#loop.unwatch(before);
    this.#loop.watch(this.#o.port.fd);
  }

  round(now: Instant): number {
    const { port } = this.#o;
    let handled = this.#readAfterStandstill(now) + this.#catchUp(now);
    const received = port.drain(BATCH, this.#handleFrame);
    if (received > 0) handled += received + this.#catchUp(this.#time);
    port.flush();
    // While packets are gathered, nothing waits for the socket.
    if (handled === 0 && !this.#loop.isGathering) port.forgetError?.();
    this.#drainEvents();
    return handled;
  }

  nextAt(): Instant {
    return this.#nextAt;
  }

  finish(): void {
    this.#drainEvents();
    this.#o.port.close();
  }

  /**
   * After a standstill of a round trip or more, as of a machine that was busy elsewhere, answers to all that is in
   * flight wait at the port or in switches that stood still too. That time does not count for what is missing, and
   * what has arrived is read before timers are looked at. Returns how many frames there were.
   */
  #readAfterStandstill(now: Instant): number {
    const { agent, port, baseRtt } = this.#o;
    const before = this.#time;
    const duration = now - Math.max(before, this.#nextAt);
    if (duration < baseRtt) return 0;
    agent.handleStandstill(duration);
    this.#time = now;
    let received = 0;
    // A port gives less at a time than may wait there.
    for (let count = BATCH; count === BATCH && received < ANSWERS_MAX; received += count)
      count = port.drain(BATCH, this.#handleFrame);
    if (received === 0) this.#time = before;
    return received;
  }

  /** Sends and wakes what is due up to `now`, each at its own instant; returns how many it sent. */
  #catchUp(now: Instant): number {
    const { agent, port, linkRate } = this.#o;
    let time = Math.max(this.#time, now - CATCH_UP_MAX);
    const recent = now - this.#recent;
    let sent = 0;
    for (;;) {
      if (sent >= LATE_PACKETS && time < recent) time = recent;
      if (this.#busyUntil > now) {
        this.#nextAt = this.#busyUntil;
        break;
      }
      if (this.#busyUntil > time) time = this.#busyUntil;
      const packet = agent.pollTransmit(time);
      if (packet !== undefined) {
        port.send(packet);
        sent++;
        this.#busyUntil = time + serialisationTime(packet.length, linkRate);
        continue;
      }
      this.#nextAt = agent.pollWakeup() ?? Infinity;
      if (this.#nextAt > now) break;
      if (this.#nextAt > time) time = this.#nextAt;
      agent.handleWakeup(time);
    }
    this.#time = Math.max(now, time);
    return sent;
  }

  #drainEvents(): void {
    for (;;) {
      const event = this.#o.agent.pollEvent();
      if (event === undefined) return;
      this.#o.onEvent(event);
    }
  }
}
