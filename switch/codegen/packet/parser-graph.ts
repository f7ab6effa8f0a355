import type { ParserState } from '../../ir/parser-nodes';

/** Whether a packet can pass a state twice. */
export function isCyclic(states: readonly ParserState[]): boolean {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (index: number): boolean => {
    const state = states[index];
    if (state === undefined || done.has(index)) return false;
    if (open.has(index)) return true;
    open.add(index);
    if (successorsOf(state).some(visit)) return true;
    open.delete(index);
    done.add(index);
    return false;
  };
  return [...states.keys()].some(visit);
}

/** Where a state may lead, its default last. */
export function successorsOf({ transitions, defaultNext }: ParserState): number[] {
  return [...transitions.map(({ next }) => next), defaultNext];
}
