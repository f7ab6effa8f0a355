import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import type { Delivery } from '../../host-agent/host/host-config';
import type { HostEvent } from '../../host-agent/host/host-events';
import { Alarm } from '../kernel/alarm';
import type { VirtualTime } from '../kernel/virtual-time';
import type { ObserversOf } from '../kernel/observer-list';
import type { HostNode } from '../node/host-node';
import type { RecordedFlow } from '../record/recorder';
import type { RunEvents, RunObserver } from '../record/run-observer';
import type { AdmissionOptions } from '../../host-agent/path/admission';
import type { Connection } from '../workload/connection';
import type { DueMessage, Schedule, Span } from '../workload/message-schedule';
import { RunSchedule } from '../workload/tasks/run-schedule';
import type { PlacedTrace } from '../workload/tasks/placed-trace';
import type { TaskSchedule } from '../workload/tasks/task-schedule';
import type { PassingSchedule } from '../workload/passing-schedule';
import type { TrafficStream } from '../workload/traffic-stream';
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
  /** A link joins its hosts, over which nobody else sends. */
  readonly isDirect: boolean;
  /** Host that starts the flow: its source, unless its destination fetches it. */
  readonly starter: HostNode;
  /** It is complete, or was given up. */
  isOver: boolean;
  /** Bytes whose arrival the schedule waits for; NaN: it is to be asked. */
  awaitedBytes: Bytes;
}

export interface FlowRunnerOptions {
  /** Connections in the order of the scenario; the first ones of a stream. */
  readonly connections: readonly Connection[];
  /** Traces among the workloads, whose tasks decide about messages of their connections. */
  readonly traces: readonly PlacedTrace[];
  /** Flows that are too many to be held; present only where they are. */
  readonly stream: TrafficStream | undefined;
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly time: VirtualTime;
  /** Numbers of the hosts' starts among the sources of their queues, in the order of the plan. */
  readonly sources: readonly number[];
  readonly idealTimes: IdealTimes;
  /** The destination of a flow starts it, and fetches its bytes from the source. */
  readonly isStartedByReceiver: boolean;
  /** Ids that flows of a host can have; more flows take the ids of finished ones again. */
  readonly flowIds: number;
  /** True if a host is run here. */
  readonly isHere: (host: string) => boolean;
  readonly observers: ObserversOf<RunEvents>;
  /** A flow of a host that is run here has ended. */
  readonly onFinished: (now: Instant) => void;
  /** A flow of the stream has ended, and is forgotten unless it is one of the first. */
  readonly onFolded: (flow: RunningFlow) => void;
}

/** Flows of a host by id. PERF: an array where ids are dense, a map where flows are forgotten. */
interface FlowsById {
  get(id: number): RunningFlow | undefined;
  set(id: number, flow: RunningFlow): void;
}

class DenseFlows implements FlowsById {
  readonly #flows: (RunningFlow | undefined)[] = [];

  get(id: number): RunningFlow | undefined {
    return this.#flows[id];
  }

  set(id: number, flow: RunningFlow): void {
    this.#flows[id] = flow;
  }
}

/** The earliest instant at which a connection's flow may begin. */
export const earliestStart = ({ messages }: Connection): Instant =>
  ORIGIN + microseconds(messages[0]?.startUs ?? 0);

/**
 * Starts the scenario's flows when they are due, appends their messages when what these wait for has
 * arrived, and follows them until they are complete.
 */
export class FlowRunner implements RunObserver {
  /** Flows in the order of the scenario; the first ones of a stream. */
  readonly flows: readonly RunningFlow[];
  readonly #schedule: Schedule;
  /** Schedule of messages where all connections are held. */
  readonly #messages: RunSchedule | undefined;
  readonly #stream: PassingSchedule | undefined;
  /** Flows of the stream beyond the first ones that have been announced and have not ended. */
  readonly #passing = new Map<number, RunningFlow>();
  /** Next id of each host. */
  readonly #ids = new Map<string, number>();
  /** Payload delivered of flows that are held no more. */
  #foldedBytes = 0;
  readonly #o: FlowRunnerOptions;
  readonly #addresses: ReadonlyMap<string, number>;
  /** Pairs of hosts that a link joins, as {@link pairOf} writes them. */
  readonly #joined: ReadonlySet<string>;
  /** Each host has its own, so that the order of its starts does not depend on other hosts. */
  readonly #alarms: ReadonlyMap<HostNode, Alarm>;
  /**
   * Flows by the node that starts or sends them, and their id there. PERF: numbers, looked up per
   * packet.
   */
  readonly #byHost = new Map<HostNode, Map<number, RunningFlow>>();
  /**
   * Flows by the address of that node, as a signed number, and id. PERF: for each packet that
   * arrives.
   */
  readonly #flowsAt = new Map<number, FlowsById>();
  #finished = 0;
  readonly #rejections: Record<string, number> = {};

  constructor(options: FlowRunnerOptions) {
    this.#o = options;
    const alarms = new Map<HostNode, Alarm>();
    options.plan.topology.hosts.forEach(({ name, ipv4 }, i) => {
      const host = options.network.hosts.get(name);
      const source = options.sources[i];
      assert(host !== undefined && source !== undefined, `host ${name} is part of the network`);
      this.#flowsAt.set(ipv4 | 0, options.stream === undefined ? new DenseFlows() : new Map());
      alarms.set(
        host,
        new Alarm(options.time.queueOf(name), source, (now, index) => this.#offer(now, index)),
      );
    });
    this.#alarms = alarms;
    this.#addresses = new Map(options.plan.topology.hosts.map(({ name, ipv4 }) => [name, ipv4]));
    this.#joined = joinedHosts(options.plan);
    this.flows = options.connections.map((connection, i) => this.#plan(connection, i));
    const { stream, connections } = options;
    this.#stream = stream?.newSchedule();
    this.#messages =
      stream === undefined ? new RunSchedule(connections, options.traces) : undefined;
    this.#schedule = this.#stream ?? (this.#messages as RunSchedule);
    if (stream !== undefined) return;
    // A flow whose id is used several times is known from its beginning on.
    for (const flow of this.flows) {
      for (const host of [flow.sender, flow.starter]) {
        if (!this.#flowsOf(host).has(flow.id)) this.#follow(host, flow);
      }
    }
  }

  /** Number of all flows of the run, as far as they are known. */
  get count(): number {
    return this.#stream?.count ?? this.flows.length;
  }

  /** True while it is not known whether more flows follow. */
  get isOpen(): boolean {
    return this.#stream?.isOpen ?? false;
  }

  get isDone(): boolean {
    return !this.isOpen && this.#finished === this.count;
  }

  /** Flows that are complete, or were given up, as far as their hosts are run here. */
  get finished(): number {
    return this.#finished;
  }

  /** Payload delivered in order so far, of all flows. */
  get deliveredBytes(): Bytes {
    let bytes = this.#foldedBytes;
    for (const flow of this.flows) bytes += flow.deliveredBytes;
    for (const flow of this.#passing.values()) bytes += flow.deliveredBytes;
    return bytes;
  }

  /** Payload of all flows. */
  get bytes(): Bytes {
    return this.#stream?.bytes ?? this.flows.reduce((sum, flow) => sum + flow.bytes, 0);
  }

  /** The span of a connection that is held; nothing is known of one of a stream. */
  span(index: number): Span {
    return this.#messages?.span(index) ?? { from: undefined, to: undefined };
  }

  /** The span of a workload of the stream. */
  workloadSpan(workload: number): Span {
    return this.#stream?.workloadSpan(workload) ?? { from: undefined, to: undefined };
  }

  /** Flows of the stream that have been announced and have not ended. */
  *open(): Iterable<RunningFlow> {
    for (const flow of this.flows) if (!flow.isOver) yield flow;
    yield* this.#passing.values();
  }

  /** Flows of the stream that were never due. To be called when the run has ended: no flow follows. */
  *neverDue(): Iterable<RunningFlow> {
    for (const { index, connection } of this.#stream?.rest() ?? []) {
      if (this.flows[index] === undefined) yield this.#plan(connection, index);
    }
  }

  /** Packets that hosts refused, by reason. */
  get rejections(): Readonly<Record<string, number>> {
    return this.#rejections;
  }

  start(): void {
    this.#scheduleAll(this.#schedule.start());
  }

  /** Schedules of the traces, with what has happened when. */
  get tasks(): readonly TaskSchedule[] {
    return this.#messages?.tasks ?? [];
  }

  #offer(now: Instant, index: number): void {
    if (index >= (this.#stream?.firstWake ?? this.flows.length)) {
      this.#wake(now, index);
      return;
    }
    const flow = this.#flow(index);
    const { bytes, isFirst, isLast, due } = this.#schedule.offer(now, index);
    flow.awaitedBytes = NaN;
    if (isFirst) this.#begin(now, flow, { bytes, isOpen: !isLast });
    else flow.starter.agent.appendToFlow(now, flow.id, { bytes, isLast });
    this.#scheduleAll(due);
    flow.starter.pump(now);
  }

  #wake(now: Instant, number: number): void {
    this.#scheduleAll((this.#stream ?? this.#messages)?.wake(now, number) ?? []);
    // Flows may have ended before it was known that none follows; ranks may need none.
    const isUntold = this.#stream !== undefined || this.count === 0;
    if (isUntold && this.isDone) this.#o.onFinished(now);
  }

  delivered(_host: string, delivery: Delivery, now: Instant): void {
    const flow = this.#flowsAt.get(delivery.sourceAddress | 0)?.get(delivery.flow);
    if (flow === undefined) return;
    flow.deliveredBytes += delivery.length;
    // PERF: the schedule keeps what it knows of a connection elsewhere in memory.
    if (flow.deliveredBytes < flow.awaitedBytes) return;
    const schedule = this.#schedule;
    const index = flow.number - 1;
    if (flow.deliveredBytes >= schedule.nextArrival(index)) {
      this.#scheduleAll(schedule.delivered(now, index, flow.deliveredBytes));
    }
    flow.awaitedBytes = schedule.nextArrival(index);
  }

  hostEvent(host: HostNode, event: HostEvent): void {
    if (event.kind === 'packet-rejected') {
      this.#rejections[event.reason] = (this.#rejections[event.reason] ?? 0) + 1;
    }
    // A flow that was given up stays without a time of completion.
    if (event.kind !== 'flow-completed' && event.kind !== 'flow-failed') return;
    const flow = this.#byHost.get(host)?.get(event.flow);
    assert(flow !== undefined, `flow ${event.flow} of ${host.name} was started here`);
    flow.isOver = true;
    if (event.kind === 'flow-failed') {
      this.#finish(flow);
      return;
    }
    flow.completedAt = event.completedAt;
    for (const each of this.#o.observers.of('flowCompleted')) {
      each.flowCompleted(event.completedAt, flow.number);
    }
    flow.retransmittedSegments = event.segmentsRetransmitted;
    flow.uncontrolledTime = event.uncontrolledTime;
    flow.switchResponses = event.switchResponses ?? 0;
    this.#finish(flow);
  }

  #finish(flow: RunningFlow): void {
    this.#finished++;
    if (this.#stream !== undefined) this.#fold(flow, this.#stream);
    this.#o.onFinished(this.#o.time.now);
  }

  /** A flow of a stream leaves nothing but its sums; only the first ones stay in the result. */
  #fold(flow: RunningFlow, stream: PassingSchedule): void {
    const index = flow.number - 1;
    stream.close(index);
    for (const host of [flow.sender, flow.starter]) {
      this.#byHost.get(host)?.delete(flow.id);
      const known = this.#flowsAt.get((this.#addresses.get(host.name) ?? 0) | 0);
      if (known instanceof Map) known.delete(flow.id);
    }
    if (this.#passing.delete(index)) this.#foldedBytes += flow.deliveredBytes;
    this.#o.onFolded(flow);
  }

  #flow(index: number): RunningFlow {
    const flow = this.flows[index] ?? this.#passing.get(index);
    assert(flow !== undefined, `flow ${index} is one of the scenario`);
    return flow;
  }

  /** @throws InputError for an id that an unfinished flow has. */
  #follow(host: HostNode, flow: RunningFlow): void {
    const known = this.#flowsOf(host);
    const other = known.get(flow.id);
    if (other !== undefined && other !== flow && !other.isOver) {
      throw new InputError(
        `${host.name} has more than ${this.#o.flowIds} flows that have not finished: ` +
          `flow ${flow.number} needs the id of flow ${other.number}`,
      );
    }
    known.set(flow.id, flow);
    const at = this.#flowsAt.get((this.#addresses.get(host.name) ?? 0) | 0);
    at?.set(flow.id, flow);
  }

  #flowsOf(host: HostNode): Map<number, RunningFlow> {
    const known = this.#byHost.get(host) ?? new Map<number, RunningFlow>();
    this.#byHost.set(host, known);
    return known;
  }

  #scheduleAll(due: readonly DueMessage[]): void {
    for (const { connection, at, wakes } of due) {
      if (wakes !== undefined) {
        this.#alarmOf(wakes).set(at, connection);
        continue;
      }
      if (this.#stream !== undefined && this.flows[connection] === undefined) {
        const planned = this.#plan(this.#stream.connection(connection), connection);
        this.#passing.set(connection, planned);
      }
      const { starter } = this.#flow(connection);
      if (!this.#o.isHere(starter.name)) continue;
      this.#alarms.get(starter)?.set(at, connection);
    }
  }

  #alarmOf(name: string): Alarm {
    const host = this.#o.network.hosts.get(name);
    const alarm = host && this.#alarms.get(host);
    assert(alarm !== undefined, `${name} is a host of the network`);
    return alarm;
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
    for (const host of [sender, starter]) this.#follow(host, flow);
    flow.startsAt = now;
    for (const each of this.#o.observers.of('flowBegan')) each.flowBegan(now, flow.number);
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

  #plan(connection: Connection, index: number): RunningFlow {
    const { network, idealTimes, isStartedByReceiver, flowIds } = this.#o;
    const { from, to, messages } = connection;
    // Where both ends know a flow by its id, all flows have different ones.
    const owner = isStartedByReceiver ? '' : from;
    const id = this.#ids.get(owner) ?? 0;
    this.#ids.set(owner, (id + 1) % flowIds);
    const bytes = messages.reduce((sum, message) => sum + message.bytes, connection.taskBytes ?? 0);
    const sender = network.hosts.get(from);
    const receiver = network.hosts.get(to);
    const sourceAddress = this.#addresses.get(from);
    assert(sender !== undefined && sourceAddress !== undefined, `${from} is a host of the network`);
    assert(receiver !== undefined, `${to} is a host of the network`);
    return {
      number: index + 1,
      id,
      sender,
      receiver,
      sourceAddress,
      starter: isStartedByReceiver ? receiver : sender,
      source: from,
      destination: to,
      dscp: connection.dscp,
      admission: admissionOf(connection),
      bytes,
      startsAt: earliestStart(connection),
      idealTime: idealTimes.of(from, to, bytes),
      isDirect: this.#joined.has(pairOf(from, to)),
      deliveredBytes: 0,
      completedAt: undefined,
      isOver: false,
      awaitedBytes: NaN,
      retransmittedSegments: 0,
      uncontrolledTime: 0,
      switchResponses: 0,
    };
  }
}

const pairOf = (from: string, to: string): string => `${from} ${to}`;

function joinedHosts({ topology, links }: NetworkPlan): ReadonlySet<string> {
  const hosts = new Set(topology.hosts.map(({ name }) => name));
  const joined = links.filter(({ a, b }) => hosts.has(a.node) && hosts.has(b.node));
  return new Set(joined.flatMap(({ a, b }) => [pairOf(a.node, b.node), pairOf(b.node, a.node)]));
}

function admissionOf({ admission }: Connection): AdmissionOptions | undefined {
  if (admission === undefined) return undefined;
  const { loadBelow, withinUs } = admission;
  return {
    ...(loadBelow !== undefined && { loadBelow }),
    ...(withinUs !== undefined && { within: microseconds(withinUs) }),
  };
}
