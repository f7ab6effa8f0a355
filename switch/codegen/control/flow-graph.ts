/** Leaving a flow; every number that is no block means the same. */
export const END = -1;

/** Control-flow graph: blocks by number, each with its successors. */
export interface FlowGraph {
  readonly start: number;
  /** Number of blocks. */
  readonly size: number;
  successors(block: number): readonly number[];
}

/** The parts of a structured program: which blocks follow where several ways meet. */
export interface FlowOrder {
  /** True if the block has several predecessors, so that it is written behind all of them. */
  isMeeting(block: number): boolean;
  /** Meetings that are written behind the block: those that cannot be reached without it. */
  meetingsBehind(block: number): readonly number[];
}

/**
 * The order in which an acyclic flow is written with nested conditions and without a variable that
 * says where to go; undefined when there is a cycle. A block at which ways meet stands behind the
 * innermost block that all of them pass, its immediate dominator.
 */
export function orderFlow(graph: FlowGraph): FlowOrder | undefined {
  const order = topologicalOrder(graph);
  if (order === undefined) return undefined;
  const rank = new Map(order.map((block, i) => [block, i]));
  const before = predecessors(order, graph);
  const dominators = new Map<number, number>();
  const common = (one: number, other: number): number => {
    let [a, b] = [one, other];
    while (a !== b) {
      if ((rank.get(a) ?? 0) > (rank.get(b) ?? 0)) a = dominators.get(a) ?? graph.start;
      else b = dominators.get(b) ?? graph.start;
    }
    return a;
  };
  const isMeeting = (block: number): boolean => (before.get(block)?.length ?? 0) > 1;
  const behind = new Map<number, number[]>();
  for (const block of order) {
    const ways = before.get(block);
    if (ways === undefined) continue;
    const dominator = ways.reduce(common);
    dominators.set(block, dominator);
    if (isMeeting(block)) behind.set(dominator, [...(behind.get(dominator) ?? []), block]);
  }
  return { isMeeting, meetingsBehind: (block) => behind.get(block) ?? [] };
}

/** The block that a number means. */
export function blockOf(number: number, { size }: FlowGraph): number {
  return number >= 0 && number < size ? number : END;
}

/** Blocks that can be reached, each before those behind it; undefined when there is a cycle. */
function topologicalOrder(graph: FlowGraph): number[] | undefined {
  const finished: number[] = [];
  const state = new Map<number, 'open' | 'done'>();
  const visit = (block: number): boolean => {
    const known = state.get(block);
    if (known !== undefined) return known === 'done';
    state.set(block, 'open');
    if (!successorsOf(block, graph).every(visit)) return false;
    state.set(block, 'done');
    finished.push(block);
    return true;
  };
  return visit(blockOf(graph.start, graph)) ? finished.reverse() : undefined;
}

function predecessors(order: readonly number[], graph: FlowGraph): Map<number, number[]> {
  const before = new Map<number, number[]>();
  for (const block of order) {
    for (const next of successorsOf(block, graph)) {
      before.set(next, [...(before.get(next) ?? []), block]);
    }
  }
  return before;
}

function successorsOf(block: number, graph: FlowGraph): number[] {
  if (block === END) return [];
  return graph.successors(block).map((next) => blockOf(next, graph));
}
