import { boardMemory } from './board';
import { BARRIER_WORDS } from './barrier';
import { BACKLOG_WORDS } from './backlog';
import { ringMemory } from './ring';

/** All memory that the workers of a run and their starter share. */
export interface SharedMemory {
  readonly barrier: SharedArrayBuffer;
  readonly board: SharedArrayBuffer;
  readonly backlog: SharedArrayBuffer;
  /** Rings between workers: `rings[from][to]`; nothing from a worker to itself. */
  readonly rings: readonly (readonly (SharedArrayBuffer | undefined)[])[];
}

/** Bytes of messages between two workers that need not wait: a window has far less in most networks. */
const RING_BYTES = 2 ** 20;

export function shareMemory(workers: number, ringBytes = RING_BYTES): SharedMemory {
  const ring = (): SharedArrayBuffer => new SharedArrayBuffer(ringMemory(ringBytes));
  return {
    barrier: new SharedArrayBuffer(BARRIER_WORDS * 4),
    board: new SharedArrayBuffer(boardMemory(workers)),
    backlog: new SharedArrayBuffer(BACKLOG_WORDS * 4),
    rings: Array.from({ length: workers }, (_, from) =>
      Array.from({ length: workers }, (_unused, to) => (from === to ? undefined : ring())),
    ),
  };
}
