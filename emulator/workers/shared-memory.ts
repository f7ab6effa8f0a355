import { boardMemory } from './board';
import { GATE_WORDS } from './gate';
import { LAG_WORDS } from './lag';
import { ringMemory } from './ring';

/** What the workers of a run share with each other and with who started them, and nothing else. */
export interface SharedMemory {
  readonly gate: SharedArrayBuffer;
  readonly board: SharedArrayBuffer;
  readonly lag: SharedArrayBuffer;
  /** From a worker to another one: `rings[from][to]`; nothing from a worker to itself. */
  readonly rings: readonly (readonly (SharedArrayBuffer | undefined)[])[];
}

/** Bytes of messages between two workers that need not wait: a window has far less in most networks. */
const RING_BYTES = 2 ** 20;

export function shareMemory(workers: number, ringBytes = RING_BYTES): SharedMemory {
  const ring = (): SharedArrayBuffer => new SharedArrayBuffer(ringMemory(ringBytes));
  return {
    gate: new SharedArrayBuffer(GATE_WORDS * 4),
    board: new SharedArrayBuffer(boardMemory(workers)),
    lag: new SharedArrayBuffer(LAG_WORDS * 4),
    rings: Array.from({ length: workers }, (_, from) =>
      Array.from({ length: workers }, (_unused, to) => (from === to ? undefined : ring())),
    ),
  };
}
