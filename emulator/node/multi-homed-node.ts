import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import { serialisationTime } from '../../common/units/units';
import type { BitsPerSecond, Instant, InstantCell, PortNumber } from '../../common/units/units';
import { identified } from '../../switch/executor/packet-pool';
import { NicAgents } from '../../host-agent/nics/nic-agents';
import type { NicAgentsOptions } from '../../host-agent/nics/nic-agents';
import type { Channel } from '../network/channel';
import { HostRoutes } from '../network/host-routes';
import type { Interface } from '../network/host-routes';
import type { NetworkPlan, PlannedLink } from '../network/plan';
import type { EventQueue } from '../kernel/event-queue';
import type { ObserversOf } from '../kernel/observer-list';
import { HostNode } from './host-node';
import type { HostEnvironment, HostObserver } from './host-node';

/** Above the number of any interface. */
const ID_STEP = 2 ** 17;

export interface MultiHomedOptions extends Omit<NicAgentsOptions, 'routes'> {
  readonly host: string;
  /** IPv4 address that a frame of this host is for. */
  readonly destinationOf: (packet: Packet) => number | undefined;
}

interface Port {
  readonly channel: Channel;
  readonly source: number;
  /** Frames of other interfaces whose own way is gone. */
  readonly rerouted: Packet[];
  readonly busyUntil: InstantCell;
  isUp: boolean;
}

/**
 * Drives a host with several interfaces, each with an agent for the flows that leave there. Where an
 * interface has lost its link, or no path leads from it to a destination any more, its frames leave by another
 * one that still has a path, as with bonded links: the host has one address.
 */
export class MultiHomedNode extends HostNode {
  readonly #ports: Port[] = [];
  readonly #agents: NicAgents;
  readonly #o: MultiHomedOptions;
  readonly #queue: EventQueue;
  readonly #observers: ObserversOf<HostObserver>;
  readonly #packets: HostEnvironment['packets'];
  readonly #plan: NetworkPlan;
  readonly #interfaces: readonly Interface[];
  /** Links that the network is known to do without. */
  #down: ReadonlySet<PlannedLink> = new Set();
  #routes: HostRoutes;
  #nextId: number;
  #lastRate: BitsPerSecond = 0;

  /** @param place the network, and the interfaces of the host in it. */
  constructor(
    options: MultiHomedOptions,
    place: { readonly plan: NetworkPlan; readonly interfaces: readonly Interface[] },
    environment: HostEnvironment,
  ) {
    const agents = new NicAgents({
      ...options,
      routes: {
        towards: (address) => this.#routes.towards(options.host, address),
        macTowards: (nic) => place.interfaces[nic]?.gatewayMac,
      },
    });
    super(options.host, agents, environment);
    this.#plan = place.plan;
    this.#interfaces = place.interfaces;
    this.#agents = agents;
    this.#o = options;
    this.#routes = new HostRoutes(place.plan);
    this.#queue = environment.queue;
    this.#observers = environment.observers;
    this.#packets = environment.packets;
    this.#nextId = environment.number;
  }

  /** Channels come in the order of the host's ports. */
  override attach(channel: Channel): void {
    const source = this.#queue.newSource();
    this.#queue.bind(source, this, this.#ports.length);
    this.#ports.push({ channel, source, rerouted: [], busyUntil: new Float64Array(1), isUp: true });
    this.#lastRate = channel.rate;
  }

  override get portCount(): number {
    return this.#ports.length;
  }

  /** Rate of the link that the last frame has left on. */
  override get linkRate(): BitsPerSecond {
    return this.#lastRate;
  }

  /** The link of a port has failed or come back, which its interface notices at once. */
  setPortUp(now: Instant, port: PortNumber, up: boolean): void {
    const own = this.#ports[port - 1];
    assert(own !== undefined, `${this.name} has port ${port}`);
    own.isUp = up;
    this.setDown(now, this.#down);
  }

  /** Paths over these links exist no more; of its own links the host knows. */
  setDown(now: Instant, down: ReadonlySet<PlannedLink>): void {
    this.#down = new Set(down);
    const own = this.#interfaces.filter(({ index }) => this.#ports[index]?.isUp === false);
    this.#routes = new HostRoutes(this.#plan, new Set([...down, ...own.map(({ link }) => link)]));
    this.pump(now);
  }

  override receive(now: Instant, port: PortNumber, packet: Packet): void {
    const nic = this.#o.nics[port - 1];
    assert(nic !== undefined, `${this.name} has port ${port}`);
    for (const each of this.#observers.of('hostReceived')) {
      each.hostReceived(this, packet, now, port);
    }
    this.#agents.agentOf(packet, nic).handlePacket(now, packet);
    for (const each of this.#observers.of('hostHandled')) each.hostHandled(this, packet, now);
    this.pump(now);
  }

  /** An agent wants to be woken, or an interface is free again. */
  override handleEvent(now: Instant): void {
    for (const { agent } of this.#o.nics) {
      const wakeupAt = agent.pollWakeup();
      if (wakeupAt !== undefined && wakeupAt <= now) agent.handleWakeup(now);
    }
    this.pump(now);
  }

  /** Lets every free interface send, and schedules the next events. */
  override pump(now: Instant): void {
    let hasSent = true;
    // What one interface sends may have to leave by another one that was free before.
    while (hasSent) {
      hasSent = false;
      for (const index of this.#ports.keys()) hasSent = this.#offer(now, index) || hasSent;
    }
    this.#drainEvents();
    for (const index of this.#ports.keys()) this.#schedule(now, index);
  }

  /** Sends a frame at a port that is free; true if there was one. */
  #offer(now: Instant, index: number): boolean {
    const port = this.#ports[index] as Port;
    if (now < (port.busyUntil[0] as number)) return false;
    const waiting = port.isUp ? port.rerouted.shift() : undefined;
    if (waiting !== undefined) {
      this.#transmit(now, port, waiting);
      return true;
    }
    const packet = this.#o.nics[index]?.agent.pollTransmit(now);
    if (packet === undefined) return false;
    const exit = this.#exitOf(index, packet);
    if (exit === port) {
      this.#transmit(now, port, packet);
    } else {
      // The agent goes on at the rate of its own link.
      port.busyUntil[0] = now + serialisationTime(packet.length, port.channel.rate);
      exit.rerouted.push(packet);
    }
    return true;
  }

  /** The port that a frame of an interface leaves by. */
  #exitOf(index: number, packet: Packet): Port {
    const own = this.#ports[index] as Port;
    const address = this.#o.destinationOf(packet);
    if (address === undefined) return own;
    const ways = this.#routes.towards(this.name, address).filter((way) => this.#ports[way]?.isUp);
    if (ways.length === 0 || ways.includes(index)) return own;
    return this.#ports[ways[index % ways.length] as number] as Port;
  }

  #schedule(now: Instant, index: number): void {
    const port = this.#ports[index] as Port;
    const { source, rerouted, isUp } = port;
    const busyUntil = port.busyUntil[0] as number;
    const agent = this.#o.nics[index]?.agent;
    const isBusy = now < busyUntil;
    const mayGoOn = (rerouted.length > 0 && isUp) || agent?.mayTransmit?.(port.busyUntil) !== false;
    const wakeupAt = agent?.pollWakeup() ?? Infinity;
    const at = isBusy && mayGoOn ? busyUntil : Math.max(wakeupAt, isBusy ? busyUntil : now);
    if (at === Infinity) this.#queue.cancel(source);
    else if (at !== this.#queue.timeOf(source)) this.#queue.set(source, at);
  }

  #transmit(now: Instant, port: Port, packet: Packet): void {
    const { channel } = port;
    port.busyUntil[0] = now + serialisationTime(packet.length, channel.rate);
    this.#lastRate = channel.rate;
    const id = this.#nextId;
    this.#nextId += ID_STEP;
    for (const each of this.#observers.of('frameSent')) each.frameSent(packet);
    const observers = this.#observers.of('hostSent');
    const sent =
      observers.length === 0
        ? packet
        : (this.#packets?.named(packet, id) ?? identified(packet, id));
    channel.send(sent, now, port.busyUntil);
    for (const each of observers) each.hostSent(this, sent, now, channel.from.port);
  }

  #drainEvents(): void {
    for (;;) {
      const event = this.#agents.pollEvent();
      if (event === undefined) return;
      for (const each of this.#observers.of('hostEvent')) each.hostEvent(this, event);
    }
  }
}
