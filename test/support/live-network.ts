import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { inNamespace, makeLeg, removeLeg } from '../../bench/live/test-bed';
import type { Leg } from '../../bench/live/test-bed';
import { PacketSocket } from '../../common/io/net/packet-socket';
import { LIVE_PROGRAM } from './own-command';

/** Printed once frames can arrive. */
const READY = 'ready';

const LOOK_AROUND_MS = 2;
const DEADLINE_MS = 20_000;

/**
 * A process of its own, to run inside a network namespace: sends the frames that it is given, waits
 * for so many frames, and prints those in hexadecimal. Arguments: interface, number of frames to
 * wait for, frames to send in hexadecimal.
 */
async function main([name = '', wanted = '0', ...frames]: readonly string[]): Promise<void> {
  const socket = PacketSocket.open(name);
  process.stdout.write(`${READY}\n`);
  for (const frame of frames) socket.sending.add(Uint8Array.from(Buffer.from(frame, 'hex')));
  socket.sending.flush();
  const received: string[] = [];
  const deadline = performance.now() + DEADLINE_MS;
  while (received.length < Number(wanted) && performance.now() < deadline) {
    socket.ring.drain(64, (frame) => received.push(Buffer.from(frame).toString('hex')));
    await new Promise((resolve) => setTimeout(resolve, LOOK_AROUND_MS));
  }
  socket.close();
  process.stdout.write(received.map((frame) => `${frame}\n`).join(''));
}

if (require.main === module) void main(process.argv.slice(2));

/** True if network namespaces can be made here. */
export const canMakeNamespaces = (): boolean =>
  process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0;

/**
 * Least use of a bottleneck by flows that nothing strangles. What more they reach depends on how busy the
 * machine is: `hpcc mininet loops` and `hpcc bench` measure that, and scenarios in virtual time hold it.
 */
export const LEAST_LIVE_UTILIZATION = 0.5;

const ENDPOINT = __filename;

export { makeLeg, removeLeg };

/** Sends frames from the host in one namespace and returns what the host in the other receives. */
export async function exchange(
  frames: readonly Uint8Array[],
  { from, to, wanted = frames.length }: { from: Leg; to: Leg; wanted?: number },
): Promise<Uint8Array[]> {
  const receiver = endpoint(to, wanted, []);
  const output = collect(receiver);
  await output.until(READY);
  const sender = endpoint(from, 0, frames);
  const senderDone = ended(sender);
  await ended(receiver);
  await senderDone;
  const [, ...received] = output.text().trim().split('\n');
  return received.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
}

function endpoint(leg: Leg, wanted: number, frames: readonly Uint8Array[]): ChildProcess {
  const hex = frames.map((frame) => Buffer.from(frame).toString('hex'));
  const command = [process.execPath, ENDPOINT, leg.inner, String(wanted), ...hex];
  const [executable = '', ...args] = inNamespace(leg, command);
  return spawn(executable, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A running `hpcc switch`. */
export interface LiveProcess {
  /** Ports of its servers, as it logs them. */
  readonly grpcAddress: string;
  readonly thriftPort: number;
  readonly pid: number;
  /** The match in what it has written or will write. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGTERM or another signal; resolves with what the process left behind. */
  stop(
    signal?: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly lastLine: string }>;
}

/** Command that starts a process, unless as the command line program of the tests' own build. */
export interface LaunchOptions {
  /** The program and what precedes the flags of the switch. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** True for a Thrift server, as where clients need not authenticate. Default true. */
  readonly thrift?: boolean;
}

/** Starts `hpcc switch` with free ports and waits until it serves. */
export async function startLive(
  argv: readonly string[],
  { command = [...LIVE_PROGRAM, 'switch'], thrift = true, ...rest }: LaunchOptions = {},
): Promise<LiveProcess> {
  const [program = '', ...first] = command;
  const child = spawn(
    program,
    [
      ...first,
      '--log-console',
      ...(thrift ? ['--thrift-port', '0'] : []),
      ...argv,
      '--',
      '--grpc-server-addr',
      '127.0.0.1:0',
    ],
    { ...rest, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const output = collect(child);
  const [, thriftPort] = thrift ? await output.match(/Thrift listens on port (\d+)/) : [];
  const [, grpcPort] = await output.match(/P4Runtime listens on port (\d+)/);
  return {
    grpcAddress: `127.0.0.1:${grpcPort ?? ''}`,
    thriftPort: Number(thriftPort ?? 0),
    pid: child.pid ?? 0,
    logged: output.match,
    stop: async (signal = 'SIGTERM') => {
      const code = ended(child);
      child.kill(signal);
      return { code: await code, lastLine: output.text().trim().split('\n').at(-1) ?? '' };
    },
  };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.on('close', (code) => resolve(code));
  });
}

function collect(child: ChildProcess) {
  let text = '';
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString();
    for (const listener of listeners) listener();
  });
  const match = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text);
        if (found === null) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      child.on('close', () => reject(new Error(`ended without ${pattern}: ${text}`)));
      look();
    });
  return { text: () => text, match, until: (word: string) => match(new RegExp(word)) };
}
