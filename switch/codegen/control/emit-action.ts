import { code, joined } from '../text/code';
import { emitBranches, emitFlow } from './emit-flow';
import { emitFunction } from '../value/scope';
import { emitBoolean } from '../expression/emit-expression';
import { emitStatement } from '../statement/emit-statement';
import { END } from './flow-graph';
import { toBigint, toIndex } from '../value/convert';
import { representationOf } from '../layout/representation';
import { argumentsOf, named } from '../value/value';
import type { Action } from '../../ir/nodes';
import type { Code } from '../text/code';
import type { Statement } from '../../ir/statements';
import type { GoTo } from './emit-flow';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/**
 * An action as a function of the packet and the action's runtime data; 64-bit parameters are two
 * words. `exit` only sets a flag: the rest of the action still runs.
 * PERF: the data is one object, since each number beyond 31 bits that is an argument of a call may cost one.
 */
export function emitAction(action: Action, outer: Scope): void {
  outer.writer.comment(`action ${action.name}${describePlace(action)}`);
  const name = outer.globals.action(action.id);
  const list = action.parameters.length === 0 ? code`packet` : code`packet, data`;
  const body = (scope: Scope): void => {
    action.parameters.forEach(({ width }, i) => {
      const parameter = scope.parameters[i];
      if (parameter !== undefined) emitParameter(parameter, width, i, scope);
    });
    emitBlocks(action.statements, scope);
  };
  emitFunction(name, outer, body, { list, locals: declareParameters(action, outer) });
}

/** Reads all parameters from the runtime data; returns their values. */
export function emitParameters(action: Action, scope: Scope): readonly Value[] {
  return action.parameters.map(({ name, width }, i) => {
    const parameter = named((suffix) => code`${scope.local(name + suffix)}`, width);
    emitParameter(parameter, width, i, scope);
    return parameter;
  });
}

/** Reads a parameter from the runtime data, as {@link PreparedCall} has it. */
function emitParameter(parameter: Value, width: number, index: number, { writer }: Scope): void {
  const first = code`data.numbers[${2 * index}]`;
  if (parameter.kind === 'pair') {
    writer.line(code`const ${parameter.high} = ${first};`);
    writer.line(code`const ${parameter.low} = data.numbers[${2 * index + 1}];`);
  } else {
    const isBigint = representationOf(width) === 'bigint';
    const read = isBigint ? code`data.bigints[${index}]` : first;
    writer.line(code`const ${parameter.code} = ${read};`);
  }
}

/**
 * Runtime data that is known, in the form that functions of actions take it in. PERF: it is made for each packet,
 * since nearly all calls of this kind stand inline, and those in all programs of ours do.
 */
export function constantData(action: Action, values: readonly Value[]): Code {
  const halves = values.map((value) => (value.kind === 'pair' ? argumentsOf(value) : undefined));
  const isBigint = action.parameters.map(({ width }) => representationOf(width) === 'bigint');
  const numbers = values.map((value, i) =>
    isBigint[i] === true ? code`0, 0` : (halves[i] ?? code`${toIndex(value)}, 0`),
  );
  const bigints = values.map((value, i) => (isBigint[i] === true ? toBigint(value) : code`0n`));
  return code`{ numbers: Float64Array.of(${joined(numbers, ', ')}), bigints: [${joined(bigints, ', ')}] }`;
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
