import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { microseconds, gigabitsPerSecond } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { HostAgent } from '../../host-agent/transport/host';
import { realTime } from './real-time';
import { inNamespace } from './test-bed';
import type { LoadReport } from './packet-load';
import type { Leg } from './test-bed';

const LINK_RATE = gigabitsPerSecond(100);

/** Frames to send into a leg. */
export interface Load {
  readonly frameBytes: number;
  readonly seconds: number;
  /** Frames per second; 0 is as many as the interface takes. */
  readonly rate: number;
  /** Ends the load before its time. */
  readonly until?: Promise<unknown>;
  /**
   * Scheduled before all else, so that frames leave when they are due however busy the machine is. For
   * rates that leave the sender idle most of the time.
   */
  readonly isSteady?: boolean;
}

/** Sends data frames with INT headers from inside the namespace, in a process of its own. */
export async function runLoad(
  leg: Leg,
  { frameBytes, seconds, rate, until, isSteady = false }: Load,
): Promise<LoadReport> {
  const program = path.join(__dirname, 'packet-load.js');
  const hex = Buffer.from(dataFrame(frameBytes)).toString('hex');
  const [command = '', ...args] = inNamespace(leg, [
    ...(isSteady ? realTime() : []),
    process.execPath,
    program,
    leg.inner,
    String(seconds),
    String(rate),
    hex,
  ]);
  const running = promisify(execFile)(command, args);
  void until?.then(() => running.child.kill('SIGTERM'));
  const { stdout } = await running;
  return JSON.parse(stdout) as LoadReport;
}

/** A data frame of that length with all its payload. */
export function dataFrame(frameBytes: number): Uint8Array {
  const headers = dataPacket(frameBytes).length - frameBytes;
  const packet = dataPacket(frameBytes - headers);
  const bytes = new Uint8Array(packet.length);
  bytes.set(packet.bytes);
  return bytes;
}

/** A data frame with so many bytes of payload from host 2 to host 1, as a host sends it. */
export function dataPacket(payloadBytes = 1000): Packet {
  const host = new HostAgent({
    address: 0x0a00_0002,
    mac: 0x0201_0000_0002,
    linkRate: LINK_RATE,
    baseRtt: microseconds(4.16),
    congestionControl: hpccppFactory(),
  });
  host.startFlow(0, {
    id: 1,
    destinationAddress: 0x0a00_0001,
    destinationMac: 0x0200_0001_0002,
    bytes: payloadBytes,
  });
  const packet = host.pollTransmit(0);
  if (packet === undefined) throw new Error('a new flow may send at once');
  // The host reuses its buffers once a packet is on the wire.
  return { bytes: packet.bytes.slice(), length: packet.length };
}
