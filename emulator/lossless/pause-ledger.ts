import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant } from '../../common/units/units';
import type { Agent } from '../../host-agent/host/agent';
import type { PauseWatch, Place } from '../../switch/v1model/pause-watch';
import { nameOf } from '../network/channel';
import type { Channel } from '../network/channel';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { HostFrames } from '../record/host-frames';

/** Properties of a flow that the ledger uses. */
export interface WatchedFlow {
  readonly number: number;
  readonly sender: HostNode;
  readonly id: number;
  /** Payload of the whole flow, and when it was complete. */
  readonly bytes: number;
  readonly completedAt: Instant | undefined;
}

/** Times for which a flow was held by pauses, by the link that caused them. */
export interface HeldFlow {
  readonly number: number;
  readonly byReason: ReadonlyMap<string, Duration>;
  /** Links that the flow's data went over. */
  readonly path: ReadonlySet<string>;
}

interface PausedInterface {
  readonly agent: Agent;
  readonly link: string;
  readonly priority: number;
}

interface Account {
  readonly number: number;
  readonly byReason: Map<string, Duration>;
  readonly path: Set<string>;
}

/**
 * Attributes waiting flows to the links that caused the pauses. The cause of a pause is the link
 * for which most of those packets wait that fill the switch up; if that link is paused itself, the
 * cause of its pause. A flow that waits for a cause that is none of its own links is a victim.
 */
export class PauseLedger {
  /** The reason by the paused link and priority. */
  readonly #reasons = new Map<string, string>();
  readonly #accounts = new Map<HostNode, Map<number, Account>>();
  /** Accounts of the data packets on their way, by their ids. */
  readonly #onTheWay = new Map<number, Account>();
  readonly #flows: () => readonly WatchedFlow[];
  readonly #frames: HostFrames;

  constructor(flows: () => readonly WatchedFlow[], frames: HostFrames) {
    this.#flows = flows;
    this.#frames = frames;
  }

  /** Flows that pauses held, in their order. */
  get held(): readonly HeldFlow[] {
    return [...this.#accounts.values()]
      .flatMap((accounts) => [...accounts.values()])
      .filter(({ byReason }) => byReason.size > 0)
      .sort((a, b) => a.number - b.number);
  }

  /** The watch of one switch. */
  watch(node: SwitchNode): PauseWatch {
    return {
      requested: (place, isPause, now) => {
        const link = node.channel(place.ingress);
        if (!isPause || link === undefined) return;
        const name = nameOf({ from: link.to, to: link.from });
        this.#reasons.set(key(name, place.priority), this.#reasonAt(node, place, now));
      },
      held: ({ egress, priority }: Place, packet, duration) => {
        const account = packet.id === undefined ? undefined : this.#onTheWay.get(packet.id);
        const link = node.channel(egress)?.name;
        if (account !== undefined && link !== undefined) {
          this.#charge(account, this.#reasons.get(key(link, priority)) ?? link, duration);
        }
      },
    };
  }

  hostSent(host: HostNode, packet: Packet): void {
    const id = this.#frames.dataFlowOf(packet);
    if (id === undefined || packet.id === undefined) return;
    const account = this.#account(host, id);
    if (account !== undefined) this.#onTheWay.set(packet.id, account);
  }

  hostReceived(packet: Packet): void {
    if (packet.id !== undefined) this.#onTheWay.delete(packet.id);
  }

  switchTransmitted(link: Channel | undefined, packet: Packet): void {
    if (packet.id === undefined || link === undefined) return;
    this.#onTheWay.get(packet.id)?.path.add(link.name);
  }

  /** An interface of a host went on after a pause: the flows of its agent that could have sent have waited. */
  hostWaited(host: HostNode, { agent, link, priority }: PausedInterface, duration: Duration): void {
    const reason = this.#reasons.get(key(link, priority)) ?? link;
    for (const flow of this.#flows()) {
      if (flow.sender !== host || flow.completedAt !== undefined) continue;
      const metrics = agent.flowMetrics(flow.id);
      if (metrics === undefined || metrics.sentBytesMax >= flow.bytes) continue;
      if (metrics.inflightBytes >= metrics.congestion.windowBytes) continue;
      const account = this.#account(host, flow.id);
      if (account !== undefined) this.#charge(account, reason, duration);
    }
  }

  #reasonAt(node: SwitchNode, { egress, ingress, priority }: Place, now: Instant): string {
    let most = 0;
    let fullest = egress;
    node.forEachWaitingPort((port) => {
      const bytes = node.device.pauses?.port(port)?.bytesFrom(ingress, priority) ?? 0;
      if (bytes <= most) return;
      most = bytes;
      fullest = port;
    });
    const link = node.channel(fullest)?.name ?? node.name;
    const isPaused = node.device.pauses?.port(fullest)?.isPaused(priority, now) === true;
    return (isPaused ? this.#reasons.get(key(link, priority)) : undefined) ?? link;
  }

  #charge({ byReason }: Account, reason: string, duration: Duration): void {
    byReason.set(reason, (byReason.get(reason) ?? 0) + duration);
  }

  #account(host: HostNode, id: number): Account | undefined {
    let accounts = this.#accounts.get(host);
    if (accounts === undefined) this.#accounts.set(host, (accounts = new Map<number, Account>()));
    const known = accounts.get(id);
    if (known !== undefined) return known;
    const flow = this.#flows().find((each) => each.sender === host && each.id === id);
    if (flow === undefined) return undefined;
    const account = {
      number: flow.number,
      byReason: new Map<string, Duration>(),
      path: new Set<string>(),
    };
    accounts.set(id, account);
    return account;
  }
}

const key = (link: string, priority: number): string => `${link} ${priority}`;
