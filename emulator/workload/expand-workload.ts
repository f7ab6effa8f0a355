import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Connection, Message, MessageId, Collective } from './connection';
import type { Workload } from '../scenario/workload-schema';
import { Random } from '../../common/random/random';
import type { ScenarioDocument } from '../scenario/schema';

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

/**
 * The connections of a workload, numbered from `first` in the scenario.
 * @throws InputError for a workload in which a host would send to itself or appear twice.
 */
function expandWorkload(workload: Workload, first: number): readonly Connection[] {
  switch (workload.kind) {
    case 'ring-all-reduce':
      return ringAllReduce(workload, first);
    case 'all-to-all':
      return allToAll(workload, first);
    case 'training':
      return training(workload, first);
    case 'incast':
      return incast(workload, first);
    default:
      return unreachable(workload);
  }
}

type Kind<Name> = Extract<Workload, { kind: Name }>;
type Frame = Pick<Workload, 'startUs' | 'iterations' | 'computeUs'>;

/**
 * N hosts, 2(N - 1) steps: the vector is cut into N parts, and in each step every host passes the
 * part that it has just received, first summing up and then spreading the sums. So a step waits for
 * the step before to arrive from the predecessor.
 */
function ringAllReduce(workload: Kind<'ring-all-reduce'>, first: number): Connection[] {
  const { hosts, bytes, name } = workload;
  refuseTwice(hosts, name);
  const count = hosts.length;
  const steps = 2 * (count - 1);
  const chunk = Math.ceil(bytes / count);
  return hosts.map((from, i) => {
    const previous = first + ((i + count - 1) % count);
    const messages = inIterations(workload, (iteration) =>
      Array.from({ length: steps }, (_, step): Draft => {
        const message = iteration * steps + step;
        const after = message === 0 ? [] : [{ connection: previous, message: message - 1 }];
        return { bytes: chunk, after };
      }),
    );
    return { from, to: at(hosts, i + 1), messages };
  });
}

/**
 * In round r host i sends to host i + r, so that each host receives from one peer at a time as long
 * as rounds keep together: a host starts its next round when what it was to receive has arrived.
 */
function allToAll(workload: Kind<'all-to-all'>, first: number): Connection[] {
  const { hosts, bytesPerPair: bytes, name } = workload;
  refuseTwice(hosts, name);
  const count = hosts.length;
  const rounds = count - 1;
  /** Connection of host i in round r, from 1. */
  const numberOf = (i: number, r: number): number =>
    first + ((i + count) % count) * rounds + (r - 1);
  return hosts.flatMap((from, i) =>
    Array.from({ length: rounds }, (_, k): Connection => {
      const r = k + 1;
      const messages = inIterations(workload, (iteration) => {
        const isFirst = r === 1 && iteration === 0;
        const before =
          r === 1 ? { r: rounds, message: iteration - 1 } : { r: k, message: iteration };
        const connection = numberOf(i - before.r, before.r);
        return [{ bytes, after: isFirst ? [] : [{ connection, message: before.message }] }];
      });
      return { from, to: at(hosts, i + r), messages };
    }),
  );
}

function training(workload: Kind<'training'>, first: number): Connection[] {
  const { pairs, bytes, name } = workload;
  return pairs.map(([from, to]) => {
    if (from === to) throw new InputError(`workload ${name}: ${from} would send to itself`);
    return { from, to, messages: inStep(workload, pairs.length, { first, bytes }) };
  });
}

function incast(workload: Kind<'incast'>, first: number): Connection[] {
  const { senders, receiver, bytes, name } = workload;
  refuseTwice([...senders, receiver], name);
  return senders.map((from) => ({
    from,
    to: receiver,
    messages: inStep(workload, senders.length, { first, bytes }),
  }));
}

type Draft = Pick<Message, 'bytes' | 'after'>;

/** The first message of an iteration also waits for the computing time. */
function inIterations(
  frame: Frame,
  messagesOf: (iteration: number) => readonly Draft[],
): Message[] {
  const { startUs, iterations, computeUs } = frame;
  return Array.from({ length: iterations }, (_, iteration) =>
    messagesOf(iteration).map((draft, i): Message => ({
      ...draft,
      startUs,
      delayUs: i === 0 && iteration > 0 ? computeUs : 0,
    })),
  ).flat();
}

/** One message per iteration, which waits for the iteration before of all connections. */
function inStep(
  frame: Frame,
  connections: number,
  { first, bytes }: { readonly first: number; readonly bytes: number },
): Message[] {
  return inIterations(frame, (iteration) => {
    const all = Array.from({ length: iteration === 0 ? 0 : connections }, (_, i): MessageId => ({
      connection: first + i,
      message: iteration - 1,
    }));
    return [{ bytes, after: all }];
  });
}

function refuseTwice(hosts: readonly string[], name: string): void {
  const twice = hosts.find((host, i) => hosts.indexOf(host) !== i);
  if (twice !== undefined) throw new InputError(`workload ${name}: ${twice} appears twice`);
}

function at(hosts: readonly string[], i: number): string {
  return hosts[i % hosts.length] ?? '';
}
