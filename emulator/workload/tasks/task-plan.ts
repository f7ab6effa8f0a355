import { InputError } from '../../../common/errors';
import type { Duration } from '../../../common/units/units';

/** Kinds of steps. */
export const JOIN = 0;
export const COMPUTE = 1;
export const WAIT = 2;
export const TRANSFER = 3;
/** A message between ranks of one host. */
export const LOCAL = 4;

/** Steps of one trace; an all-reduce of 2048 ranks by ring has 8 million, and takes 2 GB. */
const STEPS_MAX = 10_000_000;

/**
 * The steps that the tasks of a trace consist of, and which waits for which, as rows.
 * PERF: an all-reduce of 512 ranks has half a million messages.
 */
export interface TaskPlan {
  readonly count: number;
  readonly kind: Uint8Array;
  /** Rank that computes or sends. */
  readonly rank: Int32Array;
  /** Connection of a transfer. */
  readonly connection: Int32Array;
  /** Resource, of which one step has it at a time; -1: none. */
  readonly resource: Int32Array;
  readonly resources: number;
  /** Duration of computing and waiting in ps, length of messages in bytes. */
  readonly amount: Float64Array;
  /** Task of the trace. */
  readonly task: Int32Array;
  /** Number of steps that each waits for. */
  readonly waits: Int32Array;
  /** Steps that wait for the end of each, and for its beginning. */
  readonly ends: Edges;
  readonly begins: Edges;
}

/** Who waits for whom: those that wait for step s are `to[first[s]]` up to `to[first[s + 1]]`. */
export interface Edges {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

/** Collects steps and dependencies. Its methods throw an InputError for more steps than a plan may have. */
export class TaskPlanBuilder {
  readonly #kind: number[] = [];
  readonly #rank: number[] = [];
  readonly #connection: number[] = [];
  readonly #resource: number[] = [];
  readonly #amount: number[] = [];
  readonly #task: number[] = [];
  readonly #ends: [from: number[], to: number[]] = [[], []];
  readonly #begins: [from: number[], to: number[]] = [[], []];
  readonly #resources = new Map<string, number>();

  constructor(private readonly stepsMax = STEPS_MAX) {}

  join(rank: number, task: number): number {
    return this.#add(JOIN, { rank, task, amount: 0 });
  }

  compute(rank: number, task: number, given: { duration: Duration; stream: string }): number {
    const resource = this.#resourceOf(`compute ${rank} ${given.stream}`);
    return this.#add(COMPUTE, { rank, task, amount: given.duration, resource });
  }

  wait(rank: number, task: number, duration: Duration): number {
    return this.#add(WAIT, { rank, task, amount: duration });
  }

  transfer(rank: number, task: number, given: { bytes: number; connection: number }): number {
    const { bytes, connection } = given;
    return this.#add(TRANSFER, { rank, task, amount: Math.max(1, bytes), connection });
  }

  local(rank: number, task: number, bytes: number): number {
    const resource = this.#resourceOf(`local ${rank}`);
    return this.#add(LOCAL, { rank, task, amount: Math.max(1, bytes), resource });
  }

  /** Step `step` waits for the end of `before`. */
  after(step: number, before: number): void {
    this.#ends[0].push(before);
    this.#ends[1].push(step);
  }

  /** Step `step` waits for the beginning of `before`. */
  afterBegin(step: number, before: number): void {
    this.#begins[0].push(before);
    this.#begins[1].push(step);
  }

  build(): TaskPlan {
    const count = this.#kind.length;
    const waits = new Int32Array(count);
    for (const [, to] of [this.#ends, this.#begins]) for (const step of to) countUp(waits, step);
    return {
      count,
      kind: Uint8Array.from(this.#kind),
      rank: Int32Array.from(this.#rank),
      connection: Int32Array.from(this.#connection),
      resource: Int32Array.from(this.#resource),
      resources: this.#resources.size,
      amount: Float64Array.from(this.#amount),
      task: Int32Array.from(this.#task),
      waits,
      ends: edgesOf(count, this.#ends),
      begins: edgesOf(count, this.#begins),
    };
  }

  #resourceOf(name: string): number {
    const known = this.#resources.get(name) ?? this.#resources.size;
    this.#resources.set(name, known);
    return known;
  }

  #add(
    kind: number,
    step: { rank: number; task: number; amount: number; connection?: number; resource?: number },
  ): number {
    if (this.#kind.length === this.stepsMax) {
      throw new InputError(
        `computations and messages, with those of collectives, are more than ${this.stepsMax}`,
      );
    }
    this.#kind.push(kind);
    this.#rank.push(step.rank);
    this.#task.push(step.task);
    this.#amount.push(step.amount);
    this.#connection.push(step.connection ?? -1);
    this.#resource.push(step.resource ?? -1);
    return this.#kind.length - 1;
  }
}

/** Adds to a cell. @returns what is in it then. */
export const countUp = (cells: Int32Array, at: number, by = 1): number =>
  (cells[at] = (cells[at] as number) + by);

function edgesOf(
  count: number,
  [from, to]: readonly [readonly number[], readonly number[]],
): Edges {
  const first = new Int32Array(count + 1);
  for (const step of from) countUp(first, step + 1);
  for (let i = 0; i < count; i++) countUp(first, i + 1, first[i]);
  const next = first.slice(0, count);
  const sorted = new Int32Array(to.length);
  from.forEach((step, i) => (sorted[countUp(next, step) - 1] = to[i] as number));
  return { first, to: sorted };
}

/** Steps that wait for the end, or the beginning, of one. */
function* dependants({ ends, begins }: TaskPlan, step: number): Iterable<number> {
  for (const { first, to } of [ends, begins]) {
    for (let i = first[step] as number; i < (first[step + 1] as number); i++) yield to[i] as number;
  }
}

/**
 * Checks that every step can be reached.
 * @param nameOf task as errors name it
 * @throws InputError for a circle, with its tasks.
 */
export function refuseCircles(plan: TaskPlan, nameOf: (task: number) => string): void {
  const left = plan.waits.slice();
  const ready: number[] = [];
  for (let step = 0; step < plan.count; step++) if (left[step] === 0) ready.push(step);
  let reached = 0;
  for (let step = ready.pop(); step !== undefined; step = ready.pop()) {
    reached++;
    for (const next of dependants(plan, step)) if (countUp(left, next, -1) === 0) ready.push(next);
  }
  if (reached === plan.count) return;
  const circle = circleOf(plan, left);
  // It begins with its first task, so that equal circles read alike.
  const start = circle.reduce(
    (least, step, i) => (step < (circle[least] as number) ? i : least),
    0,
  );
  const names = [...circle.slice(start), ...circle.slice(0, start)].map((step) =>
    nameOf(plan.task[step] as number),
  );
  const told = names.filter((name, i) => name !== names[i - 1]);
  const [first = ''] = told;
  const path = [...told, ...(told.at(-1) === first && told.length > 1 ? [] : [first])];
  throw new InputError(`tasks wait for each other in a circle: ${path.join(' -> ')}`);
}

/** A circle among the steps that were never reached, each of which waits for one that was not either. */
function circleOf(plan: TaskPlan, left: Int32Array): number[] {
  const before = new Map<number, number>();
  for (let step = 0; step < plan.count; step++) {
    if (left[step] === 0) continue;
    for (const next of dependants(plan, step)) if (left[next] !== 0) before.set(next, step);
  }
  const start = left.findIndex((waits, step) => waits !== 0 && before.has(step));
  const seen = new Map<number, number>();
  const path: number[] = [];
  for (let at = start; !seen.has(at); at = before.get(at) as number) {
    seen.set(at, path.length);
    path.push(at);
  }
  const last = path.at(-1) as number;
  return path.slice(seen.get(before.get(last) as number)).reverse();
}
