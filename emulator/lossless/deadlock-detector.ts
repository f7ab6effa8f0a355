import type { Duration, Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import { Alarm } from '../kernel/alarm';
import type { EventQueue } from '../kernel/event-queue';
import type { SwitchNode } from '../node/switch-node';
import type { Channel } from '../network/channel';
import type { LosslessRecord } from '../result/lossless-record';

/** A queue that its link's other end has stopped while packets wait in it. */
interface StoppedQueue {
  readonly node: SwitchNode;
  readonly port: PortNumber;
  readonly priority: number;
  readonly channel: Channel;
}

export interface DetectorOptions {
  readonly queue: EventQueue;
  readonly switches: readonly SwitchNode[];
  readonly priorities: readonly number[];
  /** Time for which a circle must have stood still. */
  readonly patience: Duration;
}

type Deadlock = LosslessRecord['deadlocks'][number];

/** A circle that may be a deadlock: no queue in it has sent since. */
interface Suspicion {
  readonly links: readonly Channel[];
  /** Names and what they have sent. */
  readonly state: string;
  readonly since: Instant;
  report: { endedAtUs: number | null } | undefined;
}

/** Looks so often within the patience. */
const LOOKS = 4;

/**
 * Finds switches that wait for each other. A queue of X towards Y that Y has stopped waits for every
 * stopped queue of Y that holds packets which X has sent: a circle of such queues in which nothing
 * has left for `patience` is a deadlock, and is reported with the links in their order.
 */
export class DeadlockDetector {
  readonly #alarm: Alarm;
  readonly #o: DetectorOptions;
  readonly #deadlocks: (Deadlock & { endedAtUs: number | null })[] = [];
  #suspicion: Suspicion | undefined;

  constructor(options: DetectorOptions) {
    this.#o = options;
    this.#alarm = new Alarm(options.queue, options.queue.newSource(), (now) => this.#look(now));
  }

  get deadlocks(): readonly Deadlock[] {
    return this.#deadlocks;
  }

  start(): void {
    this.#alarm.set(this.#o.queue.now + this.#o.patience, 0);
  }

  #look(now: Instant): void {
    const { patience } = this.#o;
    const links = circleAmong(this.#stopped(now), now);
    const state = links?.map(({ name, ledger }) => `${name} ${ledger.sentPackets}`).join();
    const known = this.#suspicion;
    if (known !== undefined && known.state !== state) {
      if (known.report !== undefined) known.report.endedAtUs = now / PS_PER_US;
      this.#suspicion = undefined;
    }
    if (links !== undefined && state !== undefined) this.#suspect(links, state, now);
    this.#alarm.set(now + Math.ceil(patience / LOOKS), 0);
  }

  #suspect(links: readonly Channel[], state: string, now: Instant): void {
    const suspicion = (this.#suspicion ??= { links, state, since: now, report: undefined });
    if (suspicion.report !== undefined || now - suspicion.since < this.#o.patience) return;
    const cycle = links.map(({ name }) => name);
    const report = { atUs: now / PS_PER_US, endedAtUs: null, cycle };
    suspicion.report = report;
    this.#deadlocks.push(report);
  }

  #stopped(now: Instant): StoppedQueue[] {
    const found: StoppedQueue[] = [];
    for (const node of this.#o.switches) {
      node.forEachWaitingPort((port) => {
        const channel = node.channel(port);
        const output = node.device.pauses?.port(port);
        if (channel === undefined || output === undefined) return;
        for (const priority of this.#o.priorities) {
          const waits = node.device.priorityQueueBytes(port, priority) > 0;
          if (waits && output.isPaused(priority, now)) {
            found.push({ node, port, priority, channel });
          }
        }
      });
    }
    return found;
  }
}

/** The links of one circle in order, from the one whose name comes first; undefined without one. */
function circleAmong(queues: readonly StoppedQueue[], now: Instant): Channel[] | undefined {
  const finished = new Set<StoppedQueue>();
  const path: StoppedQueue[] = [];
  const visit = (queue: StoppedQueue): StoppedQueue[] | undefined => {
    const at = path.indexOf(queue);
    if (at >= 0) return path.slice(at);
    if (finished.has(queue)) return undefined;
    path.push(queue);
    for (const next of queues) {
      const circle = waitsFor(queue, next, now) ? visit(next) : undefined;
      if (circle !== undefined) return circle;
    }
    path.pop();
    finished.add(queue);
    return undefined;
  };
  for (const queue of queues) {
    const circle = visit(queue);
    if (circle !== undefined) return fromFirst(circle.map(({ channel }) => channel));
  }
  return undefined;
}

/** True if the first queue is stopped because of packets that wait in the second one. */
function waitsFor({ channel, priority }: StoppedQueue, next: StoppedQueue, now: Instant): boolean {
  if (channel.to.node !== next.node || priority !== next.priority) return false;
  const output = next.node.device.pauses?.port(next.port);
  if (output === undefined || !output.isPaused(priority, now)) return false;
  return output.bytesFrom(channel.to.port, priority) > 0;
}

/** The same circle, whichever link it was found from. */
function fromFirst(links: Channel[]): Channel[] {
  const names = links.map(({ name }) => name);
  const first = names.indexOf(names.reduce((least, name) => (name < least ? name : least)));
  return [...links.slice(first), ...links.slice(0, first)];
}
