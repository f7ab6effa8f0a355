import type { Duration, Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { CongestionMetrics } from '../../host-agent/algorithm/congestion-control';
import { Alarm } from '../kernel/alarm';
import type { EventQueue } from '../kernel/event-queue';
import type { SwitchNode } from '../node/switch-node';
import type { HostNode } from '../node/host-node';
import type { FlowSeries } from '../result/result';
import { QueueSamples } from './queue-samples';
import type { TimelineRecorder } from './timelines';
import type { RunObserver } from './run-observer';

const SAMPLE_QUEUES = 0;
const SAMPLE_FLOWS = 1;
/**
 * Samples of a queue that are kept, and of all queues together; then two neighbours become one. Up to 128
 * ports: 105 ms at 100 ns each.
 */
const QUEUE_SAMPLES_MAX = 2 ** 20;
const QUEUES_SAMPLES_MAX = 2 ** 27;
const QUEUE_SAMPLES_MIN = 2 ** 12;
/** And of a flow, of all flows together, and of a flow among many; then every other one goes. */
const FLOW_SAMPLES_MAX = 2 ** 15;
const FLOWS_SAMPLES_MAX = 2 ** 21;
const FLOW_SAMPLES_MIN = 2 ** 9;

export interface RecordedFlow {
  /** Number of the flow in the scenario, from 1. */
  readonly number: number;
  readonly sender: HostNode;
  readonly receiver: HostNode;
  /** IPv4 address of the sender. */
  readonly sourceAddress: number;
  readonly destination: string;
  /** Id under which the sender runs it. */
  readonly id: number;
  /** When it started, or may start at the earliest. */
  startsAt: Instant;
  /** Payload bytes delivered in order so far. */
  deliveredBytes: number;
  /** When the last acknowledgement arrived at the sender. */
  completedAt: Instant | undefined;
  retransmittedSegments: number;
  /** Time for which it has sent without control. */
  uncontrolledTime: Duration;
  /** Responses of switches that it has got, where they alone control it. */
  switchResponses: number;
}

/** A queue whose length is sampled. */
export interface RecordedPort {
  readonly node: SwitchNode;
  readonly port: PortNumber;
  readonly link: string;
}

export interface RecorderOptions {
  readonly queue: EventQueue;
  readonly queueInterval: Duration;
  readonly flowInterval: Duration;
  readonly ports: readonly RecordedPort[];
  readonly flows: readonly RecordedFlow[];
  /** Number of sampled flows: the first ones. */
  readonly sampledFlows: number;
  /** Sees every sample of the queues. */
  readonly timelines: TimelineRecorder;
  /** Number of each port's link among those of the timelines. */
  readonly linkOfPort: readonly number[];
  /** True if a host is run here. */
  readonly isHere: (host: string) => boolean;
  /** True if receivers run the algorithm. */
  readonly controlsAtReceiver: boolean;
}

/** PERF: a fabric has a thousand ports, of which few have a queue at the time of a sample. */
interface SampledNode {
  readonly node: SwitchNode;
  /** Notes what waits at a port. */
  readonly sample: (port: PortNumber) => void;
}

/** Samples queues and flows at fixed instants of virtual time; it changes nothing. */
export class Recorder implements RunObserver {
  readonly #alarm: Alarm;
  readonly #o: RecorderOptions;
  /** Samples of each port's queue. */
  readonly #queues: readonly QueueSamples[];
  readonly #nodes: readonly SampledNode[];
  readonly #series: readonly FlowSeries[];
  readonly #queueSamplesMax: number;
  #samples = 0;
  /** Number of queue samples merged into one. */
  #queueStride = 1;
  readonly #flowSamplesMax: number;
  #flowTicks = 0;
  #flowStride = 1;

  constructor(options: RecorderOptions) {
    this.#o = options;
    this.#alarm = new Alarm(options.queue, options.queue.newSource(), (now, what) =>
      this.#sample(now, what),
    );
    this.#queues = options.ports.map(() => new QueueSamples());
    const nodes = new Set(options.ports.map(({ node }) => node));
    this.#nodes = Array.from(nodes, (node) => ({ node, sample: this.#samplerOf(node) }));
    this.#series = options.flows.slice(0, options.sampledFlows).map(({ number }) => ({
      flow: number,
      timeUs: [],
      rateGbps: [],
      windowBytes: [],
      normalizedInflight: [],
      deliveredBytes: [],
    }));
    const flows = { all: FLOWS_SAMPLES_MAX, most: FLOW_SAMPLES_MAX, least: FLOW_SAMPLES_MIN };
    this.#flowSamplesMax = shareOf(this.#series.length, flows);
    const queues = { all: QUEUES_SAMPLES_MAX, most: QUEUE_SAMPLES_MAX, least: QUEUE_SAMPLES_MIN };
    this.#queueSamplesMax = shareOf(options.ports.length, queues);
  }

  start(): void {
    this.#schedule(0, SAMPLE_QUEUES);
    this.#schedule(0, SAMPLE_FLOWS);
  }

  #sample(now: Instant, what: number): void {
    if (what === SAMPLE_QUEUES) {
      this.#o.timelines.sample(now);
      this.#sampleQueues();
      this.#schedule(now + this.#o.queueInterval, SAMPLE_QUEUES);
    } else {
      this.#sampleFlows(now);
      this.#schedule(now + this.#o.flowInterval, SAMPLE_FLOWS);
    }
  }

  /** Number of queue samples: at 0, 1, 2, … times {@link queueInterval} since time 0. */
  get samples(): number {
    return Math.ceil(this.#samples / this.#queueStride);
  }

  /** Interval between two samples that are kept; longer in a long run. */
  get queueInterval(): Duration {
    return this.#o.queueInterval * this.#queueStride;
  }

  /** The same of flows. */
  get flowInterval(): Duration {
    return this.#o.flowInterval * this.#flowStride;
  }

  /** Lengths above 0 of each port's queue: numbers of samples and bytes in turn. */
  get queueSamples(): Uint32Array[] {
    return this.#queues.map((queue) => queue.pairs);
  }

  get series(): readonly FlowSeries[] {
    return this.#series;
  }

  #schedule(at: Instant, what: number): void {
    this.#alarm.set(at, what);
  }

  #sampleQueues(): void {
    for (const { node, sample } of this.#nodes) node.forEachWaitingPort(sample);
    this.#samples++;
    if (this.#samples < this.#queueSamplesMax * this.#queueStride) return;
    for (const queue of this.#queues) queue.halve();
    this.#queueStride *= 2;
  }

  #samplerOf(node: SwitchNode): SampledNode['sample'] {
    const { timelines, linkOfPort, ports } = this.#o;
    const queues: (QueueSamples | undefined)[] = [];
    const links: number[] = [];
    ports.forEach((each, i) => {
      if (each.node !== node) return;
      queues[each.port] = this.#queues[i];
      links[each.port] = linkOfPort[i] as number;
    });
    return (port) => {
      const bytes = node.device.queueBytes(port);
      const samples = queues[port];
      if (bytes === 0 || samples === undefined) return;
      samples.add(Math.floor(this.#samples / this.#queueStride), bytes);
      timelines.noteQueue(links[port] as number, bytes);
    };
  }

  #halveFlows(): void {
    for (const series of this.#series) halved(series, this.flowInterval);
    this.#flowStride *= 2;
  }

  #sampleFlows(now: Instant): void {
    const tick = this.#flowTicks++;
    if (tick % this.#flowStride !== 0) return;
    if (tick / this.#flowStride >= this.#flowSamplesMax) this.#halveFlows();
    this.#series.forEach((series, i) => {
      const flow = this.#o.flows[i] as RecordedFlow;
      if (!this.#o.isHere(flow.sender.name)) {
        if (this.#o.isHere(flow.destination)) this.#sampleReceiver(series, flow);
        return;
      }
      const metrics = flow.sender.agent.senderMetrics(flow.id);
      if (metrics === undefined) return;
      series.timeUs.push(now / PS_PER_US);
      series.rateGbps.push(rounded(metrics.pacingRate / 1e9));
      series.windowBytes.push(rounded(metrics.windowBytes));
      series.normalizedInflight.push(rounded(normalizedInflightOf(flow, metrics) ?? 0));
      series.deliveredBytes.push(flow.deliveredBytes);
    });
  }

  /** The part with the sender knows neither what has arrived here nor what an algorithm here has found. */
  #sampleReceiver(series: FlowSeries, flow: RecordedFlow): void {
    series.deliveredBytes.push(flow.deliveredBytes);
    if (!this.#o.controlsAtReceiver) return;
    series.normalizedInflight.push(rounded(normalizedInflightOf(flow, undefined) ?? 0));
  }
}

/** U where it is known: at the end of the flow that runs the algorithm. */
export function normalizedInflightOf(
  { id, receiver, sourceAddress }: RecordedFlow,
  atSender: CongestionMetrics | undefined,
): number | null {
  if (atSender !== undefined && atSender.normalizedInflight !== null) {
    return atSender.normalizedInflight;
  }
  return receiver.agent.receiverMetrics(sourceAddress, id)?.normalizedInflight ?? null;
}

interface Room {
  readonly all: number;
  readonly most: number;
  readonly least: number;
}

/** Samples for each of `count` series: a power of two, so that halves are whole numbers. */
function shareOf(count: number, { all, most, least }: Room): number {
  const share = 2 ** Math.floor(Math.log2(all / Math.max(1, count)));
  return Math.max(least, Math.min(most, share));
}

/** Every other sample: in all parts of a run those of the same instants. */
function halved(series: FlowSeries, interval: Duration): void {
  const { flow: _flow, ...columns } = series;
  const times = [...series.timeUs];
  const isKept = (i: number): boolean => {
    const us = times[i];
    // A flow that is only received has a sample of each interval, from time 0 on.
    const number = us === undefined ? i : Math.round((us * PS_PER_US) / interval);
    return number % 2 === 0;
  };
  for (const column of Object.values(columns)) {
    const kept = column.filter((_, i) => isKept(i));
    column.length = 0;
    for (const value of kept) column.push(value);
  }
}

/** Four decimals are more than any plot shows and a third of the file. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
