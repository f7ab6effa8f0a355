import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { AgentReport } from '../../host-agent/io/live/run-agent';
import type { FlowInterval } from '../../host-agent/traffic/traffic-report';

/** A command of the host command line that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of the host command line that runs. */
export interface RunningHost {
  readonly child: ChildProcess;
  /** Resolves with the match once the log has it. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** What `hpcc send --json` prints. */
export type SendReport = AgentReport & { readonly intervals: readonly (readonly FlowInterval[])[] };

/** Starts `hpcc agent` or `hpcc send` by that command line. */
export function startHostProcess(command: readonly string[]): RunningHost {
  const [executable = '', ...args] = command;
  const child = spawn(executable, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  child.stdout.on('data', (piece: Buffer) => (text.stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => {
    text.stderr += piece.toString();
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...text }));
  });
  const logged = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text.stderr);
        if (found !== null) resolve(found);
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`ended without ${pattern}: ${text.stderr}`)));
      look();
    });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { child, logged, stop, ended };
}
