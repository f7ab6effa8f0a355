import { spawn, spawnSync } from 'node:child_process';
import * as path from 'node:path';
import * as readline from 'node:readline';
import { ROOT } from './paths';

/** Requests of a peer to the test, and its results. */
export interface PeerRun {
  readonly args: readonly string[];
  readonly inject: (port: number, frame: Uint8Array) => void;
}

/**
 * The first Python interpreter that has the module: of those that HPCC_PEER_PYTHON names, parted by
 * colons, or else python3.
 */
export function interpreterWith(module: string): string | undefined {
  const names = (process.env['HPCC_PEER_PYTHON'] ?? 'python3').split(':');
  return names.find((name) => {
    const { status } = spawnSync(name, ['-c', `import ${module}`], { stdio: 'ignore' });
    return status === 0;
  });
}

/** Below the time limits of tests: a peer that hangs would keep the test runner from ending. */
const TIME_LIMIT_MS = 80_000;

/** Runs a script of test/peers to its end. @returns the JSON of its RESULT line. */
export async function runPeer(
  interpreter: string,
  script: string,
  { args, inject }: PeerRun,
): Promise<unknown> {
  const file = path.join(ROOT, 'test', 'peers', script);
  const child = spawn(interpreter, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  let result: string | undefined;
  readline.createInterface(child.stdout).on('line', (line) => {
    const [word, port, hex] = line.split(' ');
    if (word === 'INJECT') inject(Number(port), Uint8Array.from(Buffer.from(hex ?? '', 'hex')));
    if (word === 'RESULT') result = line.slice('RESULT '.length);
  });
  const end = await new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  if (result === undefined) {
    throw new Error(`${script} ended with ${end}:\n${Buffer.concat(errors).toString()}`);
  }
  return JSON.parse(result);
}
