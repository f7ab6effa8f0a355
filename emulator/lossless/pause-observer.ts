import { microseconds, PS_PER_US } from '../../common/units/units';
import type { StormTimes } from '../../common/pause/storm-watch';
import type { Duration, Instant, PortNumber } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import { telemetrySchema } from '../../controller/document/schema';
import { PausableAgent } from '../../host-agent/host/pausable-agent';
import type { Agent } from '../../host-agent/host/agent';
import type { PauseWatch } from '../../switch/v1model/pause-watch';
import type { EventQueue } from '../kernel/event-queue';
import type { NetworkPlan, PlannedLink } from '../network/plan';
import { profileOf } from '../network/switch-hardware';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { HostFrames } from '../record/host-frames';
import type { RunObserver } from '../record/run-observer';
import type { LosslessRecord } from '../result/lossless-record';
import type { ScenarioDocument } from '../scenario/schema';
import { DeadlockDetector } from './deadlock-detector';
import { PauseLedger } from './pause-ledger';
import type { WatchedFlow } from './pause-ledger';

/** A flow whose destination is known. */
interface DestinedFlow extends WatchedFlow {
  readonly destination: string;
}

export interface PauseScene {
  readonly scenario: ScenarioDocument;
  readonly plan: NetworkPlan;
  readonly queue: EventQueue;
  /** Made after this. */
  readonly network: () => {
    readonly hosts: ReadonlyMap<string, HostNode>;
    readonly switches: ReadonlyMap<string, SwitchNode>;
  };
  readonly flows: () => readonly DestinedFlow[];
  /** Reader of the hosts' frames. */
  readonly frames: HostFrames;
}

/** Follows shared buffers and pauses through a run, and lets hosts obey. */
export class PauseObserver implements RunObserver {
  readonly #o: PauseScene;
  readonly #ledger: PauseLedger;
  readonly #agents = new Map<string, PausableAgent>();
  #detector: DeadlockDetector | undefined;

  constructor(scene: PauseScene) {
    this.#o = scene;
    this.#ledger = new PauseLedger(scene.flows, scene.frames);
  }

  /** Begins to look for deadlocks. */
  start(): void {
    const { scenario, queue, network } = this.#o;
    const { pfc } = scenario.buffer ?? {};
    if (pfc === undefined) return;
    this.#detector = new DeadlockDetector({
      queue,
      switches: [...network().switches.values()],
      priorities: pfc.priorities,
      patience: microseconds(pfc.deadlockAfterUs),
    });
    this.#detector.start();
  }

  watch(node: SwitchNode): PauseWatch {
    return this.#ledger.watch(node);
  }

  /** A host that stops when its switch says so. */
  obeying(host: string, agent: Agent, link: PlannedLink): Agent {
    const { scenario, network, frames } = this.#o;
    if (scenario.buffer?.pfc === undefined) return agent;
    const queues = queuesOf(scenario, host, link);
    const name = linkName(host, link);
    const pausable = new PausableAgent(agent, {
      linkRate: link.rate,
      priorityOf: (packet) => queues.get(frames.classOf(packet)) ?? 0,
      priorities: [...new Set([0, ...queues.values()])],
      watchdog: scenario.buffer.pfc.watchdog && hostTimes(scenario.buffer.pfc.watchdog),
      observe: (priority, lasted) => {
        const node = network().hosts.get(host);
        if (node === undefined) return;
        this.#ledger.hostWaited(node, { agent, link: name, priority }, lasted);
      },
    });
    this.#agents.set(name, pausable);
    return pausable;
  }

  hostSent(host: HostNode, packet: Packet): void {
    this.#ledger.hostSent(host, packet);
  }

  hostReceived(_host: HostNode, packet: Packet): void {
    this.#ledger.hostReceived(packet);
  }

  switchTransmitted(node: SwitchNode, _start: Instant, port: PortNumber, packet: Packet): void {
    this.#ledger.switchTransmitted(node.channel(port), packet);
  }

  /** Record up to now; a pause that goes on counts up to `now`. */
  record(now: Instant): LosslessRecord {
    const controls = [...this.#o.network().switches.values()].flatMap(
      ({ device }) => device.pauses ?? [],
    );
    const sum = (of: (each: (typeof controls)[number]) => number): number =>
      controls.reduce((total, each) => total + of(each), 0);
    const most = (of: (each: (typeof controls)[number]) => number): number =>
      controls.reduce((largest, each) => Math.max(largest, of(each)), 0);
    for (const agent of this.#agents.values()) agent.settle(now);
    const links = this.#pausedLinks(now);
    const flows = this.#heldFlows();
    return {
      pauses: sum(({ requests }) => requests.pauses),
      resumes: sum(({ requests }) => requests.resumes),
      losslessDrops: sum(({ requests }) => requests.losslessDrops),
      lossyDrops: sum(({ requests }) => requests.lossyDrops),
      ...(this.#o.scenario.buffer?.pfc?.watchdog !== undefined && {
        storms: sum(({ requests }) => requests.storms) + this.#stormsOfHosts(),
        stormDrops: sum(({ requests }) => requests.stormDrops),
      }),
      sharedPeakBytes: most(({ peaks }) => peaks.sharedBytes),
      headroomPeakBytes: most(({ peaks }) => peaks.headroomBytes),
      pausedUs: links.reduce((total, { pausedUs }) => total + pausedUs, 0),
      links,
      flows,
      victims: flows.filter(({ victimUs }) => victimUs > 0).length,
      deadlocks: [...(this.#detector?.deadlocks ?? [])],
    };
  }

  #stormsOfHosts(): number {
    return [...this.#agents.values()].reduce((sum, { pauses }) => sum + pauses.storms, 0);
  }

  #pausedLinks(now: Instant): LosslessRecord['links'] {
    const { plan, network } = this.#o;
    const found = plan.links.flatMap((link) =>
      [link.a, link.b].map(({ node, port }) => {
        const name = linkName(node, link);
        const counters =
          network().switches.get(node)?.device.pauses?.pauseCounters(port, now) ??
          [this.#agents.get(name)?.pauses].flatMap((each) => each ?? []);
        const add = (of: (each: (typeof counters)[number]) => number): number =>
          counters.reduce((total, each) => total + of(each), 0);
        const pausedUs = add(({ duration }) => duration) / PS_PER_US;
        return { name, pauses: add(({ pauses }) => pauses), pausedUs };
      }),
    );
    return found.filter(({ pauses }) => pauses > 0);
  }

  #heldFlows(): LosslessRecord['flows'] {
    const destinations = new Map(
      this.#o.flows().map(({ number, destination }) => [number, destination]),
    );
    return this.#ledger.held.map(({ number, byReason, path }) => {
      const end = `->${destinations.get(number) ?? ''}:`;
      // The path is unknown until a packet has arrived.
      const isKnown = [...path].some((link) => link.includes(end));
      const others = [...byReason].filter(([link]) => isKnown && !path.has(link));
      const total = (spans: Iterable<readonly [string, Duration]>): number =>
        [...spans].reduce((sum, [, duration]) => sum + duration, 0) / PS_PER_US;
      return {
        id: number,
        heldUs: total(byReason),
        victimUs: total(others),
        because: others.map(([link]) => link),
      };
    });
  }
}

/** The switch before a host, whose watchdog lets the host go on, has to find a storm first. */
const HOST_PATIENCE = 5;

const hostTimes = ({
  detectUs,
  restoreUs,
}: {
  detectUs: number;
  restoreUs: number;
}): StormTimes => ({
  detect: microseconds(HOST_PATIENCE * detectUs),
  restore: microseconds(restoreUs),
});

/** The queue of each class at the switch of a host; classes that it does not name have queue 0. */
function queuesOf(
  scenario: ScenarioDocument,
  host: string,
  { a, b }: PlannedLink,
): ReadonlyMap<number, number> {
  const profile = profileOf(scenario, a.node === host ? b.node : a.node);
  if (profile !== 'hpcc-queues') return new Map();
  const { classes } = telemetrySchema.parse(scenario.telemetry);
  return new Map(classes.map(({ dscp, queue }) => [dscp, queue]));
}

/** Name of the direction of a link that leaves a node. */
function linkName(node: string, { a, b }: PlannedLink): string {
  const [from, to] = a.node === node ? [a, b] : [b, a];
  return `${from.node}:${from.port}->${to.node}:${to.port}`;
}
