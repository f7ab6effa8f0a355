import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { readCapture } from '../../common/wire/capture/capture';
import { WireFault } from '../../common/wire/fault';
import { inNamespace } from './test-bed';
import type { Leg } from './test-bed';

/** Bytes kept of a frame, of which only the time matters. */
const SNAP_BYTES = 14;
const READY = 'listening on';

/**
 * Watches with tcpdump what arrives at one end of a cable, until the returned function is called, which tells when
 * each packet came by the kernel's clock, in ms.
 * @param end inside the namespace, or the switch's.
 * @throws InputError without tcpdump.
 */
export async function watchPackets(
  leg: Leg,
  end: 'inner' | 'outer',
): Promise<() => Promise<readonly number[]>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-gaps-'));
  const file = path.join(folder, 'packets.pcap');
  const dump = ['tcpdump', '-i', leg[end], '-Q', 'in', '-s', String(SNAP_BYTES), '-w', file];
  const all = [...dump, '-B', '65536', '-Z', 'root', 'ip'];
  const [command = '', ...args] = end === 'inner' ? inNamespace(leg, all) : all;
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes(READY)) resolve();
    });
    child.once('exit', () => reject(new InputError(`needs tcpdump: ${said.trim()}`)));
  });
  return async () => {
    child.kill('SIGINT');
    await ended;
    try {
      return timesOf(file);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  };
}

function timesOf(file: string): readonly number[] {
  const times: number[] = [];
  for (const frame of readCapture(fs.readFileSync(file))) {
    if (frame instanceof WireFault || frame.time === undefined) continue;
    const { seconds, nanoseconds } = frame.time;
    times.push(seconds * 1e3 + nanoseconds / 1e6);
  }
  return times;
}
