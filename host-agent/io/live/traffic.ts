import { assert } from '../../../common/assert';
import { PS_PER_SECOND } from '../../../common/units/units';
import type { BitsPerSecond, Bytes, Instant } from '../../../common/units/units';
import type { FlowMeters } from '../../traffic/flow-meters';
import type { ControlUpdate, MeteredControl } from '../../traffic/metered-control';
import { flowTotal, TrafficTally } from '../../traffic/traffic-report';
import type { FlowSample, FlowTotal, TrafficTotal } from '../../traffic/traffic-report';
import type { Agent } from '../../host/agent';
import type { HostEvent } from '../../host/host-events';
import type { AdmissionOptions } from '../../path/admission';
import type { TrafficAmount } from '../options/send-options';
import { FlowPayload } from './flow-payload';
import type { HostDriver } from './live-host';

/**
 * Opens a sink for the updates of a flow, in a file.
 * @param source address of the flow's sender, where that is another host.
 */
export type FlowTraces = (flow: number, source?: string) => (update: ControlUpdate) => void;

export interface TrafficOptions {
  readonly destinationAddress: number;
  readonly destinationMac: number;
  /** Flows that run at the same time. */
  readonly flows: number;
  /** Flows in all, where another begins as one ends. Default: those that run at the same time. */
  readonly flowsInAll?: number | undefined;
  /** Flow ids count from it, modulo {@link flowIds}. */
  readonly firstFlow: number;
  readonly flowIds: number;
  readonly amount: TrafficAmount;
  /** Sends bytes that can be checked instead of zeros. */
  readonly withChecksum: boolean;
  readonly mss: Bytes;
  /** Class of the flows. Default: 0. */
  readonly dscp?: number | undefined;
  readonly admission?: AdmissionOptions | undefined;
  readonly traces?: FlowTraces | undefined;
}

interface SentFlow {
  readonly id: number;
  readonly control: MeteredControl;
  readonly payload: FlowPayload | undefined;
  readonly startedAt: Instant;
  offered: Bytes;
  isOpen: boolean;
  completed: FlowSample | undefined;
}

/** Flows that have ended of which a run keeps more than their sums, the latest ones. */
const ENDED_KEPT = 100;

/** Seconds that an open flow gets bytes ahead of its rate, and so sends too much at the end. */
const AHEAD_SECONDS = 0.02;
/** And at least so many segments. */
const AHEAD_SEGMENTS = 16;

/** The flows of one run: starts them, feeds those that end by time, and says how they do. */
export class Traffic {
  readonly #host: HostDriver;
  readonly #options: TrafficOptions;
  readonly #flows = new Map<number, SentFlow>();
  readonly #meters: FlowMeters;
  /** Flows that have ended while others follow them, and the latest of those. */
  readonly #tally = new TrafficTally();
  readonly #ended: FlowTotal[] = [];
  #begunAt: Instant = 0;
  #started = 0;
  #completed = 0;
  #endsAt: Instant = Infinity;

  /**
   * Starts the flows.
   * @throws InputError for a flow that cannot be.
   */
  constructor(host: HostDriver, options: TrafficOptions, meters: FlowMeters) {
    this.#host = host;
    this.#options = options;
    this.#meters = meters;
    host.act((agent, now) => {
      this.#begunAt = now;
      const { amount, flows } = options;
      if (amount.kind === 'time') this.#endsAt = now + amount.seconds * PS_PER_SECOND;
      const atOnce = Math.min(flows, this.#flowsInAll);
      for (let i = 0; i < atOnce; i++) this.#start(agent, now);
    });
  }

  get isComplete(): boolean {
    return this.#completed === this.#flowsInAll;
  }

  /** Sums of the flows that have ended and whose figures are not kept. */
  get tally(): TrafficTally {
    return this.#tally;
  }

  /** True if flows follow each other: then samples are of those that run. */
  get isSuccession(): boolean {
    return this.#options.flowsInAll !== undefined;
  }

  get #flowsInAll(): number {
    return this.#options.flowsInAll ?? this.#options.flows;
  }

  /** Bytes that the receiver has acknowledged so far, of all flows. */
  get acknowledgedBytes(): Bytes {
    return this.samples().reduce(
      (sum, { acknowledgedBytes }) => sum + acknowledgedBytes,
      this.#tally.bytes,
    );
  }

  /** Gives open flows more bytes, or their last ones; to be called more often than every 10 ms. */
  feed(): void {
    if (this.#options.amount.kind === 'bytes') return;
    this.#host.act((agent, now) => {
      for (const flow of this.#flows.values()) if (flow.isOpen) this.#feedFlow(agent, now, flow);
    });
  }

  handleEvent(event: HostEvent): void {
    if (event.kind !== 'flow-completed') return;
    const flow = this.#flows.get(event.flow);
    if (flow === undefined) return;
    const { bytes, segmentsRetransmitted, timeouts, startedAt, completedAt } = event;
    const seconds = (completedAt - startedAt) / PS_PER_SECOND;
    const uncontrolledSeconds = event.uncontrolledTime / PS_PER_SECOND;
    const acknowledgedBytes = bytes;
    const counted = { acknowledgedBytes, segmentsRetransmitted, timeouts, uncontrolledSeconds };
    const completed = { ...sampleOf(flow), ...counted, isComplete: true, seconds };
    this.#completed++;
    if (this.isSuccession) this.#succeed(flow, completed);
    else flow.completed = completed;
  }

  /** Another flow takes the place of one that has ended, of which the sums are kept. */
  #succeed(flow: SentFlow, completed: FlowSample): void {
    this.#flows.delete(flow.id);
    const total = flowTotal(completed, flow.payload?.digest());
    this.#tally.add(total, (flow.startedAt - this.#begunAt) / PS_PER_SECOND);
    this.#ended.push(total);
    if (this.#ended.length > ENDED_KEPT) this.#ended.shift();
    if (this.#started < this.#flowsInAll) {
      this.#host.act((agent, now) => this.#start(agent, now));
    }
  }

  /** All flows as they are now. */
  samples(): readonly FlowSample[] {
    return this.#host.act((agent, now) =>
      [...this.#flows.values()].map((flow) => this.#sample(agent, now, flow)),
    );
  }

  /** Totals at the end: of all flows together, and of each; of many that followed each other the latest. */
  totals(): { readonly flows: readonly FlowTotal[]; readonly total: TrafficTotal } {
    const running = this.samples().map((sample) =>
      flowTotal(sample, this.#flows.get(sample.flow)?.payload?.digest()),
    );
    for (const flow of running) {
      const startedAt = this.#flows.get(flow.flow)?.startedAt ?? this.#begunAt;
      this.#tally.add(flow, (startedAt - this.#begunAt) / PS_PER_SECOND);
    }
    return { flows: [...this.#ended, ...running], total: this.#tally.total() };
  }

  #start(agent: Agent, now: Instant): void {
    const { amount, firstFlow, destinationAddress, destinationMac, mss } = this.#options;
    const { dscp, admission } = this.#options;
    const id = (firstFlow + this.#started++) % this.#options.flowIds;
    const payload = this.#options.withChecksum ? new FlowPayload(id) : undefined;
    const isOpen = amount.kind === 'time';
    const bytes = amount.kind === 'time' ? AHEAD_SEGMENTS * mss : amount.bytes;
    const to = {
      destinationAddress,
      destinationMac,
      ...(dscp !== undefined && { dscp }),
      ...(admission && { admission }),
    };
    agent.startFlow(now, { id, ...to, bytes, isOpen, ...(payload && { payload: payload.write }) });
    const control = this.#meters.takeSent(id);
    if (this.#options.traces !== undefined) control.onUpdate(this.#options.traces(id));
    const started = { id, control, payload, startedAt: now };
    this.#flows.set(id, { ...started, offered: bytes, isOpen, completed: undefined });
  }

  #feedFlow(agent: Agent, now: Instant, flow: SentFlow): void {
    const { mss } = this.#options;
    if (now >= this.#endsAt) {
      flow.isOpen = false;
      this.#append(agent, now, { flow, bytes: mss });
      return;
    }
    const metrics = agent.flowMetrics(flow.id);
    assert(metrics !== undefined, 'an open flow is running');
    const ahead = flow.offered - metrics.sentBytesMax;
    const wanted = wantedAhead(metrics.congestion.pacingRate, mss);
    if (ahead < wanted / 2) this.#append(agent, now, { flow, bytes: wanted - ahead });
  }

  #append(
    agent: Agent,
    now: Instant,
    { flow, bytes }: { readonly flow: SentFlow; readonly bytes: Bytes },
  ): void {
    agent.appendToFlow(now, flow.id, { bytes, isLast: !flow.isOpen });
    flow.offered += bytes;
  }

  #sample(agent: Agent, now: Instant, flow: SentFlow): FlowSample {
    if (flow.completed !== undefined) return flow.completed;
    const metrics = agent.flowMetrics(flow.id);
    const seconds = (now - flow.startedAt) / PS_PER_SECOND;
    const {
      acknowledgedBytes = 0,
      segmentsRetransmitted = 0,
      timeouts = 0,
      uncontrolledTime = 0,
    } = metrics ?? {};
    const uncontrolledSeconds = uncontrolledTime / PS_PER_SECOND;
    const counted = { acknowledgedBytes, segmentsRetransmitted, timeouts, uncontrolledSeconds };
    return { ...sampleOf(flow), ...counted, isComplete: false, seconds };
  }
}

const sampleOf = ({ id, control }: SentFlow) => ({ flow: id, ...control.figures });

/** Bytes that a flow gets ahead, in whole segments, so that none leaves half full. */
function wantedAhead(rate: BitsPerSecond, mss: Bytes): Bytes {
  const segments = Math.ceil((rate * AHEAD_SECONDS) / 8 / mss);
  return Math.max(AHEAD_SEGMENTS, segments) * mss;
}
