import { assert } from '../../common/assert';
import type { Duration, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Delivery } from '../../host-agent/host/host-config';
import type { HostEvent } from '../../host-agent/host/host-events';
import { Alarm } from '../kernel/alarm';
import type { EventQueue } from '../kernel/event-queue';
import type { HostNode } from '../node/host-node';
import type { RecordedFlow } from '../record/recorder';
import type { AdmissionOptions } from '../../host-agent/path/admission';
import type { Connection } from '../workload/connection';
import { MessageSchedule } from '../workload/message-schedule';
import type { DueMessage } from '../workload/message-schedule';
import { gatewayMac } from './build-network';
import type { Network } from './build-network';
import type { IdealTimes } from '../network/ideal-completion';
import type { NetworkPlan } from '../network/plan';

export interface RunningFlow extends RecordedFlow {
  readonly source: string;
  readonly destination: string;
  readonly bytes: number;
  readonly dscp: number | undefined;
  readonly admission: AdmissionOptions | undefined;
  readonly idealTime: Duration;
  /** Who starts the flow: its source, unless its destination fetches it. */
  readonly starter: HostNode;
}

export interface FlowRunnerOptions {
  /** In the order of the scenario. */
  readonly connections: readonly Connection[];
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly queue: EventQueue;
  /** Numbers of the hosts' starts among the targets of the queue, in the order of the plan. */
  readonly sources: readonly number[];
  readonly idealTimes: IdealTimes;
  /** The destination of a flow starts it, and fetches its bytes from the source. */
  readonly isStartedByReceiver: boolean;
  /** Whether a host is run here. */
  readonly isHere: (host: string) => boolean;
  readonly observer?: FlowObserver | undefined;
}

/** Told when flows that are run here begin and end. */
export interface FlowObserver {
  flowBegan(now: Instant, flow: number): void;
  flowCompleted(at: Instant, flow: number): void;
}

/** The earliest instant at which a connection's flow may begin. */
export const earliestStart = ({ messages }: Connection): Instant =>
  ORIGIN + microseconds(messages[0]?.startUs ?? 0);

/**
 * Starts the scenario's flows when they are due, appends their messages when what these wait for has
 * arrived, and follows them until they are complete.
 */
export class FlowRunner {
  readonly flows: readonly RunningFlow[];
  readonly schedule: MessageSchedule;
  readonly #o: FlowRunnerOptions;
  /** Each host has its own, so that the order of its starts does not depend on other hosts. */
  readonly #alarms: ReadonlyMap<HostNode, Alarm>;
  /** By the node that starts or sends it and its id there. PERF: numbers, asked for per packet. */
  readonly #byHost = new Map<HostNode, Map<number, RunningFlow>>();
  /** By the address of that node, as a signed number, and id. PERF: for each packet that arrives. */
  readonly #flowsAt = new Map<number, (RunningFlow | undefined)[]>();
  #unfinished: number;
  readonly #rejections: Record<string, number> = {};

  constructor(options: FlowRunnerOptions) {
    this.#o = options;
    const alarms = new Map<HostNode, Alarm>();
    const addresses = new Map<HostNode, number>();
    options.plan.topology.hosts.forEach(({ name, ipv4 }, i) => {
      const host = options.network.hosts.get(name);
      const source = options.sources[i];
      assert(host !== undefined && source !== undefined, `host ${name} is part of the network`);
      addresses.set(host, ipv4 | 0);
      this.#flowsAt.set(ipv4 | 0, []);
      alarms.set(host, new Alarm(source, (now, index) => this.#offer(now, index)));
    });
    this.#alarms = alarms;
    const ids = new Map<string, number>();
    this.flows = options.connections.map((connection, i) => {
      // Where both ends know a flow by its id, all flows have different ones.
      const owner = options.isStartedByReceiver ? '' : connection.from;
      const id = ids.get(owner) ?? 0;
      ids.set(owner, (id + 1) & 0xffff);
      return this.#plan(connection, i + 1, id);
    });
    for (const flow of this.flows) {
      for (const host of [flow.sender, flow.starter]) {
        const known = this.#flowsOf(host);
        if (known.has(flow.id)) continue;
        known.set(flow.id, flow);
        const at = this.#flowsAt.get(addresses.get(host) as number);
        if (at !== undefined) at[flow.id] = flow;
      }
    }
    this.schedule = new MessageSchedule(options.connections);
    this.#unfinished = this.flows.length;
  }

  get isDone(): boolean {
    return this.#unfinished === 0;
  }

  /** Flows that are complete, or were given up, as far as their hosts are run here. */
  get finished(): number {
    return this.flows.length - this.#unfinished;
  }

  /** Packets that hosts refused, by reason. */
  get rejections(): Readonly<Record<string, number>> {
    return this.#rejections;
  }

  start(): void {
    this.#scheduleAll(this.schedule.start());
  }

  #offer(now: Instant, index: number): void {
    const flow = this.flows[index];
    assert(flow !== undefined, `flow ${index} is one of the scenario`);
    const { bytes, isFirst, isLast, due } = this.schedule.offer(now, index);
    if (isFirst) this.#begin(now, flow, { bytes, isOpen: !isLast });
    else flow.starter.agent.appendToFlow(now, flow.id, { bytes, isLast });
    this.#scheduleAll(due);
    flow.starter.pump(now);
  }

  delivered(now: Instant, delivery: Delivery): void {
    const flow = this.#flowsAt.get(delivery.sourceAddress | 0)?.[delivery.flow];
    if (flow === undefined) return;
    flow.deliveredBytes += delivery.length;
    if (flow.deliveredBytes < this.schedule.nextArrival(flow.number - 1)) return;
    this.#scheduleAll(this.schedule.delivered(now, flow.number - 1, flow.deliveredBytes));
  }

  hostEvent(host: HostNode, event: HostEvent): void {
    if (event.kind === 'packet-rejected') {
      this.#rejections[event.reason] = (this.#rejections[event.reason] ?? 0) + 1;
    }
    // A flow that was given up stays without a time of completion.
    if (event.kind === 'flow-failed') this.#unfinished--;
    if (event.kind !== 'flow-completed') return;
    const flow = this.#byHost.get(host)?.get(event.flow);
    assert(flow !== undefined, `flow ${event.flow} of ${host.name} was started here`);
    flow.completedAt = event.completedAt;
    this.#o.observer?.flowCompleted(event.completedAt, flow.number);
    flow.retransmittedSegments = event.segmentsRetransmitted;
    this.#unfinished--;
  }

  #flowsOf(host: HostNode): Map<number, RunningFlow> {
    const known = this.#byHost.get(host) ?? new Map<number, RunningFlow>();
    this.#byHost.set(host, known);
    return known;
  }

  #scheduleAll(due: readonly DueMessage[]): void {
    for (const { connection, at } of due) {
      const { starter } = this.flows[connection] as RunningFlow;
      if (!this.#o.isHere(starter.name)) continue;
      this.#o.queue.schedule(at, this.#alarms.get(starter) as Alarm, connection);
    }
  }

  #begin(
    now: Instant,
    flow: RunningFlow,
    { bytes, isOpen }: { readonly bytes: number; readonly isOpen: boolean },
  ): void {
    const { plan } = this.#o;
    const { starter, sender, source, destination } = flow;
    const peerName = starter === sender ? destination : source;
    const peer = plan.topology.hosts.find(({ name }) => name === peerName);
    assert(peer !== undefined, `host ${peerName} is in the plan`);
    for (const host of [sender, starter]) this.#flowsOf(host).set(flow.id, flow);
    flow.startsAt = now;
    this.#o.observer?.flowBegan(now, flow.number);
    starter.agent.startFlow(now, {
      id: flow.id,
      destinationAddress: peer.ipv4,
      destinationMac: gatewayMac(plan, starter.name),
      bytes,
      isOpen,
      ...(flow.dscp !== undefined && { dscp: flow.dscp }),
      ...(flow.admission !== undefined && { admission: flow.admission }),
    });
  }

  #plan(connection: Connection, number: number, id: number): RunningFlow {
    const { network, idealTimes, isStartedByReceiver } = this.#o;
    const { from, to, messages } = connection;
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    const sender = network.hosts.get(from);
    const starter = network.hosts.get(isStartedByReceiver ? to : from);
    assert(sender !== undefined, `${from} is a host of the network`);
    assert(starter !== undefined, `${to} is a host of the network`);
    return {
      number,
      id,
      sender,
      starter,
      source: from,
      destination: to,
      dscp: connection.dscp,
      admission: admissionOf(connection),
      bytes,
      startsAt: earliestStart(connection),
      idealTime: idealTimes.of(from, to, bytes),
      deliveredBytes: 0,
      completedAt: undefined,
      retransmittedSegments: 0,
    };
  }
}

function admissionOf({ admission }: Connection): AdmissionOptions | undefined {
  if (admission === undefined) return undefined;
  const { loadBelow, withinUs } = admission;
  return {
    ...(loadBelow !== undefined && { loadBelow }),
    ...(withinUs !== undefined && { within: microseconds(withinUs) }),
  };
}
