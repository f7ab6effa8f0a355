import { assert } from '../../common/assert';
import type { Duration, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Delivery } from '../../host-agent/transport/host-config';
import type { HostEvent } from '../../host-agent/transport/host-events';
import type { EventQueue, EventTarget } from '../kernel/event-queue';
import type { HostNode } from '../node/host-node';
import type { RecordedFlow } from '../record/recorder';
import type { FlowDocument } from '../scenario/schema';
import { gatewayMac } from './build-network';
import type { Network } from './build-network';
import { idealCompletionTime } from './paths';
import type { FrameSizes, Paths } from './paths';
import type { NetworkPlan } from './plan';

export interface RunningFlow extends RecordedFlow {
  readonly source: string;
  readonly destination: string;
  readonly bytes: number;
  readonly idealTime: Duration;
}

export interface FlowRunnerOptions {
  readonly documents: readonly FlowDocument[];
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly queue: EventQueue;
  readonly paths: Paths;
  readonly frames: FrameSizes;
}

/** Starts the scenario's flows when they are due and follows them until they are complete. */
export class FlowRunner implements EventTarget {
  readonly flows: readonly RunningFlow[];
  readonly #o: FlowRunnerOptions;
  readonly #bySender = new Map<string, RunningFlow>();
  #unfinished: number;
  readonly #rejections: Record<string, number> = {};

  constructor(options: FlowRunnerOptions) {
    this.#o = options;
    const ids = new Map<string, number>();
    this.flows = options.documents.map((document, i) => {
      const id = ids.get(document.from) ?? 0;
      ids.set(document.from, (id + 1) & 0xffff);
      return this.#plan(document, i + 1, id);
    });
    this.#unfinished = this.flows.length;
  }

  get isDone(): boolean {
    return this.#unfinished === 0;
  }

  /** Packets that hosts refused, by reason. */
  get rejections(): Readonly<Record<string, number>> {
    return this.#rejections;
  }

  start(): void {
    this.flows.forEach(({ startsAt }, index) => {
      this.#o.queue.schedule({ at: startsAt, target: this, kind: 0, port: index });
    });
  }

  handleEvent(now: Instant, _kind: number, index: number): void {
    const flow = this.flows[index];
    assert(flow !== undefined, `flow ${index} is one of the scenario`);
    const { plan } = this.#o;
    const destination = plan.topology.hosts.find(({ name }) => name === flow.destination);
    assert(destination !== undefined, `host ${flow.destination} is in the plan`);
    this.#bySender.set(key(flow.sender.name, flow.id), flow);
    flow.sender.agent.startFlow(now, {
      id: flow.id,
      destinationAddress: destination.ipv4,
      destinationMac: gatewayMac(plan, flow.source),
      bytes: flow.bytes,
    });
    flow.sender.pump(now);
  }

  delivered(delivery: Delivery): void {
    const { hosts } = this.#o.plan.topology;
    const source = hosts.find(({ ipv4 }) => ipv4 === delivery.sourceAddress);
    const flow = this.#bySender.get(key(source?.name ?? '', delivery.flow));
    if (flow !== undefined) flow.deliveredBytes += delivery.length;
  }

  hostEvent(host: HostNode, event: HostEvent): void {
    if (event.kind === 'packet-rejected') {
      this.#rejections[event.reason] = (this.#rejections[event.reason] ?? 0) + 1;
    }
    if (event.kind !== 'flow-completed') return;
    const flow = this.#bySender.get(key(host.name, event.flow));
    assert(flow !== undefined, `flow ${event.flow} of ${host.name} was started here`);
    flow.completedAt = event.completedAt;
    flow.retransmittedSegments = event.segmentsRetransmitted;
    this.#unfinished--;
  }

  #plan(document: FlowDocument, number: number, id: number): RunningFlow {
    const { network, paths, frames } = this.#o;
    const { from, to, bytes } = document;
    const sender = network.hosts.get(from);
    assert(sender !== undefined, `${from} is a host of the network`);
    return {
      number,
      id,
      sender,
      source: from,
      destination: to,
      bytes,
      startsAt: ORIGIN + microseconds(document.startUs),
      idealTime: idealCompletionTime(paths.between(from, to), frames, bytes),
      deliveredBytes: 0,
      completedAt: undefined,
      retransmittedSegments: 0,
    };
  }
}

const key = (host: string, id: number): string => `${host}/${id}`;
