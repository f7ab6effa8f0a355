import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { dataPacket } from '../switch';
import { inNamespace } from './test-bed';
import type { LoadReport } from './packet-load';
import type { Leg } from './test-bed';

/** What to send into a leg. */
export interface Load {
  readonly frameBytes: number;
  readonly seconds: number;
  /** Frames per second; 0 is as many as the interface takes. */
  readonly rate: number;
}

/** Sends data frames with INT headers from inside the namespace, in a process of its own. */
export async function runLoad(leg: Leg, { frameBytes, seconds, rate }: Load): Promise<LoadReport> {
  const program = path.join(__dirname, 'packet-load.js');
  const hex = Buffer.from(dataFrame(frameBytes)).toString('hex');
  const [command = '', ...args] = inNamespace(leg, [
    process.execPath,
    program,
    leg.inner,
    String(seconds),
    String(rate),
    hex,
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  return JSON.parse(stdout) as LoadReport;
}

/** A data frame of that length with all its payload. */
function dataFrame(frameBytes: number): Uint8Array {
  const headers = dataPacket(frameBytes).length - frameBytes;
  const packet = dataPacket(frameBytes - headers);
  const bytes = new Uint8Array(packet.length);
  bytes.set(packet.bytes);
  return bytes;
}
