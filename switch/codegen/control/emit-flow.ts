import { code, operand } from '../text/code';
import { END, blockOf, orderFlow } from './flow-graph';
import type { Code, Identifier } from '../text/code';
import type { FlowGraph, FlowOrder } from './flow-graph';
import type { Scope } from '../value/scope';

/** Writes what leads to another block of the flow. */
export type GoTo = (next: number) => void;

/** A graph of blocks, and how each is written. */
export interface Flow extends FlowGraph {
  /** Writes a block, which ends on each way with `goTo` and nothing behind it. */
  emit(block: number, goTo: GoTo): void;
  /** In a flow with cycles: writes what is done before each block. */
  beforeEach?(): void;
}

/**
 * Writes a flow; execution that leaves it continues behind its text.
 * PERF: as nested conditions hpcc.p4 takes three quarters of the time that it takes as loops over a
 * `switch`, because the compiler of JavaScript sees which block comes behind which. Only flows with
 * cycles are loops.
 */
export function emitFlow(flow: Flow, scope: Scope): void {
  const order = orderFlow(flow);
  if (order === undefined) emitLoop(flow, scope);
  else new StructuredFlow(flow, order, scope).emit();
}

/** A way that is taken when its condition holds and no condition before it. */
export interface Branch {
  readonly condition: Code;
  readonly next: number;
}

/** Writes `if`, `else if` and so on; `otherwise` is where it goes when no condition holds. */
export function emitBranches(
  branches: readonly Branch[],
  otherwise: number,
  goTo: GoTo,
  scope: Scope,
): void {
  const { writer } = scope;
  const texts = branches.map(({ condition, next }) => {
    return { condition, text: writer.captured(() => goTo(next)) };
  });
  const rest = writer.captured(() => goTo(otherwise));
  if (rest.isEmpty) while (texts.at(-1)?.text.isEmpty === true) texts.pop();
  const [first, ...others] = texts;
  if (first === undefined) {
    writer.append(rest);
  } else if (first.text.isEmpty && others.length === 0) {
    writer.block(code`if (!${operand(first.condition)})`, () => writer.append(rest));
  } else {
    writer.block(code`if (${first.condition})`, () => writer.append(first.text));
    for (const { condition, text } of others) {
      writer.block(code`else if (${condition})`, () => writer.append(text));
    }
    if (!rest.isEmpty) writer.block(code`else`, () => writer.append(rest));
  }
}

class StructuredFlow {
  readonly #flow: Flow;
  readonly #order: FlowOrder;
  readonly #scope: Scope;
  /** Labels of the meetings that something jumps to. */
  readonly #labels = new Map<number, Identifier>();

  constructor(flow: Flow, order: FlowOrder, scope: Scope) {
    this.#flow = flow;
    this.#order = order;
    this.#scope = scope;
  }

  emit(): void {
    const start = blockOf(this.#flow.start, this.#flow);
    this.#labelled(END, () => this.#emitBlock(start, END));
  }

  /** @param following what comes next where the text ends. */
  #emitBlock(block: number, following: number): void {
    if (block === END) return;
    const meetings = this.#order.meetingsBehind(block).filter((meeting) => meeting !== END);
    this.#emitBefore(block, meetings, following);
  }

  /** The block, and behind it the blocks at which its ways meet. */
  #emitBefore(block: number, meetings: readonly number[], following: number): void {
    const last = meetings.at(-1);
    if (last === undefined) {
      this.#flow.emit(block, (next) => this.#goTo(blockOf(next, this.#flow), following));
      return;
    }
    this.#labelled(last, () => this.#emitBefore(block, meetings.slice(0, -1), last));
    this.#emitBlock(last, following);
  }

  #goTo(next: number, following: number): void {
    if (next === following) return;
    if (next !== END && !this.#order.isMeeting(next)) {
      this.#emitBlock(next, following);
      return;
    }
    const label = this.#labels.get(next) ?? this.#scope.local(next === END ? 'end' : `to_${next}`);
    this.#labels.set(next, label);
    this.#scope.writer.line(code`break ${label};`);
  }

  /**
   * Writes the body in a block labelled for jumps to `target`; without a label if nothing jumps
   * there.
   */
  #labelled(target: number, body: () => void): void {
    const { writer } = this.#scope;
    const text = writer.captured(body);
    const label = this.#labels.get(target);
    if (label === undefined) writer.append(text);
    else writer.block(code`${label}:`, () => writer.append(text));
  }
}

function emitLoop(flow: Flow, scope: Scope): void {
  const { writer } = scope;
  const block = scope.local('block');
  const loop = scope.local('loop');
  const goTo = (next: Code): void => writer.line(code`${block} = ${next}; continue;`);
  writer.block(code`${loop}: for (let ${block} = ${flow.start}; ; )`, () => {
    flow.beforeEach?.();
    writer.block(code`switch (${block})`, () => {
      for (let i = 0; i < flow.size; i++) {
        const emit = (): void => flow.emit(i, (next) => goTo(code`${next}`));
        writer.block(code`case ${i}:`, emit);
      }
      writer.line(code`default:`);
      writer.line(code`  break ${loop};`);
    });
  });
}
