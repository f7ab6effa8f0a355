import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { UNHURRIED } from '../../../common/io/loop/optimising';
import { currentCommit } from '../../../common/io/repository';
import type { CellFiles, Outcome } from '../cell';
import { buildVersion } from './build-version';
import type { CellAnswer } from './cell-service';
import type { CellTask } from './database/cell-queue';

const MEGABYTE = 1024 * 1024;
/** Interval at which the memory of a process is read. */
const LOOK_MS = 100;
/** The end of what a process said, for the reason of its death. */
const LAST_WORDS = 4000;
/**
 * PERF: no threads beside the cell's that compile and collect garbage. One cell at a time on two cores is a tenth
 * slower for that; as many as cores take a third less time, since each has its core. With room for what is
 * young, less of it is copied, and what runs at the start alone is not optimised.
 */
const ONE_THREAD = [
  '--single-threaded',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  UNHURRIED,
] as const;
/** Memory of Node itself beside the heap, in MB. */
const BESIDE_HEAP_MB = 64;

/** A cell, and what its process may use. */
export type SlotTask = CellTask & { readonly files: CellFiles };

/** One process for cells, made when needed and again when one died. */
export class CellSlot {
  #process: ChildProcess | undefined;
  #memoryMb = 0;
  /** Cells that the process has run: they leave something behind. */
  #used = 0;
  #isBusy = false;
  #stopped = false;

  /** Starts the process before there is a cell for it: it has loaded by the time that there is one. */
  begin(limits: CellTask['limits']): void {
    this.#processFor(limits);
  }

  /** Runs a cell to an outcome, whatever becomes of it; undefined when the slot is stopped meanwhile. */
  async run(task: SlotTask): Promise<Outcome | undefined> {
    const isFresh = this.#used === 0;
    const attempt = await this.#attempt(task);
    // A cell may need only a little less than there is: what others left behind is not its fault.
    const again = attempt.isMemory && !isFresh && !this.#stopped;
    const { outcome } = again ? await this.#attempt(task) : attempt;
    return this.#stopped ? undefined : outcome;
  }

  /** Ends the process, and what it is doing. One that does nothing keeps what it has compiled for the next one. */
  stop(): void {
    this.#stopped = true;
    if (this.#isBusy) this.#process?.kill('SIGKILL');
    else if (this.#process?.connected === true) this.#process.disconnect();
  }

  /** Id of the process, for tests that kill it. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async #attempt(task: SlotTask): Promise<Attempt> {
    const { cell, limits } = task;
    const child = this.#processFor(limits);
    const watch = new Watch(child, limits);
    this.#isBusy = true;
    child.send({ cell, input: task.input, files: task.files });
    const ending = await endingOf(child);
    this.#isBusy = false;
    watch.stop();
    this.#used++;
    if ('answer' in ending)
      return { isMemory: false, outcome: outcomeOf(cell, ending.answer, watch) };
    this.#process = undefined;
    this.#used = 0;
    const isMemory = watch.exceeded === 'memory' || /heap out of memory/i.test(ending.lastWords);
    const reason = isMemory
      ? `needs more memory than ${limits.memoryMb} MB`
      : watch.exceeded === 'time'
        ? `takes longer than ${limits.timeoutSeconds} s`
        : deathReason(ending);
    const { durationMs, memoryBytes } = watch;
    return { isMemory, outcome: outcomeOf(cell, { reason, durationMs, memoryBytes }, watch) };
  }

  #processFor({ memoryMb }: CellTask['limits']): ChildProcess {
    const isAlive = this.#process?.connected === true && this.#process.exitCode === null;
    const isFit = isAlive && this.#process?.signalCode === null && this.#memoryMb === memoryMb;
    if (this.#process !== undefined && isFit) return this.#process;
    this.#process?.kill('SIGKILL');
    const heapMb = Math.max(32, memoryMb - BESIDE_HEAP_MB);
    this.#process = fork(path.join(__dirname, 'cell-process.js'), {
      execArgv: [...ONE_THREAD, `--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // An error between cells shows when the process gets the next one.
    this.#process.on('error', () => undefined);
    this.#memoryMb = memoryMb;
    this.#used = 0;
    return this.#process;
  }
}

interface Attempt {
  readonly isMemory: boolean;
  readonly outcome: Outcome;
}

type Ending =
  | { readonly answer: CellAnswer }
  | { readonly lastWords: string; readonly code: number | null; readonly signal: string | null };

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    let lastWords = '';
    const listen = (text: Buffer): void => {
      lastWords = (lastWords + text.toString('utf8')).slice(-LAST_WORDS);
    };
    const end = (ending: Ending): void => {
      child.stderr?.off('data', listen);
      child.off('message', answered).off('close', closed).off('error', failed);
      resolve(ending);
    };
    const answered = (answer: CellAnswer): void => end({ answer });
    const closed = (code: number | null, signal: string | null): void =>
      end({ lastWords, code, signal });
    // A process that dies while it is written to is an error, too, and closes after it with its reason.
    const failed = ({ message }: Error): void => {
      if (child.pid === undefined)
        end({ lastWords: `Error: ${message}`, code: null, signal: null });
    };
    child.stderr?.on('data', listen);
    child.on('message', answered).on('close', closed).on('error', failed);
  });
}

/** `killed by SIGKILL, as the system does when memory runs out` */
function deathReason({ lastWords, code, signal }: Extract<Ending, { lastWords: string }>): string {
  const hint = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  if (signal !== null) return `its process was killed by ${signal}${hint}`;
  const [line = ''] = lastWords.split('\n').filter((text) => /error|cannot|fatal/i.test(text));
  return `its process ended with code ${code ?? 'unknown'}${line === '' ? '' : `: ${line.trim()}`}`;
}

/** Looks after time and memory of one cell, and ends the process that exceeds either. */
class Watch {
  exceeded: 'memory' | 'time' | undefined;
  memoryBytes = 0;
  readonly #startedAt = performance.now();
  readonly #timers: NodeJS.Timeout[];

  constructor(
    private readonly child: ChildProcess,
    private readonly limits: CellTask['limits'],
  ) {
    this.#timers = [
      setInterval(() => this.#look(), LOOK_MS),
      setTimeout(() => this.#end('time'), limits.timeoutSeconds * 1000),
    ];
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #look(): void {
    this.memoryBytes = Math.max(this.memoryBytes, residentBytes(this.child.pid));
    if (this.memoryBytes > this.limits.memoryMb * MEGABYTE) this.#end('memory');
  }

  #end(exceeded: 'memory' | 'time'): void {
    this.exceeded ??= exceeded;
    this.child.kill('SIGKILL');
  }
}

/** Pages in memory, from Linux's proc(5); 0 where there is none, and the limit of the heap remains. */
function residentBytes(pid: number | undefined): number {
  try {
    const text = fs.readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Characters of a reason that are kept: a user's judge may throw anything. */
const REASON_MAX = 2000;

/** A reason that databases take and people read: bounded, and without NUL. */
const told = (reason: string): string => {
  const text = reason.replaceAll('\0', '');
  return text.length <= REASON_MAX ? text : `${text.slice(0, REASON_MAX)}…`;
};

let commit: string | undefined;

/** An outcome with what is known of this machine. */
export function outcomeOf(
  cell: string,
  answer: CellAnswer,
  seen: { readonly memoryBytes: number } = { memoryBytes: 0 },
): Outcome {
  commit ??= currentCommit();
  return {
    cell,
    ...('summary' in answer ? { summary: answer.summary } : { reason: told(answer.reason) }),
    provenance: {
      version: buildVersion(),
      commit,
      host: os.hostname(),
      durationMs: answer.durationMs,
      memoryBytes: Math.max(answer.memoryBytes, seen.memoryBytes),
    },
  };
}

export const cellSlots = (count: number): CellSlot[] =>
  Array.from({ length: count }, () => new CellSlot());

/** As many processes as cores and memory allow. */
export function slotCount(memoryMb: number): number {
  const byMemory = Math.floor(os.freemem() / MEGABYTE / memoryMb);
  return Math.max(1, Math.min(os.availableParallelism(), byMemory));
}
