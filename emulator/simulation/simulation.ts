import { bothWays } from '../../common/topology/topology';
import { telemetrySchema } from '../../controller/document/schema';
import type { Duration, Instant } from '../../common/units/units';
import { ORIGIN, microseconds, nanoseconds } from '../../common/units/units';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { ExecutorFactory } from '../../switch/executor/executor';
import type { SwitchControl } from '../../switch/control/table-control';
import { VirtualTime } from '../kernel/virtual-time';
import { ObserverList } from '../kernel/observer-list';
import { MultiHomedNode } from '../node/multi-homed-node';
import type { SwitchNode } from '../node/switch-node';
import { InvariantChecker } from '../record/invariants';
import type { RunEvents, RunObserver } from '../record/run-observer';
import { Recorder } from '../record/recorder';
import type { RecordedPort } from '../record/recorder';
import { HostFrames } from '../record/host-frames';
import { TrafficCounter } from '../record/traffic';
import { PauseObserver } from '../lossless/pause-observer';
import { givenBaseRtt, hasResponsesAlone, routeOf } from '../../host-agent/settings/configuration';
import { expandTopology, participantsOf } from '../scenario/expand-topology';
import type { PlainLink } from '../scenario/expand-topology';
import type { LongestPath } from '../scenario/hop-limit';
import { hopLimitOf, withHopLimit } from '../scenario/hop-limit';
import type { ScenarioDocument } from '../scenario/schema';
import type { Collective, Connection } from '../workload/connection';
import { connectionsOf } from '../workload/kinds/connections';
import { trafficStreamOf } from '../workload/kinds/stream-of-traffic';
import type { PlacedTrace } from '../workload/tasks/placed-trace';
import type { TaskSchedule } from '../workload/tasks/task-schedule';
import type { Peer } from '../workload/peer/peer';
import type { PeerRanks } from '../workload/peer/peer-schedule';
import { peerTraffic } from '../workload/peer/peer-traffic';
import type { HostPair, TrafficStream } from '../workload/traffic-stream';
import type { Participant } from '../workload/workload-kind';
import { coordinationOf } from '../scenario/data-plane-schema';
import { hasAbility } from '../scenario/profile-abilities';
import type { Ability } from '../scenario/profile-abilities';
import { FlowFold } from '../result/flow-fold';
import type { FlowRecord } from '../result/result';
import { flowRecord } from './flow-record';
import { flowOutcome } from './flow-outcome';
import { ObservationReplay } from '../coordination/observation-replay';
import { nodeNames, observeCoordination } from './observe-coordination';
import type { ObservedCoordination } from './observe-coordination';
import { frameSizesOf, leastFramesOf, newScenarioCarrier } from './host-settings';
import { shownPortsOf } from './shown-ports';
import { buildNetwork } from './build-network';
import type { Network, NetworkOptions } from './build-network';
import { FlowRunner } from './flow-runner';
import type { RunningFlow } from './flow-runner';
import { flowIdsOf, queuePlanOf, startsAtReceiver } from './queue-plan';
import { LinkEvents } from './link-events';
import { IdealTimes } from '../network/ideal-completion';
import { Paths, baseRtt } from '../network/paths';
import type { FrameSizes } from '../network/paths';
import type { Part } from './part';
import { planNetwork } from '../network/plan';
import { withBaseRtt } from '../scenario/algorithm-needs';
import { checkSettings } from '../scenario/check-settings';
import { profileOf } from '../network/switch-hardware';
import type { NetworkPlan } from '../network/plan';
import { TimelineRecorder } from '../record/timelines';
import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';

export interface SimulationOptions {
  readonly scenario: ScenarioDocument;
  /** Seeds all randomness of the run. */
  readonly seed: number;
  /** True if observers check every packet, at some cost in speed. */
  readonly checkInvariants: boolean;
  /** Executor of the switches' programs. */
  readonly executor: ExecutorFactory;
  /** Signs feedback, where the scenario wants it signed. */
  readonly mac: MacFunction;
  /** Who else looks on. */
  readonly observer?:
    | ((simulation: Simulation) => RunObserver | readonly RunObserver[])
    | undefined;
  /** The part of the network that is run here; all of it unless given. */
  readonly part?: Part;
  /** Flows from which on they are folded as they end, where they can be; Infinity: they are held. */
  readonly streamedFrom?: number;
  /** Where flows go that are folded. */
  readonly flowSink?: FlowSink | undefined;
  /** Decides about the traffic, in place of the scenario's; its ranks are on hosts of the topology. */
  readonly peer?: PeerOptions | undefined;
}

/** A program that decides about the traffic, and where its ranks are. */
export interface PeerOptions {
  readonly peer: Peer;
  readonly ranks: PeerRanks;
}

/** Takes flows that a run does not hold, as they end. */
export interface FlowSink {
  /** Name of the file in which they are. */
  readonly name: string;
  add(flow: FlowRecord): void;
}

/** Resolution of switch timestamps in the emulator; bmv2's is a microsecond. */
const CLOCK_UNIT_NS = 1;

/**
 * One run of one scenario in virtual time:
 *
 *     new Simulation(options)      makes hosts, links, and switches without a program
 *     devices, plan.topology       what the control plane loads and configures
 *     start(); advance(events)…    runs, as often as the caller wants to look in between
 *     links.isControllerDue        the run stops until the controller has seen `links.down`
 *
 * Virtual time stands still while the control plane works. Equal options give equal runs.
 */
export class Simulation {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly runner: FlowRunner;
  /** Connections of the scenario; the first ones of a stream. */
  readonly connections: readonly Connection[];
  readonly collectives: readonly Collective[];
  /** Workloads whose ranks do tasks. */
  readonly traces: readonly PlacedTrace[];
  /** Present only where the flows are too many to be held. */
  readonly stream: TrafficStream | undefined;
  /** Sums of the flows of a stream that have ended. */
  readonly fold: FlowFold | undefined;
  readonly #flowSink: FlowSink | undefined;
  readonly #isAlone: boolean;
  readonly recorder: Recorder;
  readonly timelines: TimelineRecorder;
  readonly links: LinkEvents;
  readonly ports: readonly RecordedPort[];
  readonly paths: Paths;
  readonly frames: FrameSizes;
  /** T of every host. */
  readonly baseRtt: Duration;
  readonly time: VirtualTime;
  readonly checker: InvariantChecker;
  readonly traffic: TrafficCounter;
  /** Reader of the hosts' frames. */
  readonly hostFrames: HostFrames;
  /**
   * A run that ends with its last flow goes on to the end of the period that this falls into: as long
   * as the longest link, so that no part of the network has to know earlier what happens in another.
   */
  readonly period: Duration;
  /** Present only where switches have a shared buffer. */
  readonly pauses: PauseObserver | undefined;
  /** Present only where switches coordinate. */
  readonly coordination: ObservedCoordination | undefined;
  /** All who look on. */
  readonly observers = new ObserverList<RunEvents>();
  /** When that happened which is told now, where other threads have seen it. */
  #toldAt: Instant | undefined;
  /** Counts by reason; only where plausibility is checked. */
  readonly telemetryRejections: Record<string, number> = {};
  readonly #isChecked: boolean;
  /** The last instant of the run, as far as it is known. */
  #lastInstant: Instant;
  #finishedAt: Instant | undefined;
  /** When the last of the flows ended that have ended here; -1: none has. */
  #lastFinish: Instant = -1;

  /** @throws InputError for a scenario that contradicts itself. */
  constructor(options: SimulationOptions) {
    const { seed, checkInvariants, executor, mac, part, observer } = options;
    checkSettings(options.scenario);
    const { parameters } = options.scenario;
    this.seed = seed;
    this.#isChecked = checkInvariants;
    const topology = expandTopology(options.scenario.topology);
    this.plan = planNetwork(topology, {
      clockUnitNs: CLOCK_UNIT_NS,
      queueDepthUnitBytes: parameters.queueUnitBytes,
      txUnitBytes: parameters.txUnitBytes,
    });
    const delays = this.plan.links.flatMap((link) => bothWays(link)).map(({ delay }) => delay);
    this.period = delays.reduce((longest, delay) => Math.max(longest, delay), 1);
    const paths = new Paths(this.plan);
    this.paths = paths;
    const hosts = participantsOf(topology);
    this.stream = peerStream(options, topology.links) ?? streamOf(options, hosts);
    const { stream } = this;
    this.fold = stream && new FlowFold();
    this.#flowSink = stream && options.flowSink;
    this.#isAlone = hasResponsesAlone(parameters);
    const { connections, collectives, traces } =
      stream === undefined
        ? connectionsOf(options.scenario, { seed, hosts })
        : { connections: stream.first, collectives: [], traces: [] };
    this.connections = connections;
    this.collectives = collectives;
    this.traces = traces;
    const pairs = stream?.pairs ?? pairsOf(connections, traces, hosts);
    checkPairs(pairs, this.plan, { isStreamed: stream !== undefined, paths });
    const longest = longestPath(pairs, paths);
    const scenario = withHopLimit(options.scenario, longest);
    this.scenario = scenario;
    const carrier = newScenarioCarrier(scenario, this.plan);
    this.hostFrames = new HostFrames(carrier);
    this.traffic = new TrafficCounter(this.hostFrames);
    this.frames = frameSizesOf(scenario, carrier);
    this.checker = this.#newChecker();
    this.baseRtt = baseRttOf(scenario, pairs, { paths, frames: this.frames });
    this.scenario = withBaseRtt(scenario, this.baseRtt);
    const { plan, period } = this;
    // The flows of a stream begin one after the other, whichever hosts they are of.
    const isObserved = observer !== undefined || stream !== undefined;
    this.time = new VirtualTime(queuePlanOf({ scenario, connections, plan, period, isObserved }));
    this.coordination = this.#observeCoordination(mac, part);
    const { time } = this;
    const idealTimes = new IdealTimes(plan, leastFramesOf(scenario, carrier));
    this.pauses = this.#newPauseObserver();
    this.#observe(this.traffic, this.pauses, this.coordination?.observer, this.#rejectionCounter());
    // At equal times a host starts flows before it gets packets.
    const sources = plan.topology.hosts.map(({ name }) => time.queueOf(name).newSource());
    const expectedHops = Math.min(longest.switches, hopLimitOf(scenario.parameters));
    this.network = this.#newNetwork({ executor, mac, part, expectedHops });
    const { network } = this;
    const isHere = (host: string): boolean => part?.has(host) ?? true;
    const isStartedByReceiver = startsAtReceiver(parameters);
    const here = { time, isHere, plan, network };
    this.runner = new FlowRunner({
      ...here,
      connections,
      traces,
      stream,
      isStartedByReceiver,
      flowIds: flowIdsOf(parameters),
      idealTimes,
      sources,
      observers: this.observers,
      onFinished: (now) => this.#noteFinish(now),
      onFolded: (flow) => this.#fold(flow),
    });
    this.links = new LinkEvents({ scenario, plan, network, time });
    this.ports = switchPorts(network);
    this.timelines = networkTimelines(this);
    this.recorder = this.#newRecorder(isHere);
    this.#observe(this.runner, this.recorder, ...[observer?.(this) ?? []].flat());
    if (checkInvariants) this.#observe(this.checker);
    this.#observe({ routesChanged: () => this.#tellHosts() });
    this.#lastInstant = ORIGIN + microseconds(scenario.untilUs ?? scenario.giveUpAfterUs);
  }

  /** The switches by P4Runtime device id. */
  get devices(): ReadonlyMap<number, SwitchControl> {
    return new Map(
      this.plan.topology.switches.map(({ name, deviceId }) => {
        const node = this.network.switches.get(name) as SwitchNode;
        return [deviceId, node.device];
      }),
    );
  }

  /** When the last flow was complete or given up, where that ends the run; else the present. */
  get endedAt(): Instant {
    return this.#finishedAt ?? this.time.now;
  }

  get lastInstant(): Instant {
    return this.#lastInstant;
  }

  get lastFinish(): Instant {
    return this.#lastFinish;
  }

  start(): void {
    this.links.start();
    for (const each of this.observers.of('start')) each.start();
  }

  /** True if the run has ended: all flows are complete, or its time is over. */
  get isDone(): boolean {
    const next = this.time.nextTime;
    return next === undefined || next > this.#lastInstant;
  }

  /** Runs at most `events` events, and none once the controller has work to do. */
  advance(events: number): void {
    if (!this.links.isControllerDue && !this.isDone) this.time.run(this.#lastInstant, events);
  }

  /** Packets that have been put on a link so far. */
  get packetHops(): number {
    return this.network.channels.reduce((sum, { ledger }) => sum + ledger.sentPackets, 0);
  }

  /**
   * Progress of the run, from 0 to 1: of its virtual time where the scenario has an end, else of
   * the payload.
   */
  get progress(): number {
    if (this.scenario.untilUs !== undefined) return Math.min(1, this.time.now / this.#lastInstant);
    return this.runner.deliveredBytes / this.runner.bytes;
  }

  /** Name of the file with the flows that the run does not hold, if there is one. */
  get flowRows(): string | null {
    return this.#flowSink?.name ?? null;
  }

  /** Folds the flows of a stream that the end of the run has found at work, or that never began. */
  closeStream(): void {
    if (this.stream === undefined) return;
    for (const flow of this.runner.open()) this.#fold(flow);
    for (const flow of this.runner.neverDue()) this.#fold(flow);
  }

  /** True if an observer needs no more of the run. */
  get hasShownEnough(): boolean {
    return this.observers.of('hasSeenEnough').some((each) => each.hasSeenEnough());
  }

  #observe(...observers: readonly (RunObserver | undefined)[]): void {
    for (const each of observers) if (each !== undefined) this.observers.add(each);
  }

  #rejectionCounter(): RunObserver | undefined {
    if (this.scenario.parameters.plausibility !== 'on') return undefined;
    const counts = this.telemetryRejections;
    return {
      controlled(_host, _flow, event) {
        if (event.kind !== 'telemetry-rejected') return;
        counts[event.reason] = (counts[event.reason] ?? 0) + 1;
      },
    };
  }

  #fold(flow: RunningFlow): void {
    const record = flowRecord(flow, flowOutcome(flow), this.#isAlone);
    this.fold?.add(record);
    this.#flowSink?.add(record);
  }

  #noteFinish(now: Instant): void {
    // Within a window the flows of one node end before those of the next.
    this.#lastFinish = Math.max(this.#lastFinish, now);
    this.flowsFinished(this.runner.finished, this.#lastFinish);
  }

  /** Notes that so many flows have ended, wherever they are run, the last of them at `at`. */
  flowsFinished(count: number, at: Instant): void {
    const { runner, scenario } = this;
    if (count < runner.count || runner.isOpen || scenario.untilUs !== undefined) return;
    if (this.#finishedAt !== undefined) return;
    // What ranks compute behind the last message needs no network.
    for (const each of runner.tasks) each.finish();
    this.#finishedAt = runner.count > 0 ? at : lastDone(runner.tasks, at);
    const periodEnd = (Math.floor(at / this.period) + 1) * this.period - 1;
    this.#lastInstant = Math.min(this.#lastInstant, periodEnd);
    this.time.stop();
  }

  /** Hosts with several interfaces learn of other paths when switches do. */
  #tellHosts(): void {
    if (!this.links.isControllerDue) return;
    for (const host of this.network.hosts.values()) {
      if (host instanceof MultiHomedNode) host.setDown(this.time.now, this.links.down);
    }
  }

  #newRecorder(isHere: (host: string) => boolean): Recorder {
    const { time, ports, runner, timelines, scenario } = this;
    const { record } = scenario;
    const links = new Map(this.network.channels.map(({ name }, i) => [name, i]));
    return new Recorder({
      queue: time.observers,
      isHere,
      controlsAtReceiver: routeOf(scenario.parameters).algorithmAt === 'receiver',
      queueInterval: nanoseconds(record.queueIntervalNs),
      flowInterval: nanoseconds(record.flowIntervalNs),
      ports,
      flows: runner.flows,
      sampledFlows: record.sampledFlows,
      timelines,
      linkOfPort: ports.map(({ link }) => links.get(link) ?? 0),
    });
  }

  #newNetwork(
    options: Pick<NetworkOptions, 'executor' | 'mac' | 'part' | 'expectedHops'>,
  ): Network {
    const { plan, time, seed, scenario, baseRtt } = this;
    return buildNetwork({
      ...options,
      plan,
      time,
      seed,
      scenario,
      baseRtt,
      observers: this.observers,
      pauses: this.pauses,
    });
  }

  #newPauseObserver(): PauseObserver | undefined {
    const { scenario, plan, time } = this;
    if (scenario.buffer === undefined) return undefined;
    const network = (): Network => this.network;
    const frames = this.hostFrames;
    const flows = () => this.runner.flows;
    return new PauseObserver({ scenario, plan, queue: time.observers, network, frames, flows });
  }

  /** Replay of the parts' observations; undefined where coordination is not observed. */
  newReplay(parts: number): ObservationReplay | undefined {
    const recorder = this.coordination?.recorder;
    if (recorder === undefined) return undefined;
    const advance = (now: Instant): void => {
      this.#toldAt = now;
    };
    return new ObservationReplay({ parts, nodes: nodeNames(this.plan), to: recorder, advance });
  }

  #observeCoordination(mac: MacFunction, part: Part | undefined): ObservedCoordination | undefined {
    const { scenario, plan, baseRtt, connections, time } = this;
    return observeCoordination({
      scenario,
      plan,
      baseRtt,
      connections,
      place: time.clock,
      mac,
      isPart: part !== undefined,
      isChecked: this.#isChecked,
      frameBytes: this.frames.data,
      network: () => this.network,
      flows: () => this.runner.flows,
      report: (text) => this.checker.report(text),
    });
  }

  #newChecker(): InvariantChecker {
    const { parameters } = this.scenario;
    const { mss, queueUnitBytes, queueRounding, txUnitBytes } = parameters;
    const hopLimit = hopLimitOf(parameters);
    const nodeIds = new Map(this.plan.topology.switches.map(({ name, nodeId }) => [name, nodeId]));
    const switchesWith = (ability: Ability): ReadonlySet<string> =>
      new Set(
        [...nodeIds.keys()].filter((name) => hasAbility(profileOf(this.scenario, name), ability)),
      );
    const now = (): Instant => this.#toldAt ?? this.time.now;
    const units = { segmentBytes: mss, queueUnitBytes, queueRounding, txUnitBytes, hopLimit };
    return new InvariantChecker({
      ...units,
      now,
      nodeIds,
      classedSwitches: switchesWith('queues'),
      trimmingSwitches: switchesWith('trimming'),
      weightedQueueOf: weightedQueues(this.scenario),
      shownAs: shownPortsOf(this.scenario, this.plan),
      frames: this.hostFrames,
    });
  }
}

/** The queue of a DSCP, where classes have weights. */
function weightedQueues({ telemetry }: ScenarioDocument): ((dscp: number) => number) | undefined {
  const { classes } = telemetrySchema.parse(telemetry);
  if (classes.every(({ weight }) => weight === undefined)) return undefined;
  const queues = new Map(classes.map(({ dscp, queue }) => [dscp, queue]));
  return (dscp) => queues.get(dscp) ?? 0;
}

interface Watched {
  readonly network: Network;
  readonly scenario: ScenarioDocument;
  readonly traffic: TrafficCounter;
}

/** Records load, queues and drops of a whole network. */
function networkTimelines({ network, scenario, traffic }: Watched): TimelineRecorder {
  return new TimelineRecorder({
    links: network.channels,
    interval: nanoseconds(scenario.record.queueIntervalNs),
    counts: () => ({
      droppedPackets: droppedPackets(network),
      feedbackPackets: traffic.traffic.feedback.packets,
    }),
  });
}

/** Packets dropped by switches and lost on links, so far. */
function droppedPackets({ switches, channels }: Network): number {
  let count = 0;
  for (const { device } of switches.values()) count += device.dropped;
  return channels.reduce((sum, { ledger }) => sum + ledger.lostPackets, count);
}

/** The flows of a run as a stream, where they are many and nobody has to see all of them. */
function streamOf(
  { scenario, seed, part, observer, streamedFrom }: SimulationOptions,
  hosts: readonly Participant[],
): TrafficStream | undefined {
  const holds = part !== undefined || observer !== undefined;
  const followsFlows = scenario.buffer !== undefined || coordinationOf(scenario) !== undefined;
  if (holds || followsFlows) return undefined;
  return trafficStreamOf(scenario, { seed, hosts }, streamedFrom);
}

/** When the last task of traces without messages was done. */
const lastDone = (tasks: readonly TaskSchedule[], otherwise: Instant): Instant =>
  tasks.reduce((last, { doneAt }) => Math.max(last, doneAt ?? last), otherwise);

/** Pairs of hosts between which flows go; any where ranks send nothing over the network. */
function pairsOf(
  connections: readonly Connection[],
  traces: readonly PlacedTrace[],
  hosts: readonly Participant[],
): readonly HostPair[] {
  const [a, b] = hosts;
  if (connections.length > 0 || traces.length === 0 || a === undefined || b === undefined) {
    return connections;
  }
  return [{ from: a.name, to: b.name }];
}

/** @throws InputError for a scenario in which flows have to be known before they begin. */
function peerStream(
  { scenario, peer, part, observer }: SimulationOptions,
  links: readonly PlainLink[],
): TrafficStream | undefined {
  if (peer === undefined) return undefined;
  assert(part === undefined && observer === undefined, 'nobody looks on at flows of a peer');
  const faults = [
    [scenario.buffer, 'a shared buffer'],
    [coordinationOf(scenario), 'coordination'],
    [scenario.untilUs, 'an end (untilUs)'],
  ] as const;
  const fault = faults.find(([value]) => value !== undefined);
  if (fault === undefined) return peerTraffic(peer.peer, peer.ranks, links);
  throw new InputError(
    `${scenario.name} has ${fault[1]}, which needs flows that are known before they begin`,
  );
}

/**
 * Checks that every flow leads from one host of the network to another.
 * @throws InputError naming the first that does not.
 */
function checkPairs(
  pairs: readonly HostPair[],
  { topology }: NetworkPlan,
  { isStreamed, paths }: { readonly isStreamed: boolean; readonly paths: Paths },
): void {
  if (pairs.length === 0) throw new InputError('a scenario needs flows or workloads');
  const hosts = new Set(topology.hosts.map(({ name }) => name));
  pairs.forEach(({ from, to }, i) => {
    const where = isStreamed ? `flows from ${from} to ${to}` : `flow ${i + 1}`;
    for (const name of [from, to]) {
      if (!hosts.has(name)) throw new InputError(`${where}: ${name} is no host`);
    }
    if (from === to) throw new InputError(`${where}: source and destination are both ${to}`);
    if (paths.has(from, to)) return;
    throw new InputError(
      `${where}: no path leads from ${from} to ${to}, since hosts do not forward`,
    );
  });
}

function longestPath(pairs: readonly HostPair[], paths: Paths): LongestPath {
  let longest: LongestPath = { from: '', to: '', switches: 0 };
  for (const { from, to } of pairs) {
    const switches = paths.between(from, to).length - 1;
    if (switches > longest.switches) longest = { from, to, switches };
  }
  return longest;
}

/** The scenario's T, or the largest RTT of an idle path that one of its flows takes. */
function baseRttOf(
  scenario: ScenarioDocument,
  pairs: readonly HostPair[],
  { paths, frames }: { readonly paths: Paths; readonly frames: FrameSizes },
): Duration {
  const given = givenBaseRtt(scenario.parameters);
  if (given !== undefined) return given;
  const rtts = pairs.map(({ from, to }) => baseRtt(paths.between(from, to), frames));
  return rtts.reduce((largest, rtt) => Math.max(largest, rtt), 0);
}

/** The ports of all switches. */
function switchPorts({ channels, switches }: Network): RecordedPort[] {
  return channels.flatMap(({ from, name }) => {
    const node = switches.get(from.node.name);
    return node === undefined ? [] : [{ node, port: from.port, link: name }];
  });
}
