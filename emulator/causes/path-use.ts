import type { Duration, Instant, PortNumber } from '../../common/units/units';
import type { SwitchNode } from '../node/switch-node';
import type { Piece } from './piece';
import { PortUse } from './port-use';
import type { Use } from './port-use';

interface WatchedPort {
  readonly node: SwitchNode;
  readonly port: PortNumber;
  readonly link: string;
  readonly use: PortUse;
}

/** Below this share of a window, what a port did not do for the flow explains nothing. */
const LEAST = 0.02;

/**
 * The switch ports of a flow's path, and what they were used for while the flow's own control held it
 * back: that control slows a flow down since others use a port, since a port is paused, or needlessly.
 */
export class PathUse {
  readonly #ports = new Map<SwitchNode, Map<PortNumber, WatchedPort>>();
  readonly #baseRtt: Duration;

  constructor(baseRtt: Duration) {
    this.#baseRtt = baseRtt;
  }

  /** A data packet of the flow leaves by this port. */
  add(node: SwitchNode, port: PortNumber, now: Instant): void {
    const channel = node.channel(port);
    const ports = this.#ports.get(node) ?? new Map<PortNumber, WatchedPort>();
    if (channel === undefined || ports.has(port)) return;
    const start = { at: now, paused: pausedUpTo(node, port, now) };
    const use = new PortUse(channel.rate, this.#baseRtt, start);
    ports.set(port, { node, port, link: channel.name, use });
    this.#ports.set(node, ports);
  }

  /** @param other number of the packet's flow; null: none; undefined: the flow that is looked at. */
  sent(
    node: SwitchNode,
    port: PortNumber,
    packet: {
      readonly start: Instant;
      readonly bytes: number;
      readonly other: number | null | undefined;
    },
  ): void {
    const watched = this.#ports.get(node)?.get(port);
    if (watched === undefined) return;
    watched.use.notePaused(packet.start, pausedUpTo(node, port, packet.start));
    watched.use.sent({ ...packet, waiting: node.device.queueBytes(port) });
  }

  /** Divides a time for which the flow's window or pacing held it back, by what its fullest port did. */
  explain(own: 'window' | 'pacing', host: string, from: Instant, to: Instant): readonly Piece[] {
    const full = this.#fullest(from, to);
    if (full === undefined) return [{ cause: own, from, to, at: host }];
    const { use, port } = full;
    const rest = Math.max(0, use.window - use.own - use.othersTotal - use.paused);
    const total = use.othersTotal + use.paused + rest;
    const place = { at: port.link, way: 'data' as const };
    // The port sent the flow's own packets all the time: it is slower than the sender.
    if (total < LEAST * use.window)
      return [{ cause: 'serialisation', from, to, ...place, isBacklog: true }];
    const scale = (to - from) / total;
    const pausedAt = from + use.othersTotal * scale;
    const restAt = Math.min(to, pausedAt + use.paused * scale);
    const others = new Map([...use.others].map(([flow, time]) => [flow, time * scale]));
    const pieces: readonly Piece[] = [
      { cause: 'sharing', from, to: pausedAt, ...place, others },
      { cause: 'pause', from: pausedAt, to: restAt, ...place },
      { cause: own, from: restAt, to, at: host },
    ];
    return pieces.filter((piece) => piece.to > piece.from);
  }

  #fullest(from: Instant, to: Instant): { port: WatchedPort; use: Use } | undefined {
    let found: { port: WatchedPort; use: Use } | undefined;
    for (const ports of this.#ports.values()) {
      for (const port of ports.values()) {
        port.use.notePaused(to, pausedUpTo(port.node, port.port, to));
        const use = port.use.use(from, to);
        if (found === undefined || use.load > found.use.load) found = { port, use };
      }
    }
    return found;
  }
}

/** Time for which a port had been paused, over all priorities. */
function pausedUpTo({ device }: SwitchNode, port: PortNumber, now: Instant): Duration {
  const counters = device.pauses?.pauseCounters(port, now) ?? [];
  return counters.reduce((total, { duration }) => total + duration, 0);
}
