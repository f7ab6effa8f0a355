import { code } from '../text/code';
import { emitBranches, emitFlow } from './emit-flow';
import { emitFunction } from '../value/scope';
import { emitBoolean } from '../expression/emit-expression';
import { emitStatement } from '../statement/emit-statement';
import { END } from './flow-graph';
import { named } from '../value/value';
import type { Action } from '../../ir/nodes';
import type { Statement } from '../../ir/statements';
import type { GoTo } from './emit-flow';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/**
 * An action as a function of the packet and the action's runtime data; 64-bit parameters come as
 * two words. `exit` only sets a flag: the rest of the action still runs.
 */
export function emitAction(action: Action, outer: Scope): void {
  outer.writer.comment(`action ${action.name}${describePlace(action)}`);
  const name = outer.globals.action(action.id);
  emitFunction(name, outer, declareParameters(action, outer), (scope) => {
    emitBlocks(action.statements, scope);
  });
}

/** The statements of an action in the place of a call, with what the call would give it. */
export function emitInlineAction(action: Action, data: readonly Value[], outer: Scope): void {
  const { writer } = outer;
  const text = writer.captured(() => emitBlocks(action.statements, outer.withParameters(data)));
  if (text.isEmpty) return;
  writer.comment(`action ${action.name}${describePlace(action)}`);
  writer.block(code``, () => writer.append(text));
}

/** Place of a construct in the P4 source, for comments. */
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

/** One block per run of statements that is entered at its start only. */
function emitBlocks(statements: readonly Statement[], scope: Scope): void {
  const starts = [...blockStarts(statements)].sort((a, b) => a - b);
  const blockAt = (position: number): number => starts.indexOf(position);
  const runs = starts.map((start, i) => statements.slice(start, starts[i + 1]));
  const waysOf = (block: number): Ways => {
    const last = runs[block]?.at(-1);
    return last !== undefined && isJump(last)
      ? { behind: block + 1, to: blockAt(last.to) }
      : { behind: block + 1, to: undefined };
  };
  emitFlow(
    {
      start: 0,
      size: runs.length,
      successors: (block) => {
        const { behind, to } = waysOf(block);
        if (runs[block]?.at(-1)?.kind === 'jump') return [to ?? END];
        return to === undefined ? [behind] : [behind, to];
      },
      emit: (block, goTo) => emitRun(runs[block] ?? [], waysOf(block), goTo, scope),
    },
    scope,
  );
}

/** Continuation at the end of a run: the next run, or the target of its jump. */
interface Ways {
  readonly behind: number;
  readonly to: number | undefined;
}

function emitRun(
  statements: readonly Statement[],
  { behind, to = END }: Ways,
  goTo: GoTo,
  scope: Scope,
): void {
  for (const statement of statements) {
    if (statement.kind === 'jump') {
      goTo(to);
      return;
    }
    if (statement.kind === 'jump-if-false') {
      const condition = emitBoolean(statement.condition, scope);
      emitBranches([{ condition, next: behind }], to, goTo, scope);
      return;
    }
    emitStatement(statement, scope);
  }
  goTo(behind);
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
