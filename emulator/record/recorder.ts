import type { Duration, Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import { Alarm } from '../kernel/alarm';
import type { EventQueue } from '../kernel/event-queue';
import type { SwitchNode } from '../node/switch-node';
import type { HostNode } from '../node/host-node';
import type { FlowSeries } from '../result/result';
import { QueueSamples } from './queue-samples';
import type { TimelineRecorder } from './timelines';

const SAMPLE_QUEUES = 0;
const SAMPLE_FLOWS = 1;

export interface RecordedFlow {
  /** Number of the flow in the scenario, from 1. */
  readonly number: number;
  readonly sender: HostNode;
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
}

/** A queue whose length is sampled. */
export interface RecordedPort {
  readonly node: SwitchNode;
  readonly port: PortNumber;
  readonly link: string;
}

export interface RecorderOptions {
  readonly queue: EventQueue;
  /** Number of the recorder among the targets of the queue. */
  readonly source: number;
  readonly queueInterval: Duration;
  readonly flowInterval: Duration;
  readonly ports: readonly RecordedPort[];
  readonly flows: readonly RecordedFlow[];
  /** Only the first flows are sampled. */
  readonly sampledFlows: number;
  /** Sees every sample of the queues. */
  readonly timelines: TimelineRecorder;
  /** Number of each port's link among those of the timelines. */
  readonly linkOfPort: readonly number[];
  /** Whether a host is run here. */
  readonly isHere: (host: string) => boolean;
}

/** PERF: a fabric has a thousand ports, of which few have a queue at the time of a sample. */
interface SampledNode {
  readonly node: SwitchNode;
  /** Notes what waits at a port. */
  readonly sample: (port: PortNumber) => void;
}

/** Samples queues and flows at fixed instants of virtual time; it changes nothing. */
export class Recorder {
  readonly #alarm: Alarm;
  readonly #o: RecorderOptions;
  /** Of each port. */
  readonly #queues: readonly QueueSamples[];
  readonly #nodes: readonly SampledNode[];
  readonly #series: readonly FlowSeries[];
  #samples = 0;

  constructor(options: RecorderOptions) {
    this.#o = options;
    this.#alarm = new Alarm(options.source, (now, what) => this.#sample(now, what));
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

  /** How often queues were sampled: at 0, 1, 2, … intervals since time 0. */
  get samples(): number {
    return this.#samples;
  }

  /** Lengths above 0 of each port's queue: numbers of samples and bytes in turn. */
  get queueSamples(): Uint32Array[] {
    return this.#queues.map((queue) => queue.pairs);
  }

  get series(): readonly FlowSeries[] {
    return this.#series;
  }

  #schedule(at: Instant, what: number): void {
    this.#o.queue.schedule(at, this.#alarm, what);
  }

  #sampleQueues(): void {
    for (const { node, sample } of this.#nodes) node.forEachWaitingPort(sample);
    this.#samples++;
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
      samples.add(this.#samples, bytes);
      timelines.noteQueue(links[port] as number, bytes);
    };
  }

  #sampleFlows(now: Instant): void {
    this.#series.forEach((series, i) => {
      const flow = this.#o.flows[i] as RecordedFlow;
      if (!this.#o.isHere(flow.sender.name)) {
        // Whoever runs the sender does not know what has arrived here.
        if (this.#o.isHere(flow.destination)) series.deliveredBytes.push(flow.deliveredBytes);
        return;
      }
      const metrics = flow.sender.agent.flowMetrics(flow.id);
      if (metrics === undefined) return;
      series.timeUs.push(now / PS_PER_US);
      series.rateGbps.push(rounded(metrics.congestion.pacingRate / 1e9));
      series.windowBytes.push(rounded(metrics.congestion.windowBytes));
      series.normalizedInflight.push(rounded(metrics.congestion.normalizedInflight));
      series.deliveredBytes.push(flow.deliveredBytes);
    });
  }
}

/** Four decimals are more than any plot shows and a third of the file. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
