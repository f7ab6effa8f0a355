import { HP_DOMAIN } from '../../common/wire/int/int-md';
import { mayProbe } from '../../common/wire/hpcc/tcp-probe';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../common/units/units';
import { milliseconds, PS_PER_SECOND, seconds } from '../../common/units/units';
import type { ClassIds } from './tc-commands';
import type { ConnectionKey } from './connection-key';
import type { ObservedSegment } from './observed-segment';
import type { KnownPath, PathMemory } from './path-memory';
import { longestQueue, queueingDelay } from './path-memory';
import { probeFrame } from './probe-frame';
import type { TelemetrySegment } from './probe-frame';
import { ProbeRounds } from './probe-rounds';
import type { ProbeAnswer, ProbeSchedule } from './probe-rounds';
import { QueueStatistics } from './queue-statistics';
import { RateControl, RateGate } from './rate-control';
import { SegmentTracker } from './segment-tracker';
import { SteadyProbes } from './steady-probes';
import type { TcpOutputs, TcpSettings } from './tcp-settings';
import { windowField } from './window-program';

/** Probes without an answer after which a connection is left alone. */
const UNANSWERED_MAX = 4;
/** The peer may have got an agent since. */
const RETRY_AFTER: Duration = seconds(5);
/** Without news for so long, or for a few packets at its rate, a connection is idle. */
const IDLE_AFTER: Duration = milliseconds(300);
const IDLE_FRAMES = 6;
const FRAME_BITS = 1514 * 8;

/** Objects that connections of one host share. */
export interface TcpShared {
  readonly settings: TcpSettings;
  readonly outputs: TcpOutputs;
  readonly paths: PathMemory;
  readonly classIds: ClassIds;
}

/**
 * One connection: when it asks for telemetry, and what it does with the answers.
 *
 *     watched --acknowledged enough--> asking --answer--> controlled
 *                                        ^                    |
 *                                        +-- retry -- left alone <-- no answers
 *
 * Nothing is enforced before telemetry has come, and nothing after it has stayed away: a connection
 * to a host without an agent runs as if this one were not there.
 */
export class TcpConnection {
  readonly key: ConnectionKey;
  readonly tracker: SegmentTracker;
  readonly queues = new QueueStatistics();
  readonly rtts = new QueueStatistics();
  readonly #shared: TcpShared;
  readonly #localMac: number;
  readonly #remoteMac: number;
  readonly #probes: ProbeSchedule;
  #control: RateControl | undefined;
  #class: { readonly id: number; readonly gate: RateGate } | undefined;
  #windowLimit: number | undefined;
  /** No telemetry is asked for before, because the peer did not answer; 0 while it may. */
  #askAfter: Instant = 0;
  #wasIdle = false;
  #rateChanges = 0;

  constructor(now: Instant, segment: ObservedSegment, shared: TcpShared, firstId: number) {
    this.key = segment.key;
    this.tracker = new SegmentTracker(now, segment);
    this.#localMac = segment.localMac;
    this.#remoteMac = segment.remoteMac;
    this.#shared = shared;
    const { observeEvery } = shared.settings;
    this.#probes =
      observeEvery === undefined
        ? new ProbeRounds(now, firstId)
        : new SteadyProbes(now, firstId, observeEvery);
  }

  /** Rate of its class; undefined while nothing controls it. */
  get rate(): BitsPerSecond | undefined {
    return this.#class?.gate.rate;
  }

  get windowBytes(): Bytes | undefined {
    return this.#control?.windowBytes;
  }

  get counters() {
    const { sent: probesSent, lost: probesLost } = this.#probes;
    return { probesSent, probesLost, rateChanges: this.#rateChanges };
  }

  /** Time at which {@link handleTimer} may have something to do, or Infinity while nothing happens. */
  nextAt(now: Instant): Instant {
    if (!this.#isActive(now) || !this.#hasRoom()) return Infinity;
    return Math.max(this.#probes.nextAt, this.#askAfter);
  }

  handleSegment(now: Instant, segment: ObservedSegment): void {
    const before = this.tracker.progressAt;
    this.#wasIdle ||= !this.#isActive(now);
    this.tracker.observe(now, segment);
    if (this.tracker.progressAt > before) this.#onProgress(now);
  }

  handleTimer(now: Instant): void {
    const control = this.#control;
    if (control !== undefined) {
      control.onSilence(this.#probes.waitingFor(now));
      this.#enforce(now, control, control.baseRtt);
    }
    if (this.nextAt(now) > now) return;
    if (this.#probes.unanswered >= UNANSWERED_MAX) {
      this.#leaveAlone(now);
      return;
    }
    const { outputs, settings } = this.#shared;
    const { unacknowledged, expected } = this.tracker;
    outputs.sendFrame(
      probeFrame({
        key: this.key,
        localMac: this.#localMac,
        remoteMac: this.#remoteMac,
        unacknowledged,
        expected,
        hopLimit: settings.hopLimit,
        // The class of now: applications change it, and each class has a queue of its own.
        dscp: outputs.classOf(this.key),
        id: this.#probes.onSend(now),
      }),
    );
  }

  handleResponse(now: Instant, response: TelemetrySegment): void {
    const answer = this.#probes.onResponse(now, response.id);
    if (answer === undefined || response.hops.length === 0) return;
    const { hops, isIncomplete } = response;
    const queueBytes = longestQueue(hops);
    this.queues.add(queueBytes);
    this.rtts.add(answer.rtt);
    if (!isIncomplete) this.#control ??= this.#begin(now, this.#learn(now, response, answer));
    if (this.#control !== undefined) this.#adjust(now, response, answer);
    this.#shared.outputs.onSample({
      now,
      connection: this.key,
      role: answer.role,
      rtt: answer.rtt,
      queueBytes,
      queueDelay: queueingDelay(hops),
      hops: hops.length,
      windowBytes: this.windowBytes,
      rate: this.rate,
    });
  }

  /** The connection has gone, or control ends. */
  end(): void {
    this.#control = undefined;
    if (this.#windowLimit !== undefined) this.#shared.outputs.releaseWindow(this.key);
    this.#windowLimit = undefined;
    if (this.#class === undefined) return;
    this.#shared.outputs.closeClass(this.key, this.#class.id);
    this.#shared.classIds.free(this.#class.id);
    this.#class = undefined;
  }

  /** A way that is known: the first burst waits in the class already. */
  #onProgress(now: Instant): void {
    if (this.#wasIdle) {
      this.#wasIdle = false;
      this.#probes.restart(now);
      this.#control?.onIdleRestart(now);
    }
    if (this.#control !== undefined || now < this.#askAfter) return;
    const path = this.#shared.paths.recall(now, this.key.remoteAddress);
    if (path !== undefined) this.#control = this.#begin(now, path);
  }

  #learn(now: Instant, { hops }: TelemetrySegment, { rtt }: ProbeAnswer): KnownPath {
    return this.#shared.paths.learn(now, this.key.remoteAddress, { hops, rtt });
  }

  #begin(now: Instant, path: KnownPath): RateControl | undefined {
    const { settings, classIds, outputs } = this.#shared;
    if (settings.observeEvery !== undefined) return undefined;
    if (!(path.capacity > 0 && path.capacity < Infinity)) return undefined;
    const id = this.#class?.id ?? classIds.take();
    if (id === undefined) return undefined;
    const control = new RateControl(settings, path);
    const isNew = this.#class === undefined;
    this.#class = { id, gate: new RateGate(now, control.rate) };
    if (isNew) outputs.openClass(this.key, id, control.rate);
    else outputs.setRate(id, control.rate);
    this.#limitWindow(control);
    return control;
  }

  #adjust(now: Instant, response: TelemetrySegment, answer: ProbeAnswer): void {
    const { hops, isIncomplete } = response;
    const path = isIncomplete ? undefined : this.#learn(now, response, answer);
    if (
      path !== undefined &&
      this.#control?.suits(hops, this.#shared.settings.linkRate) === false
    ) {
      this.#control = this.#begin(now, path);
    }
    const control = this.#control;
    if (control === undefined) return;
    control.onSample(now, {
      hops,
      isIncomplete,
      endsRound: answer.role === 'measure',
      rtt: answer.rtt,
      acknowledgedBytes: this.tracker.acknowledgedBytes,
    });
    this.#enforce(now, control, answer.rtt);
    if (this.#probes instanceof ProbeRounds) this.#probes.setGap(control.gap);
  }

  #enforce(now: Instant, control: RateControl, interval: Duration): void {
    const { gate, id } = this.#class ?? {};
    if (gate === undefined || id === undefined) return;
    if (!gate.admit(now, control.rate, interval)) return;
    this.#rateChanges++;
    this.#shared.outputs.setRate(id, gate.rate);
    this.#limitWindow(control);
  }

  #limitWindow(control: RateControl): void {
    const { windowScale } = this.tracker;
    if (!this.#shared.settings.rewritesWindows || windowScale === undefined) return;
    const field = windowField(control.windowBytes, windowScale);
    if (field === this.#windowLimit) return;
    this.#windowLimit = field;
    this.#shared.outputs.limitWindow(this.key, field);
  }

  #leaveAlone(now: Instant): void {
    this.end();
    this.#shared.paths.forget(this.key.remoteAddress);
    this.#askAfter = now + RETRY_AFTER;
    this.#probes.restart(this.#askAfter);
  }

  #isActive(now: Instant): boolean {
    const rate = this.rate ?? Infinity;
    const patience = Math.max(IDLE_AFTER, (IDLE_FRAMES * FRAME_BITS * PS_PER_SECOND) / rate);
    return now - this.tracker.progressAt <= patience;
  }

  /** Enough has been acknowledged for a probe to lie wholly in the peer's past. */
  #hasRoom(): boolean {
    const { hopLimit } = this.#shared.settings;
    return mayProbe(this.tracker.acknowledgedBytes, HP_DOMAIN.hopWords, hopLimit);
  }
}
