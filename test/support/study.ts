import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { keptCommand } from './own-command';

/** The compiled command line. */
export const MAIN = path.resolve(__dirname, '..', '..', 'cli', 'main.js');

/** Starts `hpcc study …` beside the test. */
export const startStudy = (...args: string[]): ChildProcess =>
  spawn(process.execPath, keptCommand('study', ...args), { stdio: 'ignore' });

/** When a process that was started has ended, by itself or not. */
export const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/** Ids of the processes that a process has started, from Linux's proc(5). */
export function childrenOf(pid: number): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}
