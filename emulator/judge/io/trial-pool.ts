import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as path from 'node:path';
import { UNHURRIED } from '../../../common/io/loop/optimising';
import { processorSeconds } from './processor-time';
import type { TrialAnswer, TrialQuestion } from './trial-service';

/** The end of what a process said, for the reason of its death. */
const LAST_WORDS = 2000;
/** PERF: as cells of studies have it: a core each, no threads beside, and no hurry to optimise before virtual time begins. */
const ONE_THREAD = ['--single-threaded', '--max-semi-space-size=16', UNHURRIED] as const;

/** Runs that may end by a watchdog before an algorithm is asked no more: each takes seconds. */
const COSTLY_MAX = 4;
/** Processor time that one run may take, in s: several times what those of sound algorithms need. */
const PROCESSOR_MAX = { evidence: 8, figures: 24 };
/** Interval at which the processor time of a process is read, in ms. */
const LOOK_MS = 250;

/** Processes that answer questions, each one at a time; one that dies is an answer, and is made again. */
export class TrialPool {
  readonly #slots: Slot[];
  /** Runs of algorithms that watchdogs have ended, by their names. */
  readonly #costly = new Map<string, number>();

  constructor(count: number) {
    this.#slots = Array.from({ length: count }, () => new Slot());
  }

  /** Answers in the order of the questions; undefined where watchdogs have ended too many runs before. */
  async ask(questions: readonly TrialQuestion[]): Promise<(TrialAnswer | undefined)[]> {
    const answers = questions.map((): TrialAnswer | undefined => undefined);
    let next = 0;
    const work = async (slot: Slot): Promise<void> => {
      for (let i = next++; i < questions.length; i = next++) {
        const question = questions[i];
        if (question !== undefined) answers[i] = await this.#answer(slot, question);
      }
    };
    await Promise.all(this.#slots.map(work));
    return answers;
  }

  async #answer(slot: Slot, question: TrialQuestion): Promise<TrialAnswer | undefined> {
    const { algorithm } = question.scenario.parameters;
    const costly = this.#costly.get(algorithm) ?? 0;
    if (costly >= COSTLY_MAX) return undefined;
    const answer = await slot.ask(question);
    const wasCostly = 'failure' in answer && answer.isCostly === true;
    if (wasCostly) this.#costly.set(algorithm, (this.#costly.get(algorithm) ?? 0) + 1);
    return answer;
  }

  /** Processor time that all answers have taken, in s. */
  get processorSeconds(): number {
    return this.#slots.reduce((sum, { processorSeconds: own }) => sum + own, 0);
  }

  /** Ends the processes. */
  stop(): void {
    for (const slot of this.#slots) slot.stop();
  }
}

class Slot {
  #process: ChildProcess | undefined;
  #isBusy = false;
  /** Processor time of its answers, in s. */
  processorSeconds = 0;

  ask(question: TrialQuestion): Promise<TrialAnswer> {
    const child = this.#alive();
    return new Promise((resolve) => {
      let lastWords = '';
      let isOver = false;
      const before = processorSeconds(child.pid);
      const seconds = PROCESSOR_MAX[question.wants];
      let spent = 0;
      const look = (): void => {
        // Nothing is known any more of a process that has ended.
        spent = Math.max(spent, processorSeconds(child.pid) - before);
        isOver ||= spent > seconds;
      };
      const looking = setInterval(() => {
        look();
        if (isOver) child.kill('SIGKILL');
      }, LOOK_MS);
      const listen = (text: Buffer): void => {
        lastWords = (lastWords + text.toString('utf8')).slice(-LAST_WORDS);
      };
      const end = (answer: TrialAnswer): void => {
        clearInterval(looking);
        this.#isBusy = false;
        this.processorSeconds += spent;
        child.stderr?.off('data', listen);
        child.off('message', answered).off('close', closed);
        resolve(answer);
      };
      const answered = (answer: TrialAnswer): void => {
        look();
        end(answer);
      };
      const closed = (code: number | null, signal: string | null): void => {
        this.#process = undefined;
        const slow = `virtual time hardly goes on: a run took more than ${seconds} s of the processor`;
        end({ failure: isOver ? slow : deathReason(lastWords, code, signal), isCostly: true });
      };
      child.stderr?.on('data', listen);
      child.on('message', answered).on('close', closed);
      this.#isBusy = true;
      child.send(question);
    });
  }

  /** One that does nothing keeps what it has compiled for the next one. */
  stop(): void {
    if (this.#isBusy) this.#process?.kill('SIGKILL');
    else if (this.#process?.connected === true) this.#process.disconnect();
  }

  #alive(): ChildProcess {
    const child = (this.#process ??= fork(path.join(__dirname, 'trial-process.js'), {
      execArgv: [...ONE_THREAD],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }));
    // A process that dies while it is written to closes, too.
    if (child.listenerCount('error') === 0) child.on('error', () => undefined);
    return child;
  }
}

/** Last words of the watchdog, or how the process ended. */
function deathReason(lastWords: string, code: number | null, signal: string | null): string {
  const said = lastWords.split('\n').findLast((line) => line.startsWith('hpcc: '));
  if (said !== undefined) return said.slice('hpcc: '.length);
  return signal === null ? `its process ended with code ${code}` : `its process ended by ${signal}`;
}
