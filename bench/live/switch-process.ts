import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { InputError } from '../../common/errors';
import { ownProgram } from '../../common/io/loop/own-program';
import { freePort } from '../../common/io/net/free-port';
import { processorSeconds } from './processor-time';

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 5_000;
const PROBE_MS = 5;

/** A switch in a process of its own, attached to interfaces and without a program. */
export interface SwitchProcess {
  /** Address of its P4Runtime server. */
  readonly address: string;
  /** Address of its Thrift server. */
  readonly thriftAddress: string;
  /** Time from the start of the process until all its switches listen. */
  readonly readyMs: number;
  /** Processor time of all its threads so far. */
  cpuSeconds(): number;
  /** Memory that it occupies now. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** The embedded switch, as this command line starts it. */
export function embeddedSwitch(): readonly string[] {
  return [...ownProgram(), 'switch'];
}

/**
 * Starts a switch with the interfaces as ports 1, 2, …; resolves when it listens.
 * @param options of the target, such as `--cpu-port`.
 * @throws InputError when it does not start.
 */
export async function startSwitchProcess(
  command: readonly string[],
  interfaces: readonly string[],
  deviceId = 1,
  options: readonly string[] = [],
): Promise<SwitchProcess> {
  const servers = await freeServers();
  const [executable = '', ...first] = command;
  const argv = [...first, ...switchFlags(interfaces, servers, deviceId), ...options];
  const child = spawn(executable, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  return running(child, [servers]).then(([only]) => only as SwitchProcess);
}

/**
 * Starts embedded switches with device ids 1, 2, … in one process.
 * @param interfaces of each switch, as its ports 1, 2, ….
 * @returns the switches, all of which stop with the first.
 * @throws InputError when one does not start.
 */
export async function startSwitchGroup(
  interfaces: readonly (readonly string[])[],
): Promise<SwitchProcess[]> {
  const [executable, ...argv] = [...ownProgram(), 'group', '--commands'];
  const child = spawn(executable, argv, { stdio: ['pipe', 'ignore', 'inherit'] });
  const servers: ServerPorts[] = [];
  for (const [i, names] of interfaces.entries()) {
    const own = await freeServers();
    const run = ['switch', ...switchFlags(names, own, i + 1)];
    child.stdin.write(`${JSON.stringify({ start: { name: `s${i + 1}`, run } })}\n`);
    servers.push(own);
  }
  return running(child, servers);
}

interface ServerPorts {
  readonly grpc: number;
  readonly thrift: number;
}

const freeServers = async (): Promise<ServerPorts> => ({
  grpc: await freePort(),
  thrift: await freePort(),
});

const switchFlags = (
  interfaces: readonly string[],
  { grpc, thrift }: ServerPorts,
  deviceId: number,
): string[] => [
  '--no-p4',
  '--device-id',
  String(deviceId),
  '--thrift-port',
  String(thrift),
  ...interfaces.flatMap((name, i) => ['-i', `${i + 1}@${name}`]),
  '--',
  '--grpc-server-addr',
  `127.0.0.1:${grpc}`,
];

/** The switches of a process, once all of them listen. */
async function running(
  child: ChildProcess,
  servers: readonly ServerPorts[],
): Promise<SwitchProcess[]> {
  const startedAt = performance.now();
  try {
    for (const { grpc } of servers) await untilListening(child, grpc);
  } catch (error) {
    await stopProcess(child);
    throw error;
  }
  const readyMs = performance.now() - startedAt;
  return servers.map(({ grpc, thrift }) => ({
    readyMs,
    address: `127.0.0.1:${grpc}`,
    thriftAddress: `127.0.0.1:${thrift}`,
    cpuSeconds: () => processorSeconds(child.pid),
    residentBytes: () => residentBytes(child.pid),
    stop: () => stopProcess(child),
  }));
}

/** Resident memory from /proc/PID/status, see proc(5): the line `VmRSS: 123456 kB`. */
function residentBytes(pid: number | undefined): number {
  const KILOBYTE = 1024;
  const text = fs.readFileSync(`/proc/${pid ?? 'self'}/status`, 'utf8');
  return KILOBYTE * Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
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
