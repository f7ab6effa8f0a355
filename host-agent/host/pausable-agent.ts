import type { Packet } from '../../common/packet/packet';
import { StormWatch } from '../../common/pause/storm-watch';
import type { StormTimes } from '../../common/pause/storm-watch';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { PS_PER_SECOND } from '../../common/units/units';
import { isMacControl, parsePause, PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { QUANTUM_BITS } from '../../common/wire/ip/mac-control';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { CoordinationCounters } from '../coordination/host-coordination';
import type { Agent, FlowHold, FlowMetrics } from './agent';
import type { FlowSpec } from './host-config';
import type { HostCounters, HostEvent } from './host-events';

/** Frames of a paused priority that wait in the interface; behind them its other frames wait too. */
const HELD_MAX = 64;

export interface PauseOptions {
  /** Rate of the host's link: pauses are given in bit times. */
  readonly linkRate: BitsPerSecond;
  /** Priority of a frame that the host is about to send, from 0 to 7. */
  readonly priorityOf: (packet: Packet) => number;
  /** The priorities that `priorityOf` ever says. */
  readonly priorities: readonly number[];
  /** Called at the end of a pause, with its priority and duration. */
  readonly observe?: (priority: number, lasted: Duration) => void;
  /** Absent: a pause may last for ever. */
  readonly watchdog?: StormTimes | undefined;
}

/** Pauses of a host by the other end of its link. */
export interface HostPauses {
  readonly pauses: number;
  readonly resumes: number;
  /** Paused time of all priorities together. */
  readonly duration: Duration;
  /** Times that the watchdog found that pauses let nothing go. */
  readonly storms: number;
}

/**
 * A host that obeys pause frames (IEEE 802.1Q clause 36): what it wraps sees none of them, and is not
 * asked for frames as long as all its priorities have to stop. Where only some have to, up to
 * {@link HELD_MAX} of their frames are kept back while others overtake them. While a storm lasts
 * ({@link StormWatch}), its priority goes on in spite of pauses.
 */
export class PausableAgent implements Agent {
  readonly #inner: Agent;
  readonly #o: PauseOptions;
  readonly #until = new Array<Instant>(PAUSE_CLASSES).fill(0);
  readonly #since = new Array<Instant>(PAUSE_CLASSES).fill(0);
  /** True for a priority while the end of its pause is still to be reported. */
  readonly #isOpen = new Array<boolean>(PAUSE_CLASSES).fill(false);
  readonly #held: Packet[][] = Array.from({ length: PAUSE_CLASSES }, () => []);
  readonly #counts = { pauses: 0, resumes: 0, duration: 0, storms: 0 };
  readonly #events: HostEvent[] = [];
  /** By priority; none without a watchdog. */
  readonly #watches: readonly StormWatch[];
  /** True while a watchdog may have something to say. */
  #isWatching = false;
  /** Pauses that go on, and frames that wait for the end of one. */
  #openCount = 0;
  #heldCount = 0;
  #now: Instant = 0;

  constructor(inner: Agent, options: PauseOptions) {
    this.#inner = inner;
    this.#o = options;
    const { watchdog } = options;
    this.#watches = watchdog === undefined ? [] : this.#until.map(() => new StormWatch(watchdog));
  }

  /** Pauses that have ended, or been settled. */
  get pauses(): HostPauses {
    return this.#counts;
  }

  /** Counts pauses that go on up to now, as if they began anew. */
  settle(now: Instant): void {
    this.#advance(now);
    for (const priority of this.#o.priorities) {
      if (this.#isOpen[priority] !== true) continue;
      this.#end(priority, now);
      this.#open(priority, now);
    }
  }

  isPaused(priority: number, now: Instant): boolean {
    return (this.#until[priority] ?? 0) > now && this.#watches[priority]?.isStorm !== true;
  }

  startFlow(now: Instant, spec: FlowSpec): void {
    this.#inner.startFlow(now, spec);
  }

  appendToFlow(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void {
    this.#inner.appendToFlow(now, id, more);
  }

  handlePacket(now: Instant, packet: Packet): void {
    this.#advance(now);
    if (isMacControl(packet.bytes)) this.#obey(now, packet.bytes);
    else this.#inner.handlePacket(now, packet);
  }

  handleWakeup(now: Instant): void {
    this.#advance(now);
    this.#inner.handleWakeup(now);
  }

  handleStandstill(duration: Duration): void {
    this.#inner.handleStandstill(duration);
  }

  pollTransmit(now: Instant): Packet | undefined {
    this.#advance(now);
    // PERF: nothing of all this concerns a host that nobody has stopped.
    if (this.#openCount === 0 && this.#heldCount === 0) {
      if (this.#isWatching) for (const watch of this.#watches) watch.noteProgress();
      return this.#inner.pollTransmit(now);
    }
    for (let priority = PAUSE_CLASSES - 1; priority >= 0; priority--) {
      if (!this.isPaused(priority, now) && this.#held[priority]?.length !== 0) {
        this.#heldCount -= 1;
        this.#watches[priority]?.noteProgress();
        return this.#held[priority]?.shift();
      }
    }
    const paused = this.#o.priorities.filter((priority) => this.isPaused(priority, now));
    if (paused.length === 0) return this.#inner.pollTransmit(now);
    if (paused.length === this.#o.priorities.length) {
      for (const priority of paused) this.#noteHeld(priority, now);
      return undefined;
    }
    while (paused.every((priority) => (this.#held[priority]?.length ?? 0) < HELD_MAX)) {
      const packet = this.#inner.pollTransmit(now);
      if (packet === undefined) return undefined;
      const priority = this.#o.priorityOf(packet);
      if (!this.isPaused(priority, now)) return packet;
      this.#noteHeld(priority, now);
      this.#held[priority]?.push(packet);
      this.#heldCount += 1;
    }
    return undefined;
  }

  pollWakeup(): Instant | undefined {
    let at = this.#inner.pollWakeup() ?? Infinity;
    for (const until of this.#until) if (until > this.#now && until < at) at = until;
    if (this.#isWatching) at = Math.min(at, this.#watchedAt());
    return at === Infinity ? undefined : at;
  }

  pollEvent(): HostEvent | undefined {
    return this.#events.shift() ?? this.#inner.pollEvent();
  }

  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#inner.flowMetrics(id);
  }

  senderMetrics(id: number): CongestionMetrics | undefined {
    return this.#inner.senderMetrics(id);
  }

  receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    return this.#inner.receiverMetrics(sourceAddress, flow);
  }

  windowLeft(id: number): Bytes | undefined {
    return this.#inner.windowLeft(id);
  }

  flowHold(id: number): FlowHold | undefined {
    return this.#inner.flowHold(id);
  }

  counters(): HostCounters {
    return this.#inner.counters();
  }

  coordination(): CoordinationCounters | undefined {
    return this.#inner.coordination();
  }

  #obey(now: Instant, frame: Uint8Array): void {
    const request = parsePause(frame);
    for (const priority of request === undefined ? [] : this.#o.priorities) {
      if (((request?.classes ?? 0) & (1 << priority)) === 0) continue;
      const quanta = request?.quanta[priority] ?? 0;
      const lasts = Math.ceil((quanta * QUANTUM_BITS * PS_PER_SECOND) / this.#o.linkRate);
      const wasPaused = this.isPaused(priority, now);
      this.#until[priority] = now + lasts;
      if (this.#watches[priority]?.isStorm === true) continue;
      if (wasPaused && quanta === 0) {
        this.#counts.resumes += 1;
        this.#end(priority, now);
      } else if (!wasPaused && quanta > 0) {
        this.#counts.pauses += 1;
        this.#open(priority, now);
      }
    }
  }

  /** Ends the pauses whose time is over, and storms begin and end. */
  #advance(now: Instant): void {
    this.#now = now;
    if (this.#openCount === 0 && !this.#isWatching) return;
    for (const priority of this.#o.priorities) {
      const until = this.#until[priority] ?? 0;
      if (this.#isOpen[priority] === true && until <= now) this.#end(priority, until);
      if (this.#isWatching) this.#look(priority, now);
    }
    this.#isWatching = this.#watchedAt() < Infinity;
  }

  #look(priority: number, now: Instant): void {
    const change = this.#watches[priority]?.look(now, this.#until[priority] ?? 0);
    if (change === undefined) return;
    const isStorm = change === 'began';
    if (isStorm) {
      this.#counts.storms += 1;
      if (this.#isOpen[priority] === true) this.#end(priority, now);
    }
    this.#events.push({ kind: 'pause-storm', priority, isStorm });
  }

  #noteHeld(priority: number, now: Instant): void {
    const watch = this.#watches[priority];
    if (watch === undefined) return;
    watch.noteHeld(now);
    this.#isWatching = true;
  }

  /** Instant of the next change that the watchdog makes, unless something happens before; or Infinity. */
  #watchedAt(): Instant {
    return this.#watches.reduce(
      (earliest, watch, priority) => Math.min(earliest, watch.dueAt(this.#until[priority] ?? 0)),
      Infinity,
    );
  }

  #open(priority: number, at: Instant): void {
    this.#since[priority] = at;
    this.#isOpen[priority] = true;
    this.#openCount += 1;
  }

  #end(priority: number, at: Instant): void {
    const lasted = at - (this.#since[priority] ?? 0);
    this.#counts.duration += lasted;
    this.#isOpen[priority] = false;
    this.#openCount -= 1;
    if (lasted > 0) this.#o.observe?.(priority, lasted);
  }
}
