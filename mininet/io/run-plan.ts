import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { InputError } from '../../common/errors';
import type { Plan } from '../plan/plan';
import { progressSchema } from '../plan/run-files';
import type { Progress } from '../plan/run-files';
import { mininetFolder } from './experiment-files';
import { NICENESS } from './session-priority';

export const PYTHON = '/usr/bin/python3';

/** Exit code of the runner when a signal has ended it in good order. */
const INTERRUPTED = 130;
const KEPT_LINES = 20;
/** Prefix for a priority before all other processes; the kernel keeps 5 % for those. */
export const REALTIME: readonly string[] = ['chrt', '--rr', '1'];

/** End of the runner. */
export interface RunnerEnd {
  readonly interrupted: boolean;
  /** Reason of a failure; undefined when all events took place. */
  readonly failure: string | undefined;
}

/**
 * Runs a plan under Mininet and waits for its end. Signals go to the runner, which then takes the
 * network down; so nothing is left behind when this returns.
 */
export async function runPlan(
  plan: Plan,
  realtime: boolean,
  onProgress: (progress: Progress) => void,
): Promise<RunnerEnd> {
  const file = path.join(plan.output, 'plan.json');
  fs.writeFileSync(file, `${JSON.stringify(plan, null, 1)}\n`);
  const runner = path.join(mininetFolder(), 'hpccnet_run.py');
  // A group of its own: the terminal's interrupt must reach the runner once, and through us.
  const [command, ...words] = realtime ? [...REALTIME, PYTHON] : [PYTHON];
  const child = spawn(command ?? PYTHON, [...words, runner, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  if (!realtime && child.pid !== undefined) os.setPriority(child.pid, NICENESS);
  const release = passSignals(child);
  const errors: string[] = [];
  const last = { stderr: [] as string[] };
  linesOf(child.stdout, (line) => {
    const progress = progressOf(line);
    if (progress?.event === 'error') errors.push(progress.message ?? line);
    if (progress !== undefined) onProgress(progress);
  });
  linesOf(child.stderr, (line) => {
    last.stderr = [...last.stderr, line].slice(-KEPT_LINES);
  });
  try {
    const code = await endOf(child);
    if (code === INTERRUPTED) return { interrupted: true, failure: undefined };
    if (code === 0) return { interrupted: false, failure: undefined };
    const said = errors.length > 0 ? errors : last.stderr;
    const failure = said.join('\n') || `the runner ended with code ${code ?? 'of a signal'}`;
    return { interrupted: false, failure };
  } finally {
    release();
  }
}

function linesOf(stream: NodeJS.ReadableStream, handle: (line: string) => void): void {
  readline.createInterface({ input: stream, crlfDelay: Infinity }).on('line', handle);
}

function progressOf(line: string): Progress | undefined {
  try {
    return progressSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function passSignals(child: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  return () => signals.forEach((signal) => process.removeListener(signal, pass));
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new InputError(`cannot start ${PYTHON}: ${error.message}`)),
    );
    child.on('close', resolve);
  });
}
