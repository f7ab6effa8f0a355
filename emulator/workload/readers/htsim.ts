import { InputError } from '../../../common/errors';
import type { TraceInput } from '../tasks/trace';
import { headOf, onlyFile, refuseBytes, textOf, wholeNumber } from './reader';
import type { TraceReader } from './reader';

const PS_PER_US = 1e6;

/** htsim's connection matrices: flows between nodes, of which some wait for triggers that others fire. */
export const HTSIM: TraceReader = {
  format: 'htsim connection matrix',
  recognises: (files) => {
    const head = headOf(files[0] as never);
    return (
      /^\s*(?:#[^\n]*\n\s*)*(?:Nodes\s+\d+\s+)?Connections\s+\d+/.test(head) ||
      /^\d+->\d+ /m.test(head)
    );
  },
  read: (files, options) => {
    const file = onlyFile(files, 'a connection matrix');
    refuseBytes(options, file);
    const matrix = new Matrix(file.name);
    textOf(file)
      .split('\n')
      .forEach((line, i) => matrix.line(line.trim(), i + 1));
    return matrix.read();
  },
};

type TaskInput = TraceInput['tasks'][number];

interface Flow {
  readonly where: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly startPs: number | undefined;
  readonly trigger: number | undefined;
  /** Triggers that it fires when it is done. */
  readonly fires: readonly number[];
  readonly id: number | undefined;
  readonly hasPriority: boolean;
}

interface Trigger {
  readonly kind: 'oneshot' | 'multishot' | 'barrier';
  readonly count: number;
}

const PAIR = /^(\d+)->(\d+)$/;

class Matrix {
  readonly #file: string;
  #nodes: number | undefined;
  #announced: number | undefined;
  readonly #flows: Flow[] = [];
  readonly #triggers = new Map<number, Trigger>();

  constructor(file: string) {
    this.#file = file;
  }

  line(text: string, line: number): void {
    if (text === '' || text.startsWith('#')) return;
    // Some generators end a matrix without a line break and begin the next one behind it.
    const words = text.split(/\s+/);
    const [first = ''] = words;
    const where = `${this.#file}:${line}`;
    if (first === 'Nodes') this.#nodes = wholeNumber(words[1], where);
    else if (first === 'Connections') this.#announced = wholeNumber(words[1], where);
    else if (first === 'Triggers') wholeNumber(words[1], where);
    else if (first === 'Failures') refuseFailures(words[1], where);
    else if (first === 'trigger') this.#addTrigger(words, where);
    else if (PAIR.test(first)) this.#flows.push(flowOf(words, where));
    else
      throw new InputError(
        `${where}: wanted a connection such as 0->1, or a trigger, found '${first}'`,
      );
  }

  #addTrigger(words: readonly string[], where: string): void {
    const values = valuesOf(
      words.slice(1),
      ['id', 'count'],
      ['oneshot', 'multishot', 'barrier'],
      where,
    );
    const id = wholeNumber(values.get('id'), where);
    const kind = (['oneshot', 'multishot', 'barrier'] as const).find((each) => values.has(each));
    if (kind === undefined) throw new InputError(`${where}: trigger ${id} has no kind`);
    const count = values.has('count') ? wholeNumber(values.get('count'), where) : 1;
    if (this.#triggers.has(id)) throw new InputError(`${where}: trigger ${id} appears twice`);
    this.#triggers.set(id, { kind, count });
  }

  read(): { trace: TraceInput; warnings: string[] } {
    if (this.#flows.length === 0) throw new InputError(`${this.#file}: there are no connections`);
    const most = this.#flows.reduce((max, { from, to }) => Math.max(max, from, to), 0);
    const nodes = this.#nodes ?? most + 1;
    if (most >= nodes)
      throw new InputError(`${this.#file}: node ${most} is none of the ${nodes} nodes`);
    if (this.#announced !== undefined && this.#announced !== this.#flows.length) {
      const found = this.#flows.length;
      throw new InputError(
        `${this.#file}: ${this.#announced} connections are announced, ${found} follow`,
      );
    }
    const ranked = this.#flows.filter(({ hasPriority }) => hasPriority).length;
    const warnings =
      ranked > 0 ? [`${this.#file}: priorities (prio) of ${ranked} connections are not used`] : [];
    return { trace: { ranks: nodes, tasks: this.#tasks() }, warnings };
  }

  /** A task for the start of each flow that has one, and one for the flow. */
  #tasks(): TaskInput[] {
    const tasks: TaskInput[] = [];
    const taskOf: number[] = [];
    for (const { from, to, bytes, startPs, id } of this.#flows) {
      const name = id === undefined ? `${from}->${to}` : `flow ${id}`;
      const after: number[] = [];
      if (startPs !== undefined && startPs > 0) {
        after.push(tasks.length);
        tasks.push({ do: 'wait', rank: from, name: `start of ${name}`, us: startPs / PS_PER_US });
      }
      taskOf.push(tasks.length);
      tasks.push({
        do: 'send',
        rank: from,
        name,
        to,
        bytes,
        channel: String(taskOf.length),
        after,
      });
    }
    const firing = new Map<number, number[]>();
    this.#flows.forEach(({ fires }, i) => {
      for (const id of new Set(fires)) {
        const known = firing.get(id) ?? [];
        known.push(taskOf[i] as number);
        firing.set(id, known);
      }
    });
    this.#flows.forEach(({ trigger, where }, i) => {
      if (trigger === undefined) return;
      const waiting = tasks[taskOf[i] as number] as { after: number[] };
      const awaited = this.#awaited(trigger, firing.get(trigger) ?? [], where);
      waiting.after = [...waiting.after, ...awaited];
    });
    return tasks;
  }

  /** Those of the tasks that fire a trigger which must be done before it does. */
  #awaited(id: number, firing: readonly number[], where: string): readonly number[] {
    const trigger = this.#triggers.get(id);
    if (trigger === undefined) throw new InputError(`${where}: there is no trigger ${id}`);
    if (firing.length === 0) throw new InputError(`${where}: no connection fires trigger ${id}`);
    const { kind, count } = trigger;
    if (kind === 'barrier' && firing.length === count) return firing;
    if (kind !== 'barrier' && firing.length === 1) return firing;
    throw new InputError(
      `${where}: ${firing.length} connections fire trigger ${id}, which is ${kind}` +
        `${kind === 'barrier' ? ` of ${count}` : ''}: which of them it waits for is open`,
    );
  }
}

function refuseFailures(count: string | undefined, where: string): void {
  if (wholeNumber(count, where) === 0) return;
  throw new InputError(
    `${where}: failures in a connection matrix are not offered: use events of a scenario`,
  );
}

function flowOf([pair = '', ...words]: readonly string[], where: string): Flow {
  const keys = ['id', 'start', 'size', 'trigger', 'send_done_trigger', 'recv_done_trigger', 'prio'];
  const isMessage = words.indexOf('msg');
  // A message of a connection, whose number may be left out.
  const rest =
    isMessage === -1
      ? words
      : words.filter((word, i) => i !== isMessage && !(i === isMessage + 1 && /^\d+$/.test(word)));
  const values = valuesOf(rest, keys, [], where);
  const number = (key: string): number | undefined =>
    values.has(key) ? wholeNumber(values.get(key), where) : undefined;
  const [, from, to] = PAIR.exec(pair) as RegExpExecArray;
  const bytes = number('size');
  if (bytes === undefined) throw new InputError(`${where}: wanted a size`);
  if (from === to) throw new InputError(`${where}: node ${from} would send to itself`);
  const start = values.get('start');
  const startPs = start === undefined ? undefined : Number(start);
  if (startPs !== undefined && !(startPs >= 0))
    throw new InputError(`${where}: start is no time: ${start}`);
  const trigger = number('trigger');
  if ((startPs === undefined) === (trigger === undefined)) {
    throw new InputError(`${where}: wanted either start or trigger`);
  }
  const fires = [number('send_done_trigger'), number('recv_done_trigger')];
  return {
    where,
    from: Number(from),
    to: Number(to),
    bytes,
    startPs,
    trigger,
    fires: fires.filter((each) => each !== undefined),
    id: number('id'),
    hasPriority: values.has('prio'),
  };
}

/** Keys with the word behind them, and words that stand alone. */
function valuesOf(
  words: readonly string[],
  keys: readonly string[],
  flags: readonly string[],
  where: string,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (flags.includes(word)) values.set(word, '');
    else if (keys.includes(word)) values.set(word, words[++i] ?? '');
    else
      throw new InputError(`${where}: wanted ${[...keys, ...flags].join(', ')}, found '${word}'`);
  }
  return values;
}
