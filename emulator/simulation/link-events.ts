import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Instant, PortNumber } from '../../common/units/units';
import { ORIGIN, microseconds } from '../../common/units/units';
import { Alarm } from '../kernel/alarm';
import type { VirtualTime } from '../kernel/virtual-time';
import { changesOf } from '../scenario/link-changes';
import type { LinkChange } from '../scenario/link-changes';
import type { ScenarioDocument } from '../scenario/schema';
import { MultiHomedNode } from '../node/multi-homed-node';
import type { Network } from './build-network';
import type { Channel } from '../network/channel';
import type { NetworkPlan, PlannedEnd, PlannedLink } from '../network/plan';

/** Anything else is the index of a change. */
const CONTROLLER_REACTS = -1;

/** Called at once when a port of a switch has lost its link or has got it back. */
export type PortListener = (deviceId: number, port: PortNumber, up: boolean) => void;

export interface LinkEventsOptions {
  readonly scenario: Pick<ScenarioDocument, 'events' | 'reaction'>;
  readonly plan: NetworkPlan;
  readonly network: Network;
  readonly time: VirtualTime;
}

interface LinkEvent {
  readonly at: Instant;
  readonly link: PlannedLink;
  readonly change: LinkChange['change'];
}

/**
 * Lets links fail, come back and lose packets when the scenario says so. Both ends notice at once that a link has
 * failed; the controller is due some time later, when virtual time has to stop until it has done its work. Nobody
 * notices that a link loses packets but by their absence.
 */
export class LinkEvents {
  readonly #alarm: Alarm;
  readonly #o: LinkEventsOptions;
  readonly #events: readonly LinkEvent[];
  readonly #down = new Set<PlannedLink>();
  /** True if the run must wait for the controller. */
  isControllerDue = false;
  onPort: PortListener | undefined;

  /** @throws InputError for a link that the network does not have. */
  constructor(options: LinkEventsOptions) {
    this.#o = options;
    const queue = options.time.everywhere;
    this.#alarm = new Alarm(queue, queue.newSource(), (now, index) => this.#handle(now, index));
    this.#events = options.scenario.events.flatMap((event, i) => {
      const link = linkBetween(options.plan, event.between, `event ${i + 1}`);
      return changesOf(event).map(({ atUs, change }) => ({
        at: ORIGIN + microseconds(atUs),
        link,
        change,
      }));
    });
  }

  /** Links that are down now. */
  get down(): ReadonlySet<PlannedLink> {
    return this.#down;
  }

  start(): void {
    this.#events.forEach(({ at }, index) => {
      this.#alarm.set(at, index);
    });
  }

  #handle(now: Instant, index: number): void {
    if (index === CONTROLLER_REACTS) {
      this.isControllerDue = true;
      this.#o.time.stop();
      return;
    }
    const event = this.#events[index];
    assert(event !== undefined, `change ${index} is one of the scenario`);
    const { link, change } = event;
    if ('lossRate' in change) {
      for (const channel of this.#channelsOf(link)) channel.lossRate = change.lossRate;
      return;
    }
    this.#change(now, link, change.up);
    const { controllerUs } = this.#o.scenario.reaction;
    if (controllerUs === null) return;
    const at = now + microseconds(controllerUs);
    this.#alarm.set(at, CONTROLLER_REACTS);
  }

  #change(now: Instant, link: PlannedLink, up: boolean): void {
    if (up) this.#down.delete(link);
    else this.#down.add(link);
    for (const channel of this.#channelsOf(link)) {
      channel.setUp(now, up);
      const { node, port } = channel.from;
      const host = this.#o.network.hosts.get(node.name);
      if (host instanceof MultiHomedNode) host.setPortUp(now, port, up);
      const own = this.#o.plan.topology.switches.find(({ name }) => name === node.name);
      if (own === undefined) continue;
      this.#o.network.switches.get(own.name)?.device.setPortUp(port, up);
      this.onPort?.(own.deviceId, port, up);
    }
  }

  /** Both directions; the network has them in the order of the plan's links. */
  #channelsOf(link: PlannedLink): readonly Channel[] {
    const first = 2 * this.#o.plan.links.indexOf(link);
    return this.#o.network.channels.slice(first, first + 2);
  }
}

/**
 * The link between two nodes, each with a port behind a colon where several links join them.
 * @throws InputError where none joins them, or several do and no port says which.
 */
function linkBetween(
  { links }: NetworkPlan,
  [from, to]: readonly [string, string],
  where: string,
): PlannedLink {
  const isEnd = ({ node, port }: PlannedEnd, text: string): boolean =>
    node === text || `${node}:${port}` === text;
  const [link, other] = links.filter(
    ({ a, b }) => (isEnd(a, from) && isEnd(b, to)) || (isEnd(a, to) && isEnd(b, from)),
  );
  if (link === undefined) throw new InputError(`${where}: no link joins ${from} and ${to}`);
  if (other !== undefined) {
    const { node, port } = link.a;
    throw new InputError(
      `${where}: several links join ${from} and ${to}: wanted a port, such as ${node}:${port}`,
    );
  }
  return link;
}
