import { code, operand } from './code';
import { emitFunction } from './emit-function';
import { emitBoolean } from './emit-expression';
import { emitStatement } from './emit-statement';
import { named } from './value';
import type { Action } from '../ir/nodes';
import type { Statement } from '../ir/statements';
import type { Code } from './code';
import type { Scope } from './scope';
import type { Value } from './value';

/**
 * An action as a function of the packet and the action's runtime data; 64-bit parameters come as
 * two words. `exit` only sets a flag: the rest of the action still runs.
 */
export function emitAction(action: Action, outer: Scope): void {
  outer.writer.comment(`action ${action.name}${describePlace(action)}`);
  const name = outer.globals.action(action.id);
  emitFunction(name, outer, declareParameters(action, outer), (scope) => {
    if (action.statements.some(isJump)) emitBlocks(action.statements, scope);
    else emitSequence(action.statements, scope);
  });
}

/** Where in the P4 source a construct is, for comments. */
export function describePlace(node: {
  readonly name: string;
  readonly source?: string | undefined;
}): string {
  return node.source === undefined ? '' : `, ${node.source}`;
}

function declareParameters(action: Action, outer: Scope): Value[] {
  const names = outer.nested(outer.writer);
  return action.parameters.map(({ name, width }) =>
    named((suffix) => code`${names.local(name + suffix)}`, width),
  );
}

function emitSequence(statements: readonly Statement[], scope: Scope): void {
  for (const statement of statements) {
    if (!isJump(statement)) emitStatement(statement, scope);
  }
}

/** Actions with jumps: one case per run of statements that is entered at its start only. */
function emitBlocks(statements: readonly Statement[], scope: Scope): void {
  const starts = [...blockStarts(statements)].sort((a, b) => a - b);
  const { writer } = scope;
  writer.block(code`for (let position = 0; ; )`, () => {
    writer.block(code`switch (position)`, () => {
      starts.forEach((start, i) => {
        const end = starts[i + 1] ?? statements.length;
        writer.block(code`case ${start}:`, () => emitBlock(statements, { start, end }, scope));
      });
      writer.line(code`default:`);
      writer.line(code`  return;`);
    });
  });
}

function emitBlock(
  statements: readonly Statement[],
  { start, end }: { readonly start: number; readonly end: number },
  scope: Scope,
): void {
  for (const statement of statements.slice(start, end)) {
    if (statement.kind === 'jump') {
      scope.writer.line(continueAt(code`${statement.to}`));
      return;
    }
    if (statement.kind === 'jump-if-false') {
      const condition = emitBoolean(statement.condition, scope);
      scope.writer.line(continueAt(code`${operand(condition)} ? ${end} : ${statement.to}`));
      return;
    }
    emitStatement(statement, scope);
  }
  scope.writer.line(continueAt(code`${end}`));
}

function continueAt(position: Code): Code {
  return code`position = ${position}; continue;`;
}

/** Targets of jumps, and what follows a jump. */
function blockStarts(statements: readonly Statement[]): Set<number> {
  const starts = new Set([0]);
  statements.forEach((statement, i) => {
    if (!isJump(statement)) return;
    starts.add(statement.to);
    starts.add(i + 1);
  });
  return new Set([...starts].filter((start) => start < statements.length));
}

function isJump(
  statement: Statement,
): statement is Extract<Statement, { kind: 'jump' | 'jump-if-false' }> {
  return statement.kind === 'jump' || statement.kind === 'jump-if-false';
}
