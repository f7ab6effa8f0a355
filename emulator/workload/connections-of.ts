import { Random } from '../../common/random/random';
import type { ScenarioDocument } from '../scenario/schema';
import type { Collective, Connection } from './connection';
import { expandWorkload } from './expand-workload';

/** Everything that a scenario sends: its flows, one message each, and then its workloads. */
export function connectionsOf(
  { flows, workloads }: Pick<ScenarioDocument, 'flows' | 'workloads'>,
  seed: number,
): {
  readonly connections: readonly Connection[];
  readonly collectives: readonly Collective[];
} {
  const random = new Random(seed);
  const connections: Connection[] = flows.map(({ from, to, bytes, startUs, dscp }) => ({
    from,
    to,
    ...(dscp !== undefined && { dscp }),
    messages: [{ bytes, startUs, after: [], delayUs: 0 }],
  }));
  const collectives = workloads.map((workload): Collective => {
    const first = connections.length;
    const own = expandWorkload(workload, first).map((connection) =>
      workload.jitterUs === 0
        ? connection
        : later(connection, random.uniform() * workload.jitterUs),
    );
    connections.push(...own);
    const { name, kind } = workload;
    return { name, kind, connections: own.map((_, i) => first + i) };
  });
  return { connections, collectives };
}

/** The first message, and so all others, start later. */
function later(connection: Connection, byUs: number): Connection {
  const [first, ...rest] = connection.messages;
  if (first === undefined) return connection;
  return { ...connection, messages: [{ ...first, startUs: first.startUs + byUs }, ...rest] };
}
