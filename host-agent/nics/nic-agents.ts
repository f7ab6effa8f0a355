import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Duration, Instant } from '../../common/units/units';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { Agent, FlowHold, FlowMetrics } from '../host/agent';
import type { FlowSpec } from '../host/host-config';
import type { HostCounters, HostEvent } from '../host/host-events';
import type { FrameOwner, FrameOwnerReader } from './frame-owner';

/** A network interface of a host, with the agent of the flows that leave there. */
export interface Nic {
  readonly agent: Agent;
}

/** Ways of a host to others, which may change. */
export interface NicRoutes {
  /** Indices of the interfaces that lead to an IPv4 address soonest; none where no path is known. */
  towards(address: number): readonly number[];
  /** MAC address that frames from an interface to an address have; undefined where it is not known. */
  macTowards(nic: number, address: number): number | undefined;
}

export interface NicAgentsOptions {
  /** Number of the host in its network, so that first flows of hosts do not all take the first interface. */
  readonly number: number;
  readonly nics: readonly Nic[];
  readonly ownerOf: FrameOwnerReader;
  readonly routes: NicRoutes;
}

/** Flows of peers that are remembered; of more, those of which no frame has come for longest are forgotten. */
export const PEER_FLOWS_MAX = 65_536;

/**
 * The agents of a host with several interfaces and one address, one agent per interface. A flow that the host
 * starts belongs to an interface on a shortest path to its destination, in turn; a flow that comes in, to the
 * interface at which its first frame has arrived.
 */
export class NicAgents implements Agent {
  readonly #o: NicAgentsOptions;
  /** Interfaces of flows that this host has started, by id. */
  readonly #own = new Map<number, Nic>();
  /** Interfaces of flows that peers have started, by address and id, and by id alone. */
  readonly #incoming = new Map<string, Nic>();
  readonly #incomingById = new Map<number, Nic>();
  #turn: number;

  constructor(options: NicAgentsOptions) {
    this.#o = options;
    this.#turn = options.number;
  }

  startFlow(now: Instant, spec: FlowSpec): void {
    const { routes, nics } = this.#o;
    const ways = routes.towards(spec.destinationAddress);
    // The peer may be out of reach while links are down.
    const index = ways[this.#turn++ % Math.max(1, ways.length)] ?? 0;
    const nic = nics[index];
    assert(nic !== undefined, 'routes lead to interfaces of the host');
    this.#own.set(spec.id, nic);
    const destinationMac = routes.macTowards(index, spec.destinationAddress) ?? spec.destinationMac;
    nic.agent.startFlow(now, { ...spec, destinationMac });
  }

  appendToFlow(now: Instant, id: number, more: { bytes: Bytes; isLast: boolean }): void {
    const nic = this.#own.get(id);
    if (nic === undefined) {
      throw new InputError(`flow ${id} cannot grow: no open flow of that id is running`);
    }
    nic.agent.appendToFlow(now, id, more);
  }

  /** The agent that a frame is for that has arrived at an interface. */
  agentOf(packet: Packet, arrivedAt: Nic): Agent {
    const owner = this.#o.ownerOf(packet);
    if (owner === undefined) return arrivedAt.agent;
    if (owner.isOwn) return (this.#own.get(owner.flow) ?? arrivedAt).agent;
    return this.#incomingNic(owner, arrivedAt).agent;
  }

  #incomingNic({ flow, source }: FrameOwner, arrivedAt: Nic): Nic {
    if (source === undefined) return this.#incomingById.get(flow) ?? arrivedAt;
    const key = `${source} ${flow}`;
    const known = this.#incoming.get(key) ?? arrivedAt;
    remember(this.#incoming, key, known);
    remember(this.#incomingById, flow, known);
    return known;
  }

  /** Frames leave by interfaces: ask their agents. */
  pollTransmit(): Packet | undefined {
    return undefined;
  }

  handlePacket(now: Instant, packet: Packet): void {
    const [first] = this.#o.nics;
    assert(first !== undefined, 'a host has an interface');
    this.agentOf(packet, first).handlePacket(now, packet);
  }

  handleWakeup(now: Instant): void {
    for (const { agent } of this.#o.nics) agent.handleWakeup(now);
  }

  handleStandstill(duration: Duration): void {
    for (const { agent } of this.#o.nics) agent.handleStandstill(duration);
  }

  pollWakeup(): Instant | undefined {
    const at = this.#o.nics.reduce(
      (least, { agent }) => Math.min(least, agent.pollWakeup() ?? Infinity),
      Infinity,
    );
    return at === Infinity ? undefined : at;
  }

  pollEvent(): HostEvent | undefined {
    for (const { agent } of this.#o.nics) {
      const event = agent.pollEvent();
      if (event !== undefined) return event;
    }
    return undefined;
  }

  flowMetrics(id: number): FlowMetrics | undefined {
    const own = this.#own.get(id) ?? this.#incomingById.get(id);
    return own?.agent.flowMetrics(id);
  }

  senderMetrics(id: number): CongestionMetrics | undefined {
    const own = this.#own.get(id) ?? this.#incomingById.get(id);
    return own?.agent.senderMetrics(id);
  }

  receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    const nic = this.#incoming.get(`${sourceAddress} ${flow}`);
    return nic?.agent.receiverMetrics(sourceAddress, flow);
  }

  windowLeft(id: number): Bytes | undefined {
    const own = this.#own.get(id) ?? this.#incomingById.get(id);
    return own?.agent.windowLeft(id);
  }

  flowHold(id: number): FlowHold | undefined {
    const own = this.#own.get(id) ?? this.#incomingById.get(id);
    return own?.agent.flowHold(id);
  }

  counters(): HostCounters {
    return sumOfHosts(this.#o.nics.map(({ agent }) => agent.counters()));
  }

  coordination(): undefined {
    return undefined;
  }
}

/** The counters of the interfaces of a host together. */
export function sumOfHosts(all: readonly HostCounters[]): HostCounters {
  const [first, ...others] = all;
  assert(first !== undefined, 'a host has an interface');
  return others.reduce(sumOf, first);
}

function sumOf(a: HostCounters, b: HostCounters): HostCounters {
  const packetsRejected = { ...a.packetsRejected };
  for (const [reason, count] of Object.entries(b.packetsRejected)) {
    const name = reason as keyof typeof packetsRejected;
    packetsRejected[name] = (packetsRejected[name] ?? 0) + count;
  }
  return {
    dataSent: a.dataSent + b.dataSent,
    acksSent: a.acksSent + b.acksSent,
    dataReceived: a.dataReceived + b.dataReceived,
    acksReceived: a.acksReceived + b.acksReceived,
    acksLate: a.acksLate + b.acksLate,
    trimmedReceived: a.trimmedReceived + b.trimmedReceived,
    bytesDelivered: a.bytesDelivered + b.bytesDelivered,
    telemetryRefused: a.telemetryRefused + b.telemetryRefused,
    reorderedPackets: a.reorderedPackets + b.reorderedPackets,
    reorderedBytes: a.reorderedBytes + b.reorderedBytes,
    reorderedBytesMax: Math.max(a.reorderedBytesMax, b.reorderedBytesMax),
    packetsRejected,
  };
}

/** Puts an entry last, and forgets the first one of a full map: whoever sends frames could fill the memory. */
function remember<Key>(flows: Map<Key, Nic>, key: Key, nic: Nic): void {
  flows.delete(key);
  flows.set(key, nic);
  if (flows.size <= PEER_FLOWS_MAX) return;
  for (const oldest of flows.keys()) {
    flows.delete(oldest);
    return;
  }
}
