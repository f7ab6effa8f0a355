import type { ParserState } from '../ir/parser-nodes';

/** Whether a packet can pass a state twice. */
export function isCyclic(states: readonly ParserState[]): boolean {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (index: number): boolean => {
    const state = states[index];
    if (state === undefined || done.has(index)) return false;
    if (open.has(index)) return true;
    open.add(index);
    const successors = [...state.transitions.map(({ next }) => next), state.defaultNext];
    if (successors.some(visit)) return true;
    open.delete(index);
    done.add(index);
    return false;
  };
  return [...states.keys()].some(visit);
}
