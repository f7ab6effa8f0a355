import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import type { StarHost } from './host-star';
import { inNamespace } from './test-bed';
import type { Leg } from './test-bed';

/** Figures that iperf3 measured of one TCP connection. */
export interface IperfFigures {
  /** Payload that arrived. */
  readonly bitsPerSecond: number;
  readonly retransmits: number;
  /** Mean of the round trip as the sender's kernel sees it, its own queue included. */
  readonly kernelRttUs: number;
}

export interface IperfRun {
  readonly seconds: number;
  /** Congestion control of the kernel's TCP, such as cubic. */
  readonly congestionControl: string;
}

/** True if the programs that TCP is measured with are on PATH. */
export const canMeasureTcp = (): boolean =>
  ['iperf3', 'ethtool', 'tc'].every((program) => isOnPath(program));

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => fs.existsSync(`${folder}/${program}`));

/** Algorithms that the kernel offers for its TCP connections. */
export const congestionControls = (): readonly string[] =>
  fs
    .readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8')
    .trim()
    .split(/\s+/);

/**
 * Makes the kernel finish its packets before they leave: a switch that reads frames from an interface
 * sees none of the work that is left to a network card.
 * @throws InputError with what ethtool says.
 */
export function withoutOffloads(leg: Leg): void {
  const features = ['tx', 'off', 'tso', 'off', 'gso', 'off', 'gro', 'off'];
  const [executable = '', ...args] = inNamespace(leg, ['ethtool', '-K', leg.inner, ...features]);
  const { status, stderr } = spawnSync(executable, args, { encoding: 'utf8' });
  if (status !== 0) throw new InputError(`ethtool -K ${leg.inner}: ${stderr.trim()}`);
}

/**
 * One TCP connection between two hosts, in namespaces of their own.
 * @throws InputError with what iperf3 says when it fails.
 */
export async function runIperf(
  from: StarHost,
  to: StarHost,
  { seconds, congestionControl }: IperfRun,
): Promise<IperfFigures> {
  const server = start(to.leg, ['iperf3', '--server', '--one-off', '--forceflush']);
  try {
    await server.until('listening');
    const argv = ['--client', to.address, '--time', String(seconds), '--json'];
    const client = start(from.leg, ['iperf3', ...argv, '--congestion', congestionControl]);
    return figures(await client.ended);
  } finally {
    server.child.kill('SIGKILL');
  }
}

/** Output of `iperf3 --json`, as far as it is used. */
interface IperfReport {
  readonly error?: string;
  readonly end?: {
    readonly sum_received?: { readonly bits_per_second: number };
    readonly streams?: readonly {
      readonly sender: { readonly retransmits: number; readonly mean_rtt: number };
    }[];
  };
}

function figures(text: string): IperfFigures {
  const { error, end } = JSON.parse(text) as IperfReport;
  const sender = end?.streams?.[0]?.sender;
  if (error !== undefined || sender === undefined) {
    throw new InputError(`iperf3: ${error ?? 'no connection in its report'}`);
  }
  return {
    bitsPerSecond: end?.sum_received?.bits_per_second ?? 0,
    retransmits: sender.retransmits,
    kernelRttUs: sender.mean_rtt,
  };
}

function start(leg: Leg, command: readonly string[]) {
  const [executable = '', ...args] = inNamespace(leg, command);
  const child: ChildProcess = spawn(executable, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(text)));
  const until = (word: string): Promise<void> =>
    new Promise((resolve, reject) => {
      child.stdout?.on('data', () => {
        if (text.includes(word)) resolve();
      });
      child.on('close', () => reject(new InputError(`${command.join(' ')} ended: ${text}`)));
    });
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  return { child, ended, until };
}
