import { spawn } from 'node:child_process';
import { SIMPLE_SWITCH_CLI } from '../../../switch/io/bmv2/command-line';

/** Below the time limits of tests: a session that hangs would keep the test runner from ending. */
const TIME_LIMIT_MS = 50_000;

/** Runs a list of commands in bmv2's command line; returns its output on both channels. */
export function cliSession(thriftPort: number, commands: readonly string[]): Promise<string> {
  const child = spawn(SIMPLE_SWITCH_CLI, ['--thrift-port', String(thriftPort)], {
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()));
  child.stdin.end(commands.map((line) => `${line}\n`).join(''));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_, signal) => {
      if (signal === null) resolve(`${printed}${complaints}`);
      else reject(new Error(`${SIMPLE_SWITCH_CLI} hung after printing:\n${printed}${complaints}`));
    });
  });
}
