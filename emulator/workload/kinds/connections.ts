import { InputError } from '../../../common/errors';
import { Random } from '../../../common/random/random';
import type { Collective, Connection } from '../connection';
import type { Participant } from '../workload-kind';
import type { PlacedTrace } from '../tasks/placed-trace';
import { collectiveTrace } from './collective';
import { placeTrace } from './trace';
import type { TraceWorkload } from './trace';
import { expandWorkload, hasRanks } from './workload';
import type { RankWorkload, Workload } from './workload';

/** A flow as scenarios write it. */
interface PlainFlow {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly startUs: number;
  readonly dscp?: number | undefined;
  readonly admission?: Connection['admission'];
}

export interface Traffic {
  readonly flows: readonly PlainFlow[];
  readonly workloads: readonly Workload[];
}

/** Inputs of a scenario's traffic besides its document. */
export interface TrafficContext {
  readonly seed: number;
  readonly hosts: readonly Participant[];
}

/** Far from the seeds that people count up, so that a workload and another run's do not share one. */
const SEED_STEP = 1_000_000_007;

/**
 * Everything that a scenario sends: its flows, one message each, and then its workloads. A workload
 * draws from a generator of its own, so what it sends does not depend on the others.
 */
export function connectionsOf(
  { flows, workloads }: Traffic,
  { seed, hosts }: TrafficContext,
): {
  readonly connections: readonly Connection[];
  readonly collectives: readonly Collective[];
  readonly traces: readonly PlacedTrace[];
} {
  const jitter = new Random(seed);
  const connections: Connection[] = flows.map(plainConnection);
  const traces: PlacedTrace[] = [];
  const collectives = workloads.map((workload, i): Collective => {
    const first = connections.length;
    if (hasRanks(workload)) {
      const { placed, connections: own } = placeTrace(traceWorkload(workload), { first, hosts });
      for (const each of own) connections.push(each);
      traces.push(placed);
      const { name, kind } = workload;
      return { name, kind, connections: own.map((_, n) => first + n) };
    }
    const context = { first, hosts, random: workloadRandom(seed, i) };
    const own = jittered(workload, expandWorkload(workload, context), jitter);
    for (const each of own) connections.push(each);
    const { name, kind } = workload;
    return { name, kind, connections: own.map((_, n) => first + n) };
  });
  return { connections, collectives, traces };
}

/** @throws InputError for a trace that has not been read. */
export function traceWorkload(workload: RankWorkload): TraceWorkload {
  if (workload.kind === 'collective') return collectiveTrace(workload);
  const { trace } = workload;
  if (typeof trace !== 'string') return { ...workload, trace };
  throw new InputError(`workload ${workload.name}: the trace ${trace} has not been read`);
}

export const plainConnection = (flow: PlainFlow): Connection => {
  const { from, to, bytes, startUs, dscp, admission } = flow;
  return {
    from,
    to,
    ...(dscp !== undefined && { dscp }),
    ...(admission !== undefined && { admission }),
    messages: [{ bytes, startUs, after: [], delayUs: 0 }],
  };
};

/** The generator of a scenario's workload, from 0. */
export const workloadRandom = (seed: number, workload: number): Random =>
  new Random((seed + SEED_STEP * (workload + 1)) % Number.MAX_SAFE_INTEGER);

/** Connections of a workload, each of which starts up to its `jitterUs` later. */
export function jittered(
  workload: Workload,
  connections: readonly Connection[],
  jitter: Random,
): readonly Connection[] {
  const most = 'jitterUs' in workload ? workload.jitterUs : 0;
  if (most === 0) return connections;
  return connections.map((connection) => later(connection, jitter.uniform() * most));
}

/** The first message, and so all others, start later. */
function later(connection: Connection, byUs: number): Connection {
  const [first, ...rest] = connection.messages;
  if (first === undefined) return connection;
  return { ...connection, messages: [{ ...first, startUs: first.startUs + byUs }, ...rest] };
}
