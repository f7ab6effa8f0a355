import { unreachable } from '../../common/assert';
import { mayExit } from './callable-actions';
import { code, operand } from './code';
import { describePlace } from './emit-action';
import { emitFunction } from './emit-function';
import { emitBoolean } from './emit-expression';
import { emitApply, emitOnlyCall, onlyCall, onlySuccessor } from './emit-table';
import type { ControlNode, TableSuccessor } from '../ir/control-nodes';
import type { Action, Control } from '../ir/nodes';
import type { Identifier } from './code';
import type { Scope } from './scope';

/** Functions for the tables of a control, then the control itself: a loop over its nodes. */
export function emitControl(control: Control, name: Identifier, outer: Scope): void {
  for (const node of control.nodes) {
    const table = node.kind === 'table' ? outer.program.tables[node.table] : undefined;
    if (table === undefined || node.kind !== 'table' || onlyCall(table) !== undefined) continue;
    emitApply(table, node.next, outer);
  }
  emitFunction(name, outer, [], (scope) => {
    const { writer } = scope;
    writer.line(code`packet.exited = false;`);
    writer.block(code`for (let node = ${control.start}; ; )`, () => {
      writer.block(code`switch (node)`, () => {
        control.nodes.forEach((node, index) => emitNode(node, index, scope));
        writer.line(code`default:`);
        writer.line(code`  return;`);
      });
    });
  });
}

function emitNode(node: ControlNode, index: number, scope: Scope): void {
  const { writer } = scope;
  writer.comment(`${node.name}${describePlace(node)}`);
  writer.block(code`case ${index}:`, () => {
    switch (node.kind) {
      case 'conditional': {
        const condition = operand(emitBoolean(node.condition, scope));
        writer.line(code`node = ${condition} ? ${node.whenTrue} : ${node.whenFalse};`);
        break;
      }
      case 'action-call':
        emitOnlyCall({ actionId: node.actionId, arguments: [] }, scope);
        emitExitCheck(scope.program.actions.get(node.actionId), scope);
        writer.line(code`node = ${node.next};`);
        break;
      case 'table':
        emitTableNode(node.table, node.next, scope);
        break;
      default:
        unreachable(node);
    }
    writer.line(code`continue;`);
  });
}

function emitTableNode(index: number, next: TableSuccessor, scope: Scope): void {
  const table = scope.program.tables[index];
  if (table === undefined) return;
  const call = onlyCall(table);
  if (call === undefined) {
    scope.writer.line(code`node = ${scope.globals.apply(index)}(packet);`);
  } else {
    emitOnlyCall(call, scope);
    scope.writer.line(code`node = ${onlySuccessor(next, call)};`);
  }
  if (mayExit(table, scope.program)) scope.writer.line(code`if (packet.exited) return;`);
}

function emitExitCheck(action: Action | undefined, { writer }: Scope): void {
  const exits = action?.statements.some(({ kind }) => kind === 'exit') ?? false;
  if (exits) writer.line(code`if (packet.exited) return;`);
}
