import { spawnSync } from 'node:child_process';
import { runCommand } from '../../cli/run-command';
import { keptCommand } from './own-command';
import { ROOT } from './paths';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Most bytes of a command's output: more than any test asks for. */
const OUTPUT_MAX = 2 ** 28;

/** Runs the compiled command line as the launcher does. */
export function hpcc(...args: string[]): Outcome {
  const options = { encoding: 'utf8', cwd: ROOT, maxBuffer: OUTPUT_MAX } as const;
  const run = spawnSync(process.execPath, keptCommand(...args), options);
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The same in this process. PERF: a process of its own takes a second of the processor to load; at least
 * one case of a command takes it.
 */
export async function hpccHere(...args: string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const channels = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((piece) => {
      written[name] += String(piece);
      return true;
    }),
  );
  const listening = SIGNALS.map((name) => process.listeners(name));
  try {
    process.exitCode = 0;
    await runCommand(args);
    return { status: process.exitCode, ...written };
  } finally {
    for (const channel of channels) channel.mockRestore();
    // A command leaves its handlers to the end of its process.
    SIGNALS.forEach((name, i) => {
      const own = process.listeners(name).filter((each) => !listening[i]?.includes(each));
      for (const each of own) process.off(name, each);
    });
    process.exitCode = 0;
  }
}

/** The same in a folder. */
export async function hpccHereIn(folder: string, ...args: string[]): Promise<Outcome> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await hpccHere(...args);
  } finally {
    process.chdir(before);
  }
}
