import { InputError } from '../../../common/errors';
import { partStart } from '../collectives/collective';
import type { TraceInput } from '../tasks/trace';
import { headOf, onlyFile, textOf, wholeNumber } from './reader';
import type { TraceReader } from './reader';

/** Length of the buffers, unless given: these programs are for any length. */
const DEFAULT_BYTES = 1024 * 1024;

/** MSCCL's programs of collectives in XML: thread blocks of each GPU, whose steps send, receive and copy. */
export const MSCCL: TraceReader = {
  format: 'MSCCL XML',
  recognises: (files) =>
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<algo\s/.test(headOf(files[0] as never)),
  read: (files, { bytes = DEFAULT_BYTES }) => {
    const file = onlyFile(files, 'an MSCCL program');
    const program = new Program(file.name, bytes);
    for (const element of elementsOf(textOf(file), file.name)) program.take(element);
    return { trace: program.trace(), warnings: [] };
  },
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly where: string;
}

/** Opening tags with their attributes; these files have no text, and order says what is inside of what. */
function* elementsOf(text: string, file: string): Iterable<Element> {
  let [line, from] = [1, 0];
  const plain = text.replace(/<!--[^]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
  for (const match of plain.matchAll(/<([A-Za-z]\w*)((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*\/?>/g)) {
    line += plain.slice(from, match.index).split('\n').length - 1;
    from = match.index;
    const attributes: Record<string, string> = {};
    for (const [, key = '', value = ''] of (match[2] ?? '').matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)) {
      attributes[key] = value;
    }
    yield { name: match[1] ?? '', attributes, where: `${file}:${line}` };
  }
}

/** Kinds of steps: whether each receives first, and whether it sends then. */
const STEPS: Readonly<Record<string, readonly [receives: boolean, sends: boolean]>> = {
  s: [false, true],
  r: [true, false],
  rcs: [true, true],
  rrc: [true, false],
  rrs: [true, true],
  rrcs: [true, true],
  cpy: [false, false],
  re: [false, false],
  nop: [false, false],
};

type TaskInput = TraceInput['tasks'][number];

/** A thread block, and the task at which each of its steps is done. */
interface Block {
  readonly send: number;
  readonly receive: number;
  readonly channel: string;
  readonly done: Map<number, number>;
  last: number | undefined;
}

class Program {
  readonly #file: string;
  readonly #bytes: number;
  readonly #tasks: TaskInput[] = [];
  /** Dependencies on steps of other blocks, which may come behind. */
  readonly #open: { task: number; gpu: number; block: number; step: number; where: string }[] = [];
  readonly #blocks = new Map<string, Block>();
  #gpus = 0;
  #chunks = 1;
  #gpu = -1;
  #block = -1;

  constructor(file: string, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  take({ name, attributes, where }: Element): void {
    const whole = (key: string): number => wholeNumber(attributes[key], `${where}: ${key}`);
    if (name === 'algo') {
      this.#gpus = whole('ngpus');
      this.#chunks = Math.max(1, whole('nchunksperloop'));
    } else if (name === 'gpu') this.#gpu = whole('id');
    else if (name === 'tb') {
      this.#block = whole('id');
      const channel = attributes['chan'] ?? '0';
      const [send, receive] = [Number(attributes['send'] ?? -1), Number(attributes['recv'] ?? -1)];
      this.#blocks.set(`${this.#gpu} ${this.#block}`, {
        send,
        receive,
        channel,
        done: new Map(),
        last: undefined,
      });
    } else if (name === 'step') this.#step(attributes, where);
    else throw new InputError(`${where}: wanted algo, gpu, tb or step, found ${name}`);
  }

  #step(attributes: Readonly<Record<string, string>>, where: string): void {
    const block = this.#blocks.get(`${this.#gpu} ${this.#block}`);
    if (block === undefined)
      throw new InputError(`${where}: a step stands outside of a thread block`);
    const type = attributes['type'] ?? '';
    const kind = STEPS[type];
    if (kind === undefined) throw new InputError(`${where}: there is no step of type '${type}'`);
    const number = wholeNumber(attributes['s'], `${where}: s`);
    const [receives, sends] = kind;
    const first = this.#tasks.length;
    if (receives)
      this.#push(
        block,
        {
          do: 'receive',
          ...this.#common(type, number),
          from: block.receive,
          tag: Number(block.channel),
        },
        where,
      );
    if (sends) {
      const bytes = this.#length(attributes, where);
      const { channel } = block;
      this.#push(
        block,
        {
          do: 'send',
          ...this.#common(type, number),
          to: block.send,
          bytes,
          tag: Number(channel),
          channel,
        },
        where,
      );
    }
    if (!receives && !sends)
      this.#push(block, { do: 'compute', ...this.#common(type, number), us: 0 }, where);
    block.done.set(number, this.#tasks.length - 1);
    const dependency = Number(attributes['depid'] ?? -1);
    if (dependency < 0) return;
    const step = Number(attributes['deps'] ?? -1);
    this.#open.push({ task: first, gpu: this.#gpu, block: dependency, step, where });
  }

  #common(type: string, step: number): { rank: number; name: string } {
    return { rank: this.#gpu, name: `${type} (block ${this.#block}, step ${step})` };
  }

  /** Steps of a block come one behind the other. */
  #push(block: Block, task: TaskInput, where: string): void {
    const peer = task.do === 'send' ? task.to : task.do === 'receive' ? task.from : 0;
    if (peer < 0 || peer >= this.#gpus)
      throw new InputError(`${where}: the thread block has no peer for it`);
    this.#tasks.push({ ...task, after: block.last === undefined ? [] : [block.last] });
    block.last = this.#tasks.length - 1;
  }

  #length(attributes: Readonly<Record<string, string>>, where: string): number {
    const from = wholeNumber(attributes['srcoff'], `${where}: srcoff`);
    const count = wholeNumber(attributes['cnt'], `${where}: cnt`);
    return (
      partStart(this.#bytes, this.#chunks, from + count) -
      partStart(this.#bytes, this.#chunks, from)
    );
  }

  trace(): TraceInput {
    if (this.#gpus === 0) throw new InputError(`${this.#file}: wanted an algo with ngpus`);
    if (this.#tasks.length === 0) throw new InputError(`${this.#file}: there are no steps`);
    for (const { task, gpu, block, step, where } of this.#open) {
      const before = this.#blocks.get(`${gpu} ${block}`)?.done.get(step);
      if (before === undefined)
        throw new InputError(`${where}: there is no step ${step} of block ${block}`);
      (this.#tasks[task] as { after: number[] }).after.push(before);
    }
    return { ranks: this.#gpus, tasks: this.#tasks };
  }
}
