import { InputError } from '../../../common/errors';
import type { TraceInput } from '../tasks/trace';
import { taskOf } from './goal-operation';
import type { GoalOperation } from './goal-operation';
import { headOf, onlyFile, refuseBytes, textOf } from './reader';
import type { TraceReader } from './reader';

/** GOAL: `num_ranks N`, then for each rank tasks with labels, and which requires which. */
export const GOAL: TraceReader = {
  format: 'GOAL',
  recognises: (files) =>
    files.length === 1 &&
    /^\s*(?:\/\/[^\n]*\n|\/\*[^]*?\*\/|\s)*num_ranks\s+\d/.test(headOf(files[0] as never)),
  read: (files, options) => {
    const file = onlyFile(files, 'GOAL');
    refuseBytes(options, file);
    const schedule = new GoalSchedule(file.name);
    withoutComments(textOf(file))
      .split('\n')
      .forEach((line, i) => schedule.line(line.trim(), i + 1));
    return { trace: schedule.trace(), warnings: [] };
  },
};

/** Comments become blanks, so that lines keep their numbers. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

const TASK =
  /^(?:([A-Za-z]\w*)\s*:\s*)?(?:(calc)\s+(\d+)|(send|recv)\s+(\d+)\s*b\s+(?:to|from)\s+(-?\d+))\s*((?:\s*(?:tag|cpu|nic)\s+-?\d+)*)\s*$/;
const REQUIREMENT = /^([A-Za-z]\w*)\s+(i?requires)\s+([A-Za-z]\w*)$/;

class GoalSchedule {
  readonly #file: string;
  readonly #tasks: TraceInput['tasks'] = [];
  /** Tasks of the rank at hand by label. */
  #labels = new Map<string, number>();
  /** Requirements of the rank at hand, whose labels may come behind. */
  #required: { from: string; to: string; isStart: boolean; line: number }[] = [];
  #rank: number | undefined;
  #ranks: number | undefined;
  readonly #seen = new Set<number>();

  constructor(file: string) {
    this.#file = file;
  }

  trace(): TraceInput {
    if (this.#rank !== undefined)
      throw new InputError(`${this.#file}: rank ${this.#rank} has no end: }`);
    if (this.#ranks === undefined) throw new InputError(`${this.#file}: wanted num_ranks`);
    if (this.#tasks.length === 0) throw new InputError(`${this.#file}: there are no tasks`);
    return { ranks: this.#ranks, tasks: this.#tasks };
  }

  line(text: string, line: number): void {
    if (text === '') return;
    if (this.#rank !== undefined) this.#inRank(text, line);
    else this.#outside(text, line);
  }

  #outside(text: string, line: number): void {
    const count = /^num_ranks\s+(\d+)$/.exec(text);
    if (count !== null) {
      this.#ranks = Number(count[1]);
      return;
    }
    const begin = /^rank\s+(\d+)\s*\{$/.exec(text);
    if (begin === null) this.#fail(line, `wanted 'rank N {' or 'num_ranks N', found '${text}'`);
    const rank = Number(begin?.[1]);
    if (this.#ranks === undefined || rank >= this.#ranks) {
      this.#fail(line, `rank ${rank} is none of ${this.#ranks ?? 0} ranks`);
    }
    if (this.#seen.has(rank)) this.#fail(line, `rank ${rank} appears twice`);
    this.#seen.add(rank);
    this.#rank = rank;
  }

  #inRank(text: string, line: number): void {
    if (text === '}') {
      this.#endRank();
      return;
    }
    const requirement = REQUIREMENT.exec(text);
    if (requirement !== null) {
      const [, from = '', kind, to = ''] = requirement;
      this.#required.push({ from, to, isStart: kind === 'irequires', line });
      return;
    }
    const found = TASK.exec(text);
    if (found === null) {
      this.#fail(line, `wanted calc, send, recv or requires, found '${text}'`);
      return;
    }
    const [, label] = found;
    if (label !== undefined) {
      if (this.#labels.has(label)) this.#fail(line, `label ${label} appears twice in a rank`);
      this.#labels.set(label, this.#tasks.length);
    }
    this.#tasks.push(this.#task(found, line));
  }

  #task(found: RegExpExecArray, line: number): TraceInput['tasks'][number] {
    const [, label, calc, time, kind, bytes, peer, attributes = ''] = found;
    const attribute = (key: string): number =>
      Number(new RegExp(`${key}\\s+(-?\\d+)`).exec(attributes)?.[1] ?? 0);
    const operation: GoalOperation = {
      kind: calc === undefined ? (kind as 'send' | 'recv') : 'calc',
      rank: this.#rank as number,
      name: label ?? `line ${line}`,
      size: Number(time ?? bytes),
      peer: Number(peer),
      tag: attribute('tag'),
      cpu: attribute('cpu'),
      nic: attribute('nic'),
    };
    return taskOf(operation, this.#ranks as number, (message) => this.#fail(line, message));
  }

  #endRank(): void {
    for (const { from, to, isStart, line } of this.#required) {
      const [task, before] = [this.#labels.get(from), this.#labels.get(to)];
      if (task === undefined || before === undefined) {
        this.#fail(line, `there is no label ${task === undefined ? from : to} in the rank`);
        continue;
      }
      const waiting = this.#tasks[task] as { after?: number[]; afterStart?: number[] };
      if (isStart) (waiting.afterStart ??= []).push(before);
      else (waiting.after ??= []).push(before);
    }
    this.#required = [];
    this.#labels = new Map();
    this.#rank = undefined;
  }

  #fail(line: number, message: string): never {
    throw new InputError(`${this.#file}:${line}: ${message}`);
  }
}
