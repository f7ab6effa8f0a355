import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { withForwarding } from './forwarding';
import { runLoad } from './run-load';

/** Text in bmv2's log for each packet, unless it was built without logging. */
const PACKET_LINE = 'Processing packet';
const FEW_PACKETS = { frameBytes: 1000, seconds: 0.2, rate: 1000 };
const LOG_WRITTEN_MS = 500;

/**
 * Kind of bmv2 that figures belong to: one with logging takes several times as long for a packet.
 */
export interface Bmv2Binary {
  readonly path: string;
  readonly version: string;
  /** True if packets appear in its log when one is requested. */
  readonly canLogPackets: boolean;
}

/** The binary of that name or path; undefined when there is none. */
export function findBmv2(name: string): { path: string; version: string } | undefined {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  const file = folders.map((folder) => path.resolve(folder, name)).find(isFile);
  if (file === undefined) return undefined;
  const { error, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return error === undefined ? { path: file, version: stdout.trim() } : undefined;
}

/**
 * Runs the binary with a log and sends it a few packets.
 * @throws InputError without root rights.
 */
export async function describeBmv2(binary: { path: string; version: string }): Promise<Bmv2Binary> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bmv2-'));
  try {
    const log = ['--log-file', path.join(folder, 'log'), '--log-flush', '--log-level', 'trace'];
    await withForwarding([binary.path, ...log], async ({ sender }) => {
      const { sent } = await runLoad(sender, FEW_PACKETS);
      if (sent === 0) throw new InputError(`no packet could be sent to ${binary.path}`);
      await new Promise((resolve) => setTimeout(resolve, LOG_WRITTEN_MS));
    });
    const texts = fs.readdirSync(folder).map((file) => path.join(folder, file));
    const canLogPackets = texts.some((file) => fs.readFileSync(file, 'utf8').includes(PACKET_LINE));
    return { ...binary, canLogPackets };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
