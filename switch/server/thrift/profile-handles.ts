/**
 * Handles of members and groups count from 0 on bmv2; their numbers in P4Runtime count from 1,
 * where 0 means unset. Both interfaces name the same objects, one apart.
 */
export const handleOf = (id: number): number => (id - 1) | 0;

export const idOf = (handle: number): number => (handle >>> 0) + 1;

/** The lowest number that is free. */
export function freeId(taken: Iterable<number>): number {
  const ids = new Set(taken);
  let id = 1;
  while (ids.has(id)) id += 1;
  return id;
}
