import { assert } from '../../../common/assert';
import type { Clock } from '../../../common/io/monotonic-clock';
import type { Packet } from '../../../common/packet/packet';
import type { BitsPerSecond, Bytes, Duration, Instant } from '../../../common/units/units';
import { writeUint48 } from '../../../common/wire/bytes';
import type { Agent } from '../../host/agent';
import type { FlowSpec } from '../../host/host-config';
import type { HostEvent } from '../../host/host-events';
import type { FrameOwnerReader } from '../../nics/frame-owner';
import { NicAgents } from '../../nics/nic-agents';
import { NicLane } from '../../nics/nic-lane';
import type { FramePort } from '../net/frame-port';
import type { LiveRoutes } from './live-routes';
import { LiveHost } from './live-host';
import type { HostDriver } from './live-host';

const MAC_LENGTH = 6;

/** An interface of a live host: its agent, its socket and its link. */
export interface LiveNic {
  readonly agent: Agent;
  readonly port: FramePort;
  readonly mac: number;
  readonly linkRate: BitsPerSecond;
}

export interface LiveNicsOptions {
  readonly clock: Clock;
  readonly nics: readonly LiveNic[];
  readonly routes: LiveRoutes;
  readonly ownerOf: FrameOwnerReader;
  /** IPv4 address that a frame of this host is for. */
  readonly destinationOf: (packet: Packet) => number | undefined;
  /** Number from which the first flow takes its interface. */
  readonly number: number;
  /** T. */
  readonly baseRtt: Duration;
  readonly onEvent: (event: HostEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives a host with several interfaces: each has a driver and an agent of its own for the flows that leave
 * there. Where no way leads from an interface to a destination any more, its frames leave by another one.
 */
export class LiveNics implements HostDriver {
  readonly #o: LiveNicsOptions;
  readonly #lanes: readonly NicLane[];
  readonly #hosts: readonly LiveHost[];
  readonly #agents: NicAgents;

  constructor(options: LiveNicsOptions) {
    this.#o = options;
    const { nics, clock, baseRtt, onEvent, onFailure, ownerOf, routes, number } = options;
    const acting = nics.map(({ agent }, i) => ({ agent: this.#acting(i, agent) }));
    this.#agents = new NicAgents({ number, nics: acting, ownerOf, routes });
    this.#lanes = nics.map(({ agent, linkRate }, i) => {
      const own = acting[i];
      assert(own !== undefined, 'each interface has an agent');
      return new NicLane({
        inner: agent,
        linkRate,
        agentOf: (packet) => {
          const found = this.#agents.agentOf(packet, own);
          return found === own.agent ? agent : found;
        },
        reroute: (packet) => this.#reroute(i, packet),
      });
    });
    this.#hosts = nics.map(({ port, linkRate }, i) => {
      const agent = this.#lanes[i] as NicLane;
      return new LiveHost({ clock, agent, port, linkRate, baseRtt, onEvent, onFailure });
    });
  }

  /** All interfaces as one host. */
  get agent(): Agent {
    return this.#agents;
  }

  start(): void {
    for (const each of this.#hosts) each.start();
  }

  act<Result>(use: (agent: Agent, now: Instant) => Result): Result {
    return use(this.#agents, this.#o.clock());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#hosts.map((each) => each.stop()));
    this.#o.routes.close();
  }

  interfaceRenewed(before: number, port: FramePort): void {
    this.#o.nics.forEach((nic, i) => {
      if (nic.port === port) this.#hosts[i]?.interfaceRenewed(before);
    });
  }

  /** The agent of an interface for those outside of its driver, who come at any time. */
  #acting(index: number, inner: Agent): Agent {
    const act = <Result>(use: (now: Instant) => Result): Result => {
      const host = this.#hosts[index];
      assert(host !== undefined, 'each interface has a driver');
      return host.act((_lane, now) => use(now));
    };
    return {
      startFlow: (_now: Instant, spec: FlowSpec) => act((now) => inner.startFlow(now, spec)),
      appendToFlow: (_now: Instant, id: number, more: { bytes: Bytes; isLast: boolean }) =>
        act((now) => inner.appendToFlow(now, id, more)),
      handlePacket: (_now: Instant, packet: Packet) =>
        act((now) => inner.handlePacket(now, packet)),
      handleWakeup: () => undefined,
      handleStandstill: () => undefined,
      pollTransmit: () => undefined,
      pollWakeup: () => undefined,
      pollEvent: () => undefined,
      flowMetrics: (id) => inner.flowMetrics(id),
      senderMetrics: (id) => inner.senderMetrics(id),
      receiverMetrics: (source, flow) => inner.receiverMetrics(source, flow),
      windowLeft: (id) => inner.windowLeft(id),
      flowHold: (id) => inner.flowHold(id),
      counters: () => inner.counters(),
      coordination: () => inner.coordination(),
    };
  }

  /** Gives a frame to another interface if no way leads on from its own. */
  #reroute(index: number, packet: Packet): boolean {
    const { destinationOf, routes, nics } = this.#o;
    const address = destinationOf(packet);
    if (address === undefined) return false;
    const ways = routes.towards(address);
    if (ways.length === 0 || ways.includes(index)) return false;
    const exit = ways[index % ways.length] as number;
    // The agent may use its memory again.
    const bytes = packet.bytes.slice();
    const mac = routes.macTowards(exit, address);
    if (mac !== undefined) writeUint48(bytes, 0, mac);
    writeUint48(bytes, MAC_LENGTH, nics[exit]?.mac ?? 0);
    const isTaken = this.#lanes[exit]?.take({ ...packet, bytes, tail: packet.tail?.slice() });
    this.#hosts[exit]?.wake();
    return isTaken === true;
  }
}
