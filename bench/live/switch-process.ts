import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { InputError } from '../../common/errors';

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 5_000;
const PROBE_MS = 50;

/** A switch in a process of its own, attached to interfaces and without a program. */
export interface SwitchProcess {
  /** Where its P4Runtime server listens. */
  readonly address: string;
  /** Where its Thrift server listens. */
  readonly thriftAddress: string;
  /** Processor time of all its threads so far. */
  cpuSeconds(): number;
  /** Memory that it occupies now. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** The embedded switch, as this command line starts it. */
export function embeddedSwitch(): readonly string[] {
  return [process.execPath, process.argv[1] ?? '', 'switch'];
}

/**
 * Starts a switch with device id 1 and the interfaces as ports 1, 2, …; resolves when it listens.
 * @throws InputError when it does not start.
 */
export async function startSwitchProcess(
  command: readonly string[],
  interfaces: readonly string[],
): Promise<SwitchProcess> {
  const [grpcPort, thriftPort] = [await freePort(), await freePort()];
  const address = `127.0.0.1:${grpcPort}`;
  const [executable = '', ...first] = command;
  const child = spawn(
    executable,
    [
      ...first,
      ...['--no-p4', '--device-id', '1', '--thrift-port', String(thriftPort)],
      ...interfaces.flatMap((name, i) => ['-i', `${i + 1}@${name}`]),
      ...['--', '--grpc-server-addr', address],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  try {
    await untilListening(child, grpcPort);
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
  return {
    address,
    thriftAddress: `127.0.0.1:${thriftPort}`,
    cpuSeconds: () => cpuSeconds(child.pid),
    residentBytes: () => residentBytes(child.pid),
    stop: () => stopProcess(child),
  };
}

/** From /proc/PID/stat, see proc(5): fields 14 and 15 count ticks in user and kernel mode. */
function cpuSeconds(pid: number | undefined): number {
  const TICKS_PER_SECOND = 100;
  const text = fs.readFileSync(`/proc/${pid ?? 'self'}/stat`, 'utf8');
  // The command's name may contain anything, but ends at the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** From /proc/PID/status, see proc(5): the line `VmRSS: 123456 kB`. */
function residentBytes(pid: number | undefined): number {
  const KILOBYTE = 1024;
  const text = fs.readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8');
  return KILOBYTE * Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) {
      throw new InputError(`${child.spawnfile} ended with code ${child.exitCode} while starting`);
    }
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
  throw new InputError(`${child.spawnfile} does not listen on port ${port}`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    child.on('exit', () => {
      clearTimeout(impatience);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
