import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { ROOT } from './paths';

/** Runs the compiled command line as the launcher does. */
export function hpcc(...args: string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const main = path.resolve(__dirname, '..', '..', 'cli', 'main.js');
  const run = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', cwd: ROOT });
  return { status: run.status, stdout: run.stdout, stderr: run.stderr };
}
