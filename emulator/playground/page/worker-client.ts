import type { Answered, Requester } from '../../view/page/latest-request';
import type { Choices, FromWorker, RunAnswer, ToWorker, Wanted } from '../io/messages';
import { loadProgram } from './program-script';

export interface Heard {
  readonly progress: (fraction: number, virtualUs: number) => void;
  readonly note: (text: string) => void;
}

type WithoutId<Message> = Message extends { readonly id: number } ? Omit<Message, 'id'> : never;
type Question = WithoutId<ToWorker>;

interface CurrentRun {
  isStopped: boolean;
}

/** Time that a run has to end by itself. */
const PATIENCE_MS = 3000;

/** The worker, as the page speaks to it. */
export class WorkerClient {
  #worker: Worker;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  readonly #given = new Set<string>();
  readonly #url: string;
  #questions = 0;
  #run: CurrentRun | undefined;

  /** @param source text of the worker: from a file, a page may start no worker of another file. */
  constructor(
    source: string,
    private readonly files: Readonly<Record<string, string>>,
    private readonly heard: Heard,
  ) {
    this.#url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.#worker = this.#started();
  }

  async choices(): Promise<Choices> {
    const answered = await this.#ask({ kind: 'choices' });
    if (typeof answered === 'string') throw new Error(answered);
    return answered.found as Choices;
  }

  /** Runs a scenario. @returns its result, or the text of a refusal. */
  async run(wanted: Wanted): Promise<RunAnswer | string> {
    const run = (this.#run = { isStopped: false });
    try {
      return await this.#runOnce(wanted, run);
    } finally {
      this.#run = undefined;
    }
  }

  async #runOnce(wanted: Wanted, run: CurrentRun): Promise<RunAnswer | string> {
    const programs = await this.#ask({ kind: 'programs', ...wanted });
    if (typeof programs === 'string') return programs;
    try {
      for (const name of programs.found as string[]) await this.#give(name);
    } catch (error) {
      return (error as Error).message;
    }
    if (run.isStopped) return 'The run was stopped before it began.';
    const answered = await this.#ask({ kind: 'run', ...wanted });
    return typeof answered === 'string' ? answered : (answered.found as RunAnswer);
  }

  /** Ends the run early: it then shows what there is. One that does not end is ended with its worker. */
  stop(): void {
    this.#send({ kind: 'stop' });
    const stopped = this.#run;
    if (stopped !== undefined) stopped.isStopped = true;
    setTimeout(() => {
      if (stopped === undefined || this.#run !== stopped) return;
      this.#worker.terminate();
      this.#refuseAll('The run did not end by itself, and was ended: it has no result.');
      this.#given.clear();
      this.#worker = this.#started();
    }, PATIENCE_MS);
  }

  /** Answers the views of the run that is shown. */
  readonly request: Requester = (path, stop) => this.#ask({ kind: 'ask', path }, stop);

  #started(): Worker {
    const worker = new Worker(this.#url);
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#received(data, this.heard);
    worker.onerror = ({ message }) => this.#refuseAll(`The run failed: ${message}`);
    worker.postMessage({ kind: 'files', files: this.files } satisfies ToWorker);
    return worker;
  }

  #refuseAll(text: string): void {
    for (const id of [...this.#waiting.keys()]) this.#answered(id, text);
  }

  async #give(program: string): Promise<void> {
    if (this.#given.has(program)) return;
    this.#send({ kind: 'files', files: await loadProgram(program) });
    this.#given.add(program);
  }

  #ask(question: Question, stop?: AbortSignal): Promise<Answered> {
    const id = ++this.#questions;
    stop?.addEventListener('abort', () => this.#send({ kind: 'stop', id }));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ ...question, id });
    });
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #received(message: FromWorker, heard: Heard): void {
    switch (message.kind) {
      case 'answer':
        this.#answered(message.id, { found: message.found });
        break;
      case 'refusal':
        this.#answered(message.id, message.text);
        break;
      case 'progress':
        heard.progress(message.fraction, message.virtualUs);
        break;
      case 'note':
        heard.note(message.text);
        break;
    }
  }

  #answered(id: number, answered: Answered): void {
    this.#waiting.get(id)?.(answered);
    this.#waiting.delete(id);
  }
}
