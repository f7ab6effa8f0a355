import { unreachable } from '../../../common/assert';
import {
  mayExit,
  onlyCall,
  onlySuccessor,
  emitApply,
  emitOnlyCall,
  successorsOf,
} from './emit-table';
import { code } from '../text/code';
import { describePlace } from './emit-action';
import { emitBranches, emitFlow } from './emit-flow';
import { emitFunction } from '../value/scope';
import { emitBoolean } from '../expression/emit-expression';
import { END } from './flow-graph';
import type { ControlNode, TableSuccessor, Action, Control } from '../../ir/nodes';
import type { Identifier } from '../text/code';
import type { GoTo } from './emit-flow';
import type { Scope } from '../value/scope';

/** A control as a function: the flow of its nodes. */
export function emitControl(control: Control, name: Identifier, outer: Scope): void {
  const { nodes, start } = control;
  emitFunction(name, outer, (scope) => {
    scope.writer.line(code`packet.exited = false;`);
    const nodeOf = <Result>(index: number, use: (node: ControlNode) => Result): Result[] =>
      nodes.slice(index, index + 1).map(use);
    emitFlow(
      {
        start,
        size: nodes.length,
        successors: (index) => nodeOf(index, (node) => successors(node, scope)).flat(),
        emit: (index, goTo) => void nodeOf(index, (node) => emitNode(node, goTo, scope)),
      },
      scope,
    );
  });
}

function successors(node: ControlNode, scope: Scope): readonly number[] {
  switch (node.kind) {
    case 'conditional':
      return [node.whenTrue, node.whenFalse];
    case 'action-call':
      return [node.next];
    case 'table': {
      const table = scope.program.tables[node.table];
      return table === undefined ? [] : successorsOf(table, node.next, scope);
    }
    default:
      return unreachable(node);
  }
}

function emitNode(node: ControlNode, goTo: GoTo, scope: Scope): void {
  const { writer } = scope;
  writer.comment(`${node.name}${describePlace(node)}`);
  switch (node.kind) {
    case 'conditional':
      emitConditional(node, goTo, scope);
      return;
    case 'action-call':
      emitOnlyCall({ actionId: node.actionId, arguments: [] }, scope);
      emitExitCheck(scope.program.actions.get(node.actionId), scope);
      goTo(node.next);
      return;
    case 'table':
      emitTableNode(node.table, node.next, goTo, scope);
      return;
    default:
      unreachable(node);
  }
}

function emitConditional(
  { condition, whenTrue, whenFalse }: Extract<ControlNode, { kind: 'conditional' }>,
  goTo: GoTo,
  scope: Scope,
): void {
  const branch = { condition: emitBoolean(condition, scope), next: whenTrue };
  emitBranches([branch], whenFalse, goTo, scope);
}

function emitTableNode(index: number, next: TableSuccessor, goTo: GoTo, scope: Scope): void {
  const { program, writer } = scope;
  const table = program.tables[index];
  if (table === undefined) return;
  const exitCheck = (): void => {
    if (mayExit(table, program)) writer.line(code`if (packet.exited) return;`);
  };
  const call = onlyCall(table);
  if (call !== undefined) {
    emitOnlyCall(call, scope);
    exitCheck();
    goTo(onlySuccessor(next, call));
    return;
  }
  const [first = END, ...others] = successorsOf(table, next, scope);
  const follows = emitApply(table, next, scope);
  exitCheck();
  const branches =
    follows === undefined
      ? []
      : others.map((other) => ({ condition: code`${follows} === ${other}`, next: other }));
  emitBranches(branches, first, goTo, scope);
}

function emitExitCheck(action: Action | undefined, { writer }: Scope): void {
  const exits = action?.statements.some(({ kind }) => kind === 'exit') ?? false;
  if (exits) writer.line(code`if (packet.exited) return;`);
}
