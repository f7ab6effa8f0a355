import { z } from 'zod';

export const queuesSchema = z.strictObject({
  /** Over the samples of every switch port from time 0 to the end of its last transmission. */
  p99Bytes: z.number(),
});

type QueuesRecord = z.infer<typeof queuesSchema>;

/** Samples of the queue of one port. */
export interface SampledQueue {
  /** Numbers of samples and their bytes in turn, of those above 0. */
  readonly pairs: Uint32Array;
  /** Number of samples that count: those up to the port's last transmission. */
  readonly count: number;
}

/**
 * Queues of all switch ports together, which say how long a packet waits anywhere, where those of the bottleneck are
 * of the worst port alone. Undefined where there are no switches.
 */
export function queuesRecord(queues: readonly SampledQueue[]): QueuesRecord | undefined {
  const samples = queues.reduce((sum, { count }) => sum + count, 0);
  if (samples === 0) return undefined;
  const lengths = waitingBytes(queues).sort();
  const rank = Math.ceil(0.99 * samples);
  const empty = samples - lengths.length;
  return { p99Bytes: lengths[rank - empty - 1] ?? 0 };
}

/** Bytes of all samples above 0. PERF: a long run has tens of millions of them, which lie side by side. */
function waitingBytes(queues: readonly SampledQueue[]): Uint32Array {
  const lengths = new Uint32Array(queues.reduce((sum, { pairs }) => sum + pairs.length / 2, 0));
  let found = 0;
  for (const { pairs, count } of queues) {
    for (let i = 0; i < pairs.length && (pairs[i] as number) < count; i += 2) {
      lengths[found++] = pairs[i + 1] as number;
    }
  }
  return lengths.subarray(0, found);
}
