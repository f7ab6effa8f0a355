import type { TraceInput } from '../tasks/trace';

type TaskInput = TraceInput['tasks'][number];

/** An operation of a GOAL schedule, whichever way it was written. */
export interface GoalOperation {
  readonly kind: 'calc' | 'send' | 'recv';
  readonly rank: number;
  readonly name: string;
  /** Bytes of a message, or ns of a computation. */
  readonly size: number;
  /** Other rank of a message; negative for any. */
  readonly peer: number;
  /** Negative for any. */
  readonly tag: number;
  readonly cpu: number;
  readonly nic: number;
}

const NS_PER_US = 1000;

/**
 * The task that an operation is in a schedule of so many ranks.
 * @param fail throws an error that says where the operation stands
 */
export function taskOf(
  { kind, rank, name, size, peer, tag, cpu, nic }: GoalOperation,
  ranks: number,
  fail: (message: string) => never,
): TaskInput {
  if (kind === 'calc') {
    return { do: 'compute', rank, name, us: size / NS_PER_US, stream: String(cpu) };
  }
  if (peer < 0 || tag < 0) fail('messages from any rank, or with any tag, are not offered');
  if (peer >= ranks) fail(`rank ${peer} is none of ${ranks} ranks`);
  if (peer === rank) fail(`rank ${rank} sends to itself, or receives from itself`);
  if (kind === 'recv') return { do: 'receive', rank, name, from: peer, tag };
  return { do: 'send', rank, name, to: peer, bytes: size, tag, channel: String(nic) };
}
