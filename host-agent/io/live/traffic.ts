import { assert } from '../../../common/assert';
import { PS_PER_SECOND } from '../../../common/units/units';
import type { BitsPerSecond, Bytes, Instant } from '../../../common/units/units';
import type { FlowMeters } from '../../traffic/flow-meters';
import type { ControlUpdate, MeteredControl } from '../../traffic/metered-control';
import { flowTotal } from '../../traffic/traffic-report';
import type { FlowSample, FlowTotal } from '../../traffic/traffic-report';
import type { Agent } from '../../host/agent';
import type { HostEvent } from '../../host/host-events';
import type { AdmissionOptions } from '../../path/admission';
import type { TrafficAmount } from '../options/send-options';
import { FlowPayload } from './flow-payload';
import type { LiveHost } from './live-host';

/**
 * Opens a sink for the updates of a flow, in a file.
 * @param source address of the flow's sender, where that is another host.
 */
export type FlowTraces = (flow: number, source?: string) => (update: ControlUpdate) => void;

export interface TrafficOptions {
  readonly destinationAddress: number;
  readonly destinationMac: number;
  readonly flows: number;
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

/** Seconds that an open flow gets bytes ahead of its rate, and so sends too much at the end. */
const AHEAD_SECONDS = 0.02;
/** And at least so many segments. */
const AHEAD_SEGMENTS = 16;

/** The flows of one run: starts them, feeds those that end by time, and says how they do. */
export class Traffic {
  readonly #host: LiveHost;
  readonly #options: TrafficOptions;
  readonly #flows = new Map<number, SentFlow>();
  #endsAt: Instant = Infinity;

  /**
   * Starts the flows.
   * @throws InputError for a flow that cannot be.
   */
  constructor(host: LiveHost, options: TrafficOptions, meters: FlowMeters) {
    this.#host = host;
    this.#options = options;
    host.act((agent, now) => {
      const { amount, flows } = options;
      if (amount.kind === 'time') this.#endsAt = now + amount.seconds * PS_PER_SECOND;
      for (let i = 0; i < flows; i++) this.#start(agent, now, { index: i, meters });
    });
  }

  get isComplete(): boolean {
    return [...this.#flows.values()].every(({ completed }) => completed !== undefined);
  }

  /** Bytes that the receiver has acknowledged so far, of all flows. */
  get acknowledgedBytes(): Bytes {
    return this.samples().reduce((sum, { acknowledgedBytes }) => sum + acknowledgedBytes, 0);
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
    const { bytes, segmentsRetransmitted, uncontrolledTime, startedAt, completedAt } = event;
    const seconds = (completedAt - startedAt) / PS_PER_SECOND;
    const uncontrolledSeconds = uncontrolledTime / PS_PER_SECOND;
    const counted = { acknowledgedBytes: bytes, segmentsRetransmitted, uncontrolledSeconds };
    flow.completed = { ...sampleOf(flow), ...counted, isComplete: true, seconds };
  }

  /** All flows as they are now. */
  samples(): readonly FlowSample[] {
    return this.#host.act((agent, now) =>
      [...this.#flows.values()].map((flow) => this.#sample(agent, now, flow)),
    );
  }

  /** Totals at the end. */
  totals(): readonly FlowTotal[] {
    return this.samples().map((sample) =>
      flowTotal(sample, this.#flows.get(sample.flow)?.payload?.digest()),
    );
  }

  #start(
    agent: Agent,
    now: Instant,
    { index, meters }: { readonly index: number; readonly meters: FlowMeters },
  ): void {
    const { amount, firstFlow, destinationAddress, destinationMac, mss } = this.#options;
    const { dscp, admission } = this.#options;
    const id = (firstFlow + index) % this.#options.flowIds;
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
    const control = meters.takeSent(id);
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
      uncontrolledTime = 0,
    } = metrics ?? {};
    const uncontrolledSeconds = uncontrolledTime / PS_PER_SECOND;
    const counted = { acknowledgedBytes, segmentsRetransmitted, uncontrolledSeconds };
    return { ...sampleOf(flow), ...counted, isComplete: false, seconds };
  }
}

const sampleOf = ({ id, control }: SentFlow) => ({ flow: id, ...control.figures });

/** Bytes that a flow gets ahead, in whole segments, so that none leaves half full. */
function wantedAhead(rate: BitsPerSecond, mss: Bytes): Bytes {
  const segments = Math.ceil((rate * AHEAD_SECONDS) / 8 / mss);
  return Math.max(AHEAD_SEGMENTS, segments) * mss;
}
