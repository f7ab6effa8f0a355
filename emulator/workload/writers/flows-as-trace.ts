import { InputError } from '../../../common/errors';
import { TASKS_MAX, traceSchema } from '../tasks/trace';
import type { Trace, TraceInput } from '../tasks/trace';

interface SentFlow {
  readonly source: string;
  readonly destination: string;
  readonly bytes: number;
  readonly startUs: number;
}

/**
 * Flows as what ranks do, one on each host in the order of `hosts`: each computes until a flow starts, and sends it.
 * Starts are whole us.
 * @throws InputError for too many flows.
 */
export function flowsAsTrace(flows: readonly SentFlow[], hosts: readonly string[]): Trace {
  if (flows.length * 3 > TASKS_MAX) {
    throw new InputError(`${flows.length} flows are more than ${TASKS_MAX} tasks`);
  }
  const rankOf = new Map(hosts.map((host, i) => [host, i]));
  const tasks: TraceInput['tasks'] = [];
  /** The last computation of each rank, and when it ends. */
  const last = new Map<number, { task: number; us: number }>();
  const inOrder = flows.toSorted((a, b) => a.startUs - b.startUs);
  inOrder.forEach(({ source, destination, bytes, startUs }, i) => {
    const [rank, to] = [rankOf.get(source) as number, rankOf.get(destination) as number];
    const { task, us = 0 } = last.get(rank) ?? {};
    const until = Math.round(startUs);
    const name = `flow ${i + 1}`;
    const waiting = tasks.length;
    const after = task === undefined ? [] : [task];
    tasks.push({ do: 'compute', rank, us: until - us, after, name: `until ${name}` });
    last.set(rank, { task: waiting, us: until });
    tasks.push({ do: 'send', rank, to, bytes, tag: i, after: [waiting], name });
    tasks.push({ do: 'receive', rank: to, from: rank, tag: i, name });
  });
  return traceSchema.parse({ ranks: hosts.length, tasks });
}
