import { FLOW_IDS } from '../../common/wire/hpcc/hpcc-transport';
import type { Duration } from '../../common/units/units';
import { nanoseconds } from '../../common/units/units';
import { ROCE_FLOW_IDS } from '../../host-agent/roce/packets/connection-numbers';
import type { QueuePlan } from '../kernel/virtual-time';
import { multiHomed } from '../network/host-routes';
import type { NetworkPlan, PlannedLink } from '../network/plan';
import { coordinationOf } from '../scenario/data-plane-schema';
import type { ScenarioDocument } from '../scenario/schema';
import type { Connection } from '../workload/connection';

/** A shorter link would make windows of so few events that their beginnings and ends cost more than they save. */
const SHORTEST_LINK: Duration = nanoseconds(100);

/** Properties of a run that decide on its event queues. */
export interface QueuePlanOptions {
  readonly scenario: ScenarioDocument;
  readonly connections: readonly Connection[];
  readonly plan: NetworkPlan;
  readonly period: Duration;
  /** Somebody looks on who has to see all events in order. */
  readonly isObserved: boolean;
}

/** A queue for each node that can be run by itself, or one for all nodes. */
export function queuePlanOf(options: QueuePlanOptions): QueuePlan {
  const { scenario, connections, plan, period, isObserved } = options;
  const isOne =
    isObserved || coordinationOf(scenario) !== undefined || indivisible(options) !== undefined;
  if (isOne) return { queueOf: () => '', lookahead: Infinity, period };
  const isStartedByReceiver = startsAtReceiver(scenario.parameters);
  const queueOf = boundTogether({ plan, connections, isStartedByReceiver }, SHORTEST_LINK);
  const lookahead = plan.links
    .filter(({ a, b }) => queueOf(a.node) !== queueOf(b.node))
    .reduce((least, link) => Math.min(least, shorterDelay(link)), Infinity);
  return { queueOf, lookahead, period };
}

/** True if the destination of a flow fetches it. */
export const startsAtReceiver = ({ framing, operation }: ScenarioDocument['parameters']): boolean =>
  framing === 'rocev2' && operation === 'read';

/** Ids that flows of a host can have. */
export const flowIdsOf = ({ framing }: ScenarioDocument['parameters']): number =>
  framing === 'rocev2' ? ROCE_FLOW_IDS : FLOW_IDS;

/** Why the nodes of a run have to be run together, if they have to. */
export function indivisible({
  scenario,
  connections,
  plan,
}: Pick<QueuePlanOptions, 'scenario' | 'connections' | 'plan'>): string | undefined {
  if (scenario.buffer !== undefined) {
    return `${scenario.name} has a shared buffer, whose pauses are followed through all nodes`;
  }
  if (scenario.events.length > 0 && multiHomed(plan).size > 0) {
    return `${scenario.name} has hosts with several links, which learn of failures all at once`;
  }
  if (connections.some(({ taskBytes }) => taskBytes !== undefined)) {
    return `${scenario.name} has tasks that wait for what happens at other hosts`;
  }
  // Ids that are used several times are known to those only who see flows begin and end.
  const most = flowIdsOf(scenario.parameters);
  const isGlobal = startsAtReceiver(scenario.parameters);
  const flows = new Map<string, number>();
  for (const { from } of connections) {
    const owner = isGlobal ? 'the network' : from;
    flows.set(owner, (flows.get(owner) ?? 0) + 1);
  }
  const busy = [...flows].find(([, count]) => count > most);
  if (busy === undefined) return undefined;
  return `${busy[0]} has ${busy[1]} flows, whose numbers repeat beyond ${most}`;
}

interface Bound {
  readonly plan: NetworkPlan;
  readonly connections: readonly Connection[];
  readonly isStartedByReceiver: boolean;
}

/**
 * A name for each set of nodes that cannot be divided: whose links are shorter than `shortest`, and hosts one of which
 * starts a message at the instant at which another one has got a message.
 */
export function boundTogether(
  { plan, connections, isStartedByReceiver }: Bound,
  shortest: Duration,
): (node: string) => string {
  const sets = new DisjointSets();
  for (const link of plan.links) {
    if (shorterDelay(link) < shortest) sets.join(link.a.node, link.b.node);
  }
  for (const { from, to, messages } of connections) {
    const starter = isStartedByReceiver ? to : from;
    for (const { connection } of messages.flatMap(({ after }) => after)) {
      const before = connections[connection];
      if (before !== undefined) sets.join(before.to, starter);
    }
  }
  return (node) => sets.find(node);
}

const shorterDelay = ({ delay, backDelay = delay }: PlannedLink): Duration =>
  Math.min(delay, backDelay);

class DisjointSets {
  readonly #parents = new Map<string, string>();

  find(node: string): string {
    const parent = this.#parents.get(node);
    if (parent === undefined) return node;
    const root = this.find(parent);
    this.#parents.set(node, root);
    return root;
  }

  join(a: string, b: string): void {
    const [root, other] = [this.find(a), this.find(b)];
    if (root !== other) this.#parents.set(other, root);
  }
}
