import { assert, unreachable } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { microseconds } from '../../../common/units/units';
import { algorithmOf, defaultAlgorithm } from '../collectives/algorithms';
import type { AlgorithmName } from '../collectives/algorithms';
import type { Collective, Operation } from '../collectives/collective';
import { TaskPlanBuilder, refuseCircles } from './task-plan';
import type { TaskPlan } from './task-plan';
import { taskName } from './trace';
import type { CollectiveTask, Trace } from './trace';

/** Ways that are taken instead of the first one of an operation. */
export type Ways = Partial<Readonly<Record<Operation, AlgorithmName>>>;

/** One flow between two ranks on different hosts. */
export interface RankConnection {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly messages: number;
}

/** One collective of a trace, and the tasks by which ranks take part. */
export interface PlannedCollective {
  readonly name: string;
  readonly operation: Operation;
  readonly algorithm: AlgorithmName;
  readonly bytes: number;
  readonly ranks: readonly number[];
  /** For each rank, the steps at which it enters and leaves. */
  readonly entries: readonly number[];
  readonly exits: readonly number[];
}

/** A trace on hosts, ready to be run. */
export interface PlannedTrace {
  readonly trace: Trace;
  readonly hosts: readonly string[];
  readonly plan: TaskPlan;
  readonly connections: readonly RankConnection[];
  readonly collectives: readonly PlannedCollective[];
}

interface GrowingConnection {
  readonly from: number;
  readonly to: number;
  bytes: number;
  messages: number;
}

/**
 * The steps of a trace whose ranks are on these hosts: messages matched, collectives as messages.
 * No connections are needed: ranks may only compute, or be on one host.
 * @throws InputError for ranks and tasks that do not exist, messages that nobody sends or receives, collectives that
 *   not all ranks do, and circles.
 */
export function expandTrace(trace: Trace, hosts: readonly string[], ways: Ways = {}): PlannedTrace {
  const expansion = new Expansion(trace, hosts, ways);
  const { connections, collectives } = expansion;
  expansion.addTasks();
  expansion.addMessages();
  expansion.addCollectives();
  expansion.addDependencies();
  const plan = expansion.builder.build();
  refuseCircles(plan, (task) => expansion.nameOf(task));
  return { trace, hosts, plan, connections, collectives };
}

/** Tasks by the key of what they match with. */
const listIn = <Key>(lists: Map<Key, number[]>, key: Key): number[] => {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
};

class Expansion {
  readonly builder = new TaskPlanBuilder();
  readonly connections: GrowingConnection[] = [];
  readonly collectives: PlannedCollective[] = [];
  readonly #trace: Trace;
  readonly #hosts: readonly string[];
  readonly #ways: Ways;
  readonly #connectionOf = new Map<string, number>();
  /** Steps at which each task begins, and is done. */
  readonly #entry: number[] = [];
  readonly #exit: number[] = [];
  readonly #sends = new Map<string, number[]>();
  readonly #receives = new Map<string, number[]>();
  /** Tasks of each group by rank, in their order. */
  readonly #parts = new Map<string, Map<number, number[]>>();

  constructor(trace: Trace, hosts: readonly string[], ways: Ways) {
    this.#trace = trace;
    this.#hosts = hosts;
    this.#ways = ways;
    for (const [name, ranks] of Object.entries(trace.groups)) {
      for (const rank of ranks) this.#checkRank(rank, `group ${name}`);
      const seen = new Set<number>();
      const twice = ranks.find((rank) => seen.size === seen.add(rank).size);
      if (twice !== undefined) throw new InputError(`group ${name}: rank ${twice} appears twice`);
    }
  }

  nameOf(task: number): string {
    const found = this.#trace.tasks[task];
    return found === undefined ? `task ${task}` : taskName(found, task);
  }

  addTasks(): void {
    this.#trace.tasks.forEach((task, number) => {
      const { rank } = task;
      this.#checkRank(rank, this.nameOf(number));
      const step = this.#stepOf(number);
      this.#entry.push(step);
      this.#exit.push(step);
      if (task.do === 'send') {
        listIn(this.#sends, matchKey(rank, task.to, task.tag)).push(number);
      } else if (task.do === 'receive') {
        this.#checkRank(task.from, this.nameOf(number));
        listIn(this.#receives, matchKey(task.from, rank, task.tag)).push(number);
      } else if (task.do === 'collective') {
        const ranks = this.#parts.get(task.group ?? '') ?? new Map<number, number[]>();
        this.#parts.set(task.group ?? '', ranks);
        listIn(ranks, rank).push(number);
      }
    });
  }

  #stepOf(number: number): number {
    const task = this.#trace.tasks[number];
    const { builder } = this;
    assert(task !== undefined, `task ${number} is one of the trace`);
    switch (task.do) {
      case 'compute':
        if (task.us === 0) return builder.join(task.rank, number);
        return builder.compute(task.rank, number, {
          duration: microseconds(task.us),
          stream: task.stream ?? '',
        });
      case 'wait':
        return builder.wait(task.rank, number, microseconds(task.us));
      case 'send':
        this.#checkRank(task.to, this.nameOf(number));
        return this.#message(task.rank, task.to, {
          task: number,
          bytes: task.bytes,
          channel: task.channel ?? '',
        });
      case 'receive':
      case 'collective':
        return builder.join(task.rank, number);
      default:
        return unreachable(task);
    }
  }

  #message(
    from: number,
    to: number,
    { task, bytes, channel }: { task: number; bytes: number; channel: string },
  ): number {
    if (from === to) throw new InputError(`${this.nameOf(task)}: rank ${from} sends to itself`);
    if (this.#hosts[from] === this.#hosts[to]) return this.builder.local(from, task, bytes);
    const key = `${from} ${to} ${channel}`;
    const number = this.#connectionOf.get(key) ?? this.connections.length;
    if (number === this.connections.length) {
      this.#connectionOf.set(key, number);
      this.connections.push({ from, to, bytes: 0, messages: 0 });
    }
    const connection = this.connections[number] as GrowingConnection;
    connection.bytes += Math.max(1, bytes);
    connection.messages++;
    return this.builder.transfer(from, task, { bytes, connection: number });
  }

  addMessages(): void {
    for (const [key, receives] of this.#receives) {
      const sends = this.#sends.get(key) ?? [];
      receives.forEach((receive, i) => {
        const send = sends[i];
        if (send === undefined) {
          throw new InputError(`${this.nameOf(receive)}: nobody sends what it waits for (${key})`);
        }
        this.builder.after(this.#exit[receive] as number, this.#exit[send] as number);
      });
    }
    for (const [key, sends] of this.#sends) {
      const extra = sends[this.#receives.get(key)?.length ?? 0];
      if (extra === undefined || this.#receives.size === 0) continue;
      throw new InputError(`${this.nameOf(extra)}: nobody receives what it sends (${key})`);
    }
  }

  addCollectives(): void {
    for (const [group, parts] of this.#parts) {
      const ranks = this.#ranksOf(group, parts);
      const lists = ranks.map((rank) => parts.get(rank) ?? []);
      const most = lists.reduce((max, { length }) => Math.max(max, length), 0);
      for (let i = 0; i < most; i++)
        this.#addCollective(
          group,
          ranks,
          lists.map((list) => list[i]),
        );
    }
  }

  #ranksOf(group: string, parts: ReadonlyMap<number, number[]>): readonly number[] {
    const { groups, ranks: count } = this.#trace;
    const all = Array.from({ length: count }, (_, rank) => rank);
    // A name such as toString is a key of every object.
    const ranks = group === '' ? all : Object.hasOwn(groups, group) ? groups[group] : undefined;
    const [tasks = []] = parts.values();
    if (ranks === undefined) {
      throw new InputError(`${this.nameOf(tasks[0] as number)}: there is no group ${group}`);
    }
    const members = new Set(ranks);
    const stranger = [...parts.keys()].find((each) => !members.has(each));
    if (stranger === undefined) return ranks;
    throw new InputError(`rank ${stranger} does a collective of group ${group}, but is not in it`);
  }

  #addCollective(
    group: string,
    ranks: readonly number[],
    tasks: readonly (number | undefined)[],
  ): void {
    const numbers = tasks.map((task, i) => this.#partOf(group, ranks[i] as number, task, tasks));
    const first = this.#trace.tasks[numbers[0] as number] as CollectiveTask;
    const { operation, bytes, root = 0 } = first;
    for (const number of numbers) {
      const other = this.#trace.tasks[number] as CollectiveTask;
      if (other.operation === operation && other.bytes === bytes && (other.root ?? 0) === root)
        continue;
      throw new InputError(
        `${this.nameOf(number)} is ${other.operation} of ${other.bytes} bytes, but ` +
          `${this.nameOf(numbers[0] as number)} is ${operation} of ${bytes}`,
      );
    }
    if (root >= ranks.length) {
      throw new InputError(
        `${this.nameOf(numbers[0] as number)}: root ${root} of ${ranks.length} ranks`,
      );
    }
    const algorithm = first.algorithm ?? this.#ways[operation] ?? defaultAlgorithm(operation);
    const entries = numbers.map((number, i) => this.builder.join(ranks[i] as number, number));
    numbers.forEach((number, i) => (this.#entry[number] = entries[i] as number));
    const exits = numbers.map((number) => this.#exit[number] as number);
    entries.forEach((entry, i) => this.builder.after(exits[i] as number, entry));
    const hosts = ranks.map((rank) => this.#hosts[rank] as string);
    this.#run(
      { operation, bytes, root, ranks: ranks.length, hosts },
      { algorithm, ranks, numbers, entries, exits },
    );
    const name = first.name ?? operation;
    this.collectives.push({ name, operation, algorithm, bytes, ranks, entries, exits });
  }

  #run(
    collective: Collective,
    given: {
      readonly algorithm: AlgorithmName;
      readonly ranks: readonly number[];
      readonly numbers: readonly number[];
      readonly entries: readonly number[];
      readonly exits: readonly number[];
    },
  ): void {
    const { algorithm, ranks, numbers, entries, exits } = given;
    if (ranks.length === 1) return;
    algorithmOf(collective.operation, algorithm)(collective, {
      send: (from, to, bytes, after = []) => {
        const step = this.#message(ranks[from] as number, ranks[to] as number, {
          task: numbers[from] as number,
          bytes,
          channel: '',
        });
        this.builder.after(step, entries[from] as number);
        for (const before of after) this.builder.after(step, before);
        this.builder.after(exits[from] as number, step);
        this.builder.after(exits[to] as number, step);
        return step;
      },
    });
  }

  #partOf(
    group: string,
    rank: number,
    task: number | undefined,
    all: readonly (number | undefined)[],
  ): number {
    if (task !== undefined) return task;
    const other = all.find((each) => each !== undefined) as number;
    const where = group === '' ? 'all ranks' : `group ${group}`;
    throw new InputError(
      `${this.nameOf(other)} is a collective of ${where}, which rank ${rank} does not do`,
    );
  }

  addDependencies(): void {
    const { tasks } = this.#trace;
    tasks.forEach(({ after = [], afterStart = [] }, number) => {
      const entry = this.#entry[number] as number;
      for (const before of after) {
        this.#checkTask(before, number);
        this.builder.after(entry, this.#exit[before] as number);
      }
      for (const before of afterStart) {
        this.#checkTask(before, number);
        this.builder.afterBegin(entry, this.#entry[before] as number);
      }
    });
  }

  #checkTask(before: number, number: number): void {
    if (before < this.#trace.tasks.length) return;
    throw new InputError(`${this.nameOf(number)} waits for task ${before}, which does not exist`);
  }

  #checkRank(rank: number, where: string): void {
    const { ranks } = this.#trace;
    if (rank < ranks) return;
    throw new InputError(`${where}: rank ${rank} is none of the ${ranks} ranks`);
  }
}

const matchKey = (from: number, to: number, tag = 0): string =>
  `from rank ${from} to rank ${to} with tag ${tag}`;
