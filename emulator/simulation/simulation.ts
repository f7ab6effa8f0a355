import { telemetrySchema } from '../../controller/document/schema';
import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant, PortNumber } from '../../common/units/units';
import { ORIGIN, microseconds, nanoseconds } from '../../common/units/units';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { HostEvent } from '../../host-agent/host/host-events';
import type { ExecutorFactory } from '../../switch/executor/executor';
import type { SwitchControl } from '../../switch/control/table-control';
import { EventQueue } from '../kernel/event-queue';
import type { HostNode, HostObserver } from '../node/host-node';
import type { SwitchNode, SwitchObserver } from '../node/switch-node';
import { InvariantChecker } from '../record/invariants';
import type { PacketWatcher } from '../record/packet-watcher';
import { Recorder } from '../record/recorder';
import type { RecordedPort } from '../record/recorder';
import type { TimelineRecorder } from '../record/timelines';
import { HostFrames } from '../record/host-frames';
import { TrafficCounter } from '../record/traffic';
import { PauseObserver } from '../lossless/pause-observer';
import { expandTopology, participantsOf } from '../scenario/expand-topology';
import type { ScenarioDocument } from '../scenario/schema';
import type { Collective, Connection } from '../workload/connection';
import { connectionsOf } from '../workload/kinds/connections';
import type { CoordinationObserver } from '../coordination/coordination-observer';
import { ObservationReplay } from '../coordination/observation-replay';
import { nodeNames, observeCoordination } from './observe-coordination';
import type { ObservedCoordination } from './observe-coordination';
import { hostCoordination, frameSizesOf, leastFramesOf, newScenarioCarrier } from './host-settings';
import type { HostOptions } from './build-hosts';
import { buildNetwork } from './build-network';
import type { Network, NetworkOptions } from './build-network';
import { FlowRunner } from './flow-runner';
import { LinkEvents } from './link-events';
import { baseRttOf, checkConnections, switchPorts } from './network-facts';
import { IdealTimes } from '../network/ideal-completion';
import { Paths } from '../network/paths';
import type { FrameSizes } from '../network/paths';
import type { Part } from './part';
import { networkTimelines } from './network-timelines';
import { planNetwork } from '../network/plan';
import { withBaseRtt } from '../scenario/algorithm-needs';
import { profileOf } from '../network/switch-hardware';
import type { NetworkPlan } from '../network/plan';

export interface SimulationOptions {
  readonly scenario: ScenarioDocument;
  /** Seeds all randomness of the run. */
  readonly seed: number;
  /** Whether observers check every packet, at some cost in speed. */
  readonly checkInvariants: boolean;
  /** What runs the switches' programs. */
  readonly executor: ExecutorFactory;
  /** Signs feedback, where the scenario wants it signed. */
  readonly mac: MacFunction;
  /** Sees every packet that a host has received, and changes nothing. */
  readonly received?: ((now: Instant, packet: Packet) => void) | undefined;
  /** Who else looks at every packet. */
  readonly watcher?: ((simulation: Simulation) => PacketWatcher) | undefined;
  /** What of the network is run here; all of it unless given. */
  readonly part?: Part;
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
export class Simulation implements SwitchObserver, HostObserver {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly runner: FlowRunner;
  readonly connections: readonly Connection[];
  readonly collectives: readonly Collective[];
  readonly recorder: Recorder;
  readonly timelines: TimelineRecorder;
  readonly links: LinkEvents;
  readonly ports: readonly RecordedPort[];
  readonly paths: Paths;
  readonly frames: FrameSizes;
  /** T of every host. */
  readonly baseRtt: Duration;
  readonly queue = new EventQueue();
  readonly checker: InvariantChecker;
  readonly traffic: TrafficCounter;
  /** How to read the frames of the hosts. */
  readonly hostFrames: HostFrames;
  /**
   * A run that ends with its last flow goes on to the end of the period that this falls into: as long
   * as the longest link, so that no part of the network has to know earlier what happens in another.
   */
  readonly period: Duration;
  /** Only where switches have a shared buffer. */
  readonly pauses: PauseObserver | undefined;
  /** Only where switches coordinate. */
  readonly coordination: ObservedCoordination | undefined;
  readonly #observer: CoordinationObserver | undefined;
  /** When that happened which is told now, where other threads have seen it. */
  #toldAt: Instant | undefined;
  /** By reason; only where plausibility is checked. */
  readonly telemetryRejections: Record<string, number> = {};
  readonly watcher: PacketWatcher | undefined;
  readonly #isChecked: boolean;
  readonly #received: SimulationOptions['received'];
  /** The last instant of the run, as far as it is known. */
  #lastInstant: Instant;
  #finishedAt: Instant | undefined;
  /** When the last of the flows ended that have ended here; -1: none has. */
  #lastFinish: Instant = -1;

  /** @throws InputError for a scenario that contradicts itself. */
  constructor(options: SimulationOptions) {
    const { scenario, seed, checkInvariants, executor, mac, part, received, watcher } = options;
    const { parameters } = scenario;
    this.#received = received;
    this.scenario = scenario;
    this.seed = seed;
    this.#isChecked = checkInvariants;
    const topology = expandTopology(scenario.topology);
    this.plan = planNetwork(topology, {
      clockUnitNs: CLOCK_UNIT_NS,
      queueDepthUnitBytes: parameters.queueUnitBytes,
      txUnitBytes: parameters.txUnitBytes,
    });
    this.period = this.plan.links.reduce((longest, { delay }) => Math.max(longest, delay), 1);
    const carrier = newScenarioCarrier(scenario, this.plan);
    this.hostFrames = new HostFrames(carrier);
    this.traffic = new TrafficCounter(this.hostFrames);
    this.frames = frameSizesOf(parameters, carrier);
    this.checker = this.#newChecker();
    const paths = new Paths(this.plan.links);
    this.paths = paths;
    const { connections, collectives } = connectionsOf(scenario, {
      seed,
      hosts: participantsOf(topology),
    });
    this.connections = connections;
    this.collectives = collectives;
    checkConnections(connections, this.plan);
    this.baseRtt = baseRttOf(scenario, connections, { paths, frames: this.frames });
    this.scenario = withBaseRtt(scenario, this.baseRtt);
    this.coordination = this.#observeCoordination(mac, part);
    this.#observer = this.coordination?.observer;
    const { plan, queue } = this;
    const idealTimes = new IdealTimes(plan.links, leastFramesOf(scenario, carrier));
    this.pauses = this.#newPauseObserver();
    // What happens to the network and who looks at it comes before its packets of the same instant.
    const linkSource = queue.newSource();
    const sources = plan.topology.hosts.map(() => queue.newSource());
    const recorderSource = queue.newSource();
    const lengths = connections.map(({ from, to }) => paths.between(from, to).length);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    this.network = this.#newNetwork({ executor, mac, part, expectedHops: longest - 1 });
    const { network } = this;
    const isHere = (host: string): boolean => part?.has(host) ?? true;
    const isStartedByReceiver = startsAtReceiver(parameters);
    const here = { queue, isHere, plan, network };
    this.runner = new FlowRunner({
      ...here,
      ...{ connections, isStartedByReceiver, idealTimes, sources, observer: this.#observer },
    });
    this.links = new LinkEvents({ scenario, plan, network, queue, source: linkSource });
    this.ports = switchPorts(network);
    this.timelines = networkTimelines(this);
    this.recorder = this.#newRecorder(recorderSource, isHere);
    this.watcher = watcher?.(this);
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
    return this.#finishedAt ?? this.queue.now;
  }

  get lastInstant(): Instant {
    return this.#lastInstant;
  }

  get lastFinish(): Instant {
    return this.#lastFinish;
  }

  start(): void {
    this.runner.start();
    this.recorder.start();
    this.links.start();
    this.pauses?.start();
  }

  /** Whether the run has ended: all flows are complete, or its time is over. */
  get isDone(): boolean {
    const next = this.queue.nextTime;
    return next === undefined || next > this.#lastInstant;
  }

  /** Runs at most `events` events, and none once the controller has work to do. */
  advance(events: number): void {
    if (!this.links.isControllerDue && !this.isDone) this.queue.run(this.#lastInstant, events);
  }

  /** Packets that have been put on a link so far. */
  get packetHops(): number {
    return this.network.channels.reduce((sum, { ledger }) => sum + ledger.sentPackets, 0);
  }

  /**
   * How much of the run is over, from 0 to 1: of its virtual time where the scenario says when it
   * ends, and else of the payload, which is delivered then.
   */
  get progress(): number {
    if (this.scenario.untilUs !== undefined) return Math.min(1, this.queue.now / this.#lastInstant);
    const sum = (of: (flow: { bytes: number; deliveredBytes: number }) => number): number =>
      this.runner.flows.reduce((total, flow) => total + of(flow), 0);
    return sum((flow) => flow.deliveredBytes) / sum((flow) => flow.bytes);
  }

  hostSent(host: HostNode, packet: Packet, start: Instant): void {
    this.traffic.hostSent(packet);
    this.#observer?.hostSent(start, packet);
    this.pauses?.hostSent(host, packet);
    this.watcher?.hostSent(host, packet, start);
    if (this.#isChecked) this.checker.hostSent(host, packet, start);
  }

  hostReceived(host: HostNode, packet: Packet): void {
    this.pauses?.hostReceived(packet);
    this.#observer?.hostReceived(this.queue.now, host.name, packet);
    this.#received?.(this.queue.now, packet);
    this.watcher?.hostReceived(host, packet, this.queue.now);
  }

  hostHandled(host: HostNode, packet: Packet): void {
    this.watcher?.hostHandled(host, packet, this.queue.now);
  }

  hostEvent(host: HostNode, event: HostEvent): void {
    const { finished } = this.runner;
    this.runner.hostEvent(host, event);
    if (this.runner.finished === finished) return;
    this.#lastFinish = this.queue.now;
    this.flowsFinished(this.runner.finished, this.#lastFinish);
  }

  /** So many flows have ended, wherever they are run, the last of them at `at`. */
  flowsFinished(count: number, at: Instant): void {
    if (count < this.runner.flows.length || this.scenario.untilUs !== undefined) return;
    if (this.#finishedAt !== undefined) return;
    this.#finishedAt = at;
    const periodEnd = (Math.floor(at / this.period) + 1) * this.period - 1;
    this.#lastInstant = Math.min(this.#lastInstant, periodEnd);
    this.queue.stop();
  }

  switchReceived(node: SwitchNode, packet: Packet): void {
    this.#observer?.switchReceived(this.queue.now, node.name, packet);
    this.watcher?.switchReceived(node, packet, this.queue.now);
    if (this.#isChecked) this.checker.switchReceived(node, packet, this.queue.now);
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    this.#observer?.switchTransmitted(start, node.name, port, packet);
    this.watcher?.switchTransmitted(node, start, port, packet);
    this.pauses?.switchTransmitted(node, port, packet);
    if (this.#isChecked) this.checker.switchTransmitted(node, start, port, packet);
  }

  #newRecorder(source: number, isHere: (host: string) => boolean): Recorder {
    const { queue, ports, runner, timelines, scenario } = this;
    const { record } = scenario;
    const links = new Map(this.network.channels.map(({ name }, i) => [name, i]));
    return new Recorder({
      queue,
      source,
      isHere,
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
    const { plan, queue, seed, scenario, baseRtt } = this;
    return buildNetwork({
      ...options,
      ...{ plan, queue, seed, scenario, baseRtt, observer: this, pauses: this.pauses },
      ...this.#hostCoordination(options.mac),
      rejected: (reason) => {
        this.telemetryRejections[reason] = (this.telemetryRejections[reason] ?? 0) + 1;
      },
      deliver: (host, delivery) => {
        if (this.#isChecked) this.checker.delivered(host, delivery);
        this.runner.delivered(this.queue.now, delivery);
      },
    });
  }

  #newPauseObserver(): PauseObserver | undefined {
    const { scenario, plan, queue } = this;
    if (scenario.buffer === undefined) return undefined;
    const network = (): Network => this.network;
    const frames = this.hostFrames;
    const flows = () => this.runner.flows;
    return new PauseObserver({ scenario, plan, queue, network, frames, flows });
  }

  /** Takes what the parts of the run have observed; undefined where nobody wants to know it. */
  newReplay(parts: number): ObservationReplay | undefined {
    const recorder = this.coordination?.recorder;
    if (recorder === undefined) return undefined;
    const advance = (now: Instant): void => {
      this.#toldAt = now;
    };
    return new ObservationReplay({ parts, nodes: nodeNames(this.plan), to: recorder, advance });
  }

  #observeCoordination(mac: MacFunction, part: Part | undefined): ObservedCoordination | undefined {
    const { scenario, plan, baseRtt, connections, queue } = this;
    return observeCoordination({
      ...{ scenario, plan, baseRtt, connections, queue, mac, isPart: part !== undefined },
      isChecked: this.#isChecked,
      frameBytes: this.frames.data,
      network: () => this.network,
      flows: () => this.runner.flows,
      report: (text) => this.checker.report(text),
    });
  }

  /** What hosts do when they coordinate; the recorder looks on in every mode. */
  #hostCoordination(mac: MacFunction): Pick<HostOptions, 'coordination'> {
    const observer = this.#observer;
    if (observer === undefined) return {};
    const options = hostCoordination(this.scenario, this.plan, mac);
    return {
      coordination: (host) => ({
        observe: (flow, event) => observer.controlled(host, flow, event),
        ...(options !== undefined && {
          coordination: { ...options, observe: (event) => observer.coordinated(host, event) },
        }),
      }),
    };
  }

  #newChecker(): InvariantChecker {
    const { parameters } = this.scenario;
    const { segmentBytes, queueUnitBytes, queueRounding, txUnitBytes, hopLimit } = parameters;
    const nodeIds = new Map(this.plan.topology.switches.map(({ name, nodeId }) => [name, nodeId]));
    const classedSwitches = new Set(
      [...nodeIds.keys()].filter((name) => profileOf(this.scenario, name) === 'hpcc-queues'),
    );
    const now = (): Instant => this.#toldAt ?? this.queue.now;
    const units = { segmentBytes, queueUnitBytes, queueRounding, txUnitBytes, hopLimit };
    return new InvariantChecker({
      ...{ ...units, now, nodeIds, classedSwitches },
      weightedQueueOf: weightedQueues(this.scenario),
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

/** Whether the destination of a flow fetches it. */
export const startsAtReceiver = ({
  transport,
  operation,
}: ScenarioDocument['parameters']): boolean => transport === 'rocev2' && operation === 'read';
