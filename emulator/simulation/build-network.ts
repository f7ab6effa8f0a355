import { LinkRows } from '../network/link-rows';
import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import { Random } from '../../common/random/random';
import { bothWays, macAt } from '../../common/topology/topology';
import { defaultSwitchAddress } from '../../controller/intent/routing/switch-address';
import type { ExecutorFactory } from '../../switch/executor/executor';
import { PacketPool } from '../../switch/executor/packet-pool';
import { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import type { HostNode } from '../node/host-node';
import { SwitchNode } from '../node/switch-node';
import { buildHosts } from './build-hosts';
import type { HostOptions } from './build-hosts';
import { Channel } from '../network/channel';
import type { ChannelEnd, ChannelExit } from '../network/channel';
import { TelemetryForger } from '../network/telemetry-forger';
import { NotificationFaults } from '../network/notification-faults';
import { linkOf } from '../network/plan';
import type { NetworkPlan, PlannedEnd } from '../network/plan';
import { hardwareWeights, switchHardware } from '../network/switch-hardware';
import type { Part } from './part';
import { coordinationOf } from '../scenario/data-plane-schema';
import type { ScenarioDocument } from '../scenario/schema';

export interface NetworkOptions extends HostOptions {
  readonly seed: number;
  /** Executor of the switches' programs. */
  readonly executor: ExecutorFactory;
  /** Absent: all of the network is run here. */
  readonly part?: Part | undefined;
}

export interface Network {
  readonly hosts: ReadonlyMap<string, HostNode>;
  readonly switches: ReadonlyMap<string, SwitchNode>;
  /** Both directions of every link, in the order of the plan's links. */
  readonly channels: readonly Channel[];
  /** Pool of the switches' packets; absent where packets are kept after their arrival. */
  readonly packets: PacketPool | undefined;
}

/** Distance between the seeds of two channels' losses, away from those of forgers. */
const LOSSES = 1_000_033;

/** Makes hosts, switches (without a program) and links. */
export function buildNetwork(options: NetworkOptions): Network {
  const packets = keepsPackets(options.scenario) ? undefined : new PacketPool();
  // At equal times packets arrive at a node before others leave it.
  const { links } = options.plan;
  const sources = links.flatMap(({ a, b }) =>
    [b, a].map(({ node }) => options.time.queueOf(node).newSource()),
  );
  const hosts = buildHosts({ ...options, packets });
  const switches = buildSwitches(options, packets);
  const forgers = forgersOf(options);
  const faultsBefore = notificationFaults(options);
  const end = ({ node, port }: PlannedEnd): ChannelEnd => {
    const found = hosts.get(node) ?? switches.get(node);
    assert(found !== undefined, `${node} is a node of the plan`);
    return { node: found, port };
  };
  const ledgers = new LinkRows(2 * links.length);
  let made = 0;
  const channels = links.flatMap((link) =>
    bothWays(link).map(({ a: from, b: to, rate, delay, lossRate }): Channel => {
      // Losses of one link do not depend on the traffic of others.
      const random = new Random((options.seed + LOSSES * ++made) % Number.MAX_SAFE_INTEGER);
      const source = sources[made - 1];
      assert(source !== undefined, 'every channel has a source');
      const queue = options.time.queueOf(to.node);
      const shape = { ledger: ledgers.add(), rate, delay, lossRate, random, queue, source };
      const forger = forgers.get(`${from.node} ${to.node}`);
      const faults = faultsBefore(to.node, made);
      const ends = { from: end(from), to: end(to) };
      const exit = exitTo(to.node, options.part);
      const memory = { packets, endsPackets: hosts.has(to.node) };
      const channel = new Channel({ ...shape, ...ends, ...memory, forger, faults, exit });
      hosts.get(from.node)?.attach(channel);
      switches.get(from.node)?.attach(from.port, channel);
      return channel;
    }),
  );
  return { hosts, switches, channels, packets };
}

const exitTo = (node: string, part: Part | undefined): ChannelExit | undefined =>
  part === undefined || part.has(node) ? undefined : part.exit;

/**
 * Those who tamper with telemetry, by the nodes at the ends of their links. Each has a generator of
 * its own, so that the rest of the run does not depend on them.
 * @throws InputError for a link that the network does not have.
 */
function forgersOf({ plan, scenario, seed }: NetworkOptions): ReadonlyMap<string, TelemetryForger> {
  const forgers = scenario.forgedTelemetry.map((document, i) => {
    const { from, to } = document;
    const isLink = plan.links.some(
      ({ a, b }) => (a.node === from && b.node === to) || (a.node === to && b.node === from),
    );
    if (!isLink) throw new InputError(`forgedTelemetry[${i}]: no link leads from ${from} to ${to}`);
    return [`${from} ${to}`, new TelemetryForger(document, new Random(seed + i + 1))] as const;
  });
  return new Map(forgers);
}

/** First seed of faults, and distance between them, away from those of losses. */
const FAULTS = 1_000_003;

/**
 * Faults of notifications on a link to a node. Each link has a generator of its own, so that its
 * faults do not depend on the traffic of others.
 */
function notificationFaults({ plan, scenario, seed }: NetworkOptions) {
  const document = scenario.notificationFaults;
  const { hosts, switches } = plan.topology;
  const addresses = new Map([
    ...hosts.map(({ name, ipv4 }) => [name, ipv4] as const),
    ...switches.map(({ name, nodeId }) => [name, defaultSwitchAddress(nodeId)] as const),
  ]);
  return (node: string, link: number): NotificationFaults | undefined => {
    const address = addresses.get(node);
    if (document === undefined || address === undefined) return undefined;
    const own = ((document.seed ?? seed) + FAULTS * link) % Number.MAX_SAFE_INTEGER;
    return new NotificationFaults(document, address, new Random(own));
  };
}

/** True if packets are used again after they have arrived. */
function keepsPackets(scenario: ScenarioDocument): boolean {
  const { forgedTelemetry, notificationFaults: faults } = scenario;
  return (
    forgedTelemetry.length > 0 || faults !== undefined || coordinationOf(scenario) !== undefined
  );
}

/** Apart from the seeds of forgers and faults, and of the switches of runs with other seeds. */
const SWITCH_SEED = 7_368_787;

function buildSwitches(
  options: NetworkOptions,
  packets: PacketPool | undefined,
): Map<string, SwitchNode> {
  const { plan, scenario, time, observers, executor } = options;
  const { queueUnitBytes: cell, queueRounding } = scenario.parameters;
  const queueUnit = { kind: queueRounding === 'packet' ? 'cells' : 'bytes', cell } as const;
  const nodes = plan.topology.switches.map(({ name, clockUnitNs }, i) => {
    const hardware = switchHardware(plan, scenario, name);
    const ports = hardware.ports.map(({ port }) => port);
    const node = new SwitchNode(name, time.queueOf(name), observers, ports);
    const units = { clockUnitNs, queueUnit };
    const random = new Random(options.seed + SWITCH_SEED * (i + 1));
    const parts = { ...units, executor, packets, random, output: node };
    const pauseWatch = options.pauses?.watch(node);
    const device = new V1ModelSwitch({ ...hardware, ...parts, pauseWatch });
    for (const [priority, weight] of hardwareWeights(scenario, name)) {
      assert(device.queues.setWeight(weight, { priority }), 'ports of links have weights');
    }
    node.install(device);
    return [name, node] as const;
  });
  return new Map(nodes);
}

/** MAC address at the other end of a host's link. */
export function gatewayMac(plan: NetworkPlan, host: string): number {
  return macAt(plan.topology, linkOf(plan, host).b);
}
