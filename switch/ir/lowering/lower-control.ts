import { lookUp, malformed } from './checked';
import { lowerBoolean } from './lower-expression';
import { lowerTable } from './lower-table';
import { END } from '../nodes';
import type { ControlNode, TableSuccessor, Action, Control, TableLayout } from '../nodes';
import type { JsonPipeline, JsonTable } from './json-schema';
import type { TableContext } from './lower-table';
import type { Place } from './checked';

interface LoweredControl {
  readonly control: Control;
  readonly tables: readonly TableLayout[];
}

/** Lowers the graph of one pipeline; its tables are numbered from `firstTable` on. */
export function lowerControl(
  context: TableContext,
  json: JsonPipeline,
  firstTable: number,
  place: Place,
): LoweredControl {
  const names = [...json.tables, ...json.conditionals, ...json.action_calls].map((n) => n.name);
  const positions = new Map(names.map((name, i) => [name, i]));
  const tables = json.tables.map((table, i) =>
    lowerTable(context, table, firstTable + i, place.child('tables').child(i)),
  );
  const graph: Graph = { context, positions, place };
  const nodes = [
    ...json.tables.map((table, i) => lowerTableNode(graph, table, { i, firstTable })),
    ...json.conditionals.map((_, i) => lowerConditional(graph, json, i)),
    ...json.action_calls.map((_, i) => lowerActionCall(graph, json, i)),
  ];
  const start = position(graph, json.init_table, place.child('init_table'));
  refuseCycles(nodes, names, place);
  return { control: { name: json.name, start, nodes }, tables };
}

interface Graph {
  readonly context: TableContext;
  readonly positions: ReadonlyMap<string, number>;
  readonly place: Place;
}

function position(graph: Graph, name: string | null | undefined, place: Place): number {
  return name === null || name === undefined
    ? END
    : lookUp(graph.positions, name, 'table or conditional', place);
}

function lowerTableNode(
  graph: Graph,
  json: JsonTable,
  at: { readonly i: number; readonly firstTable: number },
): ControlNode {
  const place = graph.place.child('tables').child(at.i).child('next_tables');
  const next = lowerSuccessor(graph, json, place);
  return { kind: 'table', name: json.name, table: at.firstTable + at.i, next };
}

function lowerSuccessor(graph: Graph, json: JsonTable, place: Place): TableSuccessor {
  const otherwise = position(graph, json.base_default_next, place);
  const { __HIT__: hit, __MISS__: miss } = json.next_tables;
  if (hit !== undefined || miss !== undefined) {
    return {
      kind: 'hit-or-miss',
      hit: hit === undefined ? otherwise : position(graph, hit, place),
      miss: miss === undefined ? otherwise : position(graph, miss, place),
    };
  }
  const byAction = new Map<number, number>();
  for (const action of graph.context.actions.values()) {
    const next = nextOf(json, action);
    if (next !== undefined) byAction.set(action.id, position(graph, next, place));
  }
  return { kind: 'by-action', byAction, otherwise };
}

/**
 * The successor of an action by name: tables that share an action profile have copies of the same
 * action under different ids, and a member may carry another table's copy.
 */
function nextOf(json: JsonTable, action: Action): string | null | undefined {
  return json.actions.includes(action.name) ? json.next_tables[action.name] : undefined;
}

function lowerConditional(graph: Graph, pipeline: JsonPipeline, i: number): ControlNode {
  const outer = graph.place.child('conditionals').child(i);
  const json = pipeline.conditionals[i] ?? malformed('no such conditional', outer);
  const place = outer.in(json.source_info);
  return {
    kind: 'conditional',
    name: json.name,
    source: place.source,
    condition: lowerBoolean(graph.context.scope, json.expression, place.child('expression')),
    whenTrue: position(graph, json.true_next, place),
    whenFalse: position(graph, json.false_next, place),
  };
}

function lowerActionCall(graph: Graph, pipeline: JsonPipeline, i: number): ControlNode {
  const outer = graph.place.child('action_calls').child(i);
  const json = pipeline.action_calls[i] ?? malformed('no such action call', outer);
  const place = outer.in(json.source_info);
  const action = graph.context.actions.get(json.action_id);
  if (action === undefined) return malformed(`no action has the id ${json.action_id}`, place);
  if (action.parameters.length > 0) malformed(`'${action.name}' wants arguments`, place);
  const next = position(graph, json.next_node, place);
  return { kind: 'action-call', name: json.name, actionId: json.action_id, next };
}

/** Controls of P4 have no loops; a graph with one would keep a packet for ever. */
function refuseCycles(nodes: readonly ControlNode[], names: readonly string[], place: Place): void {
  const state = nodes.map((): 'new' | 'open' | 'done' => 'new');
  const visit = (i: number): void => {
    const node = nodes[i];
    if (node === undefined || state[i] === 'done') return;
    if (state[i] === 'open') malformed(`the graph comes back to '${names[i] ?? ''}'`, place);
    state[i] = 'open';
    successors(node).forEach(visit);
    state[i] = 'done';
  };
  nodes.forEach((_, i) => {
    visit(i);
  });
}

function successors(node: ControlNode): readonly number[] {
  if (node.kind === 'action-call') return [node.next];
  if (node.kind === 'conditional') return [node.whenTrue, node.whenFalse];
  if (node.next.kind === 'hit-or-miss') return [node.next.hit, node.next.miss];
  return [...node.next.byAction.values(), node.next.otherwise];
}
