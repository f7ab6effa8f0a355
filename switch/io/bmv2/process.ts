import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { freePort } from '../../../common/io/net/free-port';

export const SIMPLE_SWITCH_GRPC = 'simple_switch_grpc';

/** Queues per port: one for each of the 8 priorities. */
const PRIORITY_QUEUES = 8;

/** True if bmv2 with P4Runtime is on PATH. */
export function bmv2Available(): boolean {
  return spawnSync(SIMPLE_SWITCH_GRPC, ['--version'], { stdio: 'ignore' }).error === undefined;
}

export interface Bmv2 {
  readonly deviceId: number;
  readonly p4runtime: string;
  readonly dataplane: string;
  /** Port of its Thrift server on the loopback address. */
  readonly thriftPort: number;
  stop(): Promise<void>;
}

/**
 * Starts bmv2; returns when its servers listen.
 * @param json path of its program; without one it waits for P4Runtime to bring one.
 * @param targetFlags more flags behind `--`, such as `--cpu-port`.
 * @param interfaces ports as in `1@veth0`. Without any, packets come and go by the server `dataplane`, which is not
 * started otherwise.
 */
export async function startBmv2(
  deviceId: number,
  json?: string,
  targetFlags: readonly string[] = [],
  interfaces: readonly string[] = [],
): Promise<Bmv2> {
  const [grpcPort, dataplanePort, thriftPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const p4runtime = `127.0.0.1:${grpcPort}`;
  const dataplane = `127.0.0.1:${dataplanePort}`;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bmv2-'));
  const log = fs.openSync(path.join(folder, 'log'), 'w');
  const child = spawn(
    SIMPLE_SWITCH_GRPC,
    [
      '--device-id',
      String(deviceId),
      '--thrift-port',
      String(thriftPort),
      ...interfaces.flatMap((port) => ['-i', port]),
      ...(json === undefined ? ['--no-p4'] : [path.resolve(json)]),
      '--',
      '--grpc-server-addr',
      p4runtime,
      ...(interfaces.length === 0 ? ['--dp-grpc-server-addr', dataplane] : []),
      '--priority-queues',
      String(PRIORITY_QUEUES),
      ...targetFlags,
    ],
    { cwd: folder, stdio: ['ignore', log, log] },
  );
  fs.closeSync(log);
  const stop = async (): Promise<void> => {
    await stopProcess(child);
    fs.rmSync(folder, { recursive: true });
  };
  try {
    await untilListening(child, grpcPort);
    if (interfaces.length === 0) await untilListening(child, dataplanePort);
    if (json !== undefined) await untilListening(child, thriftPort);
  } catch (error) {
    const text = fs.readFileSync(path.join(folder, 'log'), 'utf8');
    await stop();
    throw new Error(`${String(error)}\n${text}`);
  }
  return { deviceId, p4runtime, dataplane, thriftPort, stop };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    if (hasEnded(child)) {
      throw new Error(`bmv2 ended with ${child.exitCode ?? child.signalCode ?? 'no reason'}`);
    }
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`bmv2 does not listen on port ${port}`);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(timer);
}

/** True if it ended by itself, or by a signal such as that of a failed assertion. */
const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;
