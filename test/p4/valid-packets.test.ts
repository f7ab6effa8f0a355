import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import fc from 'fast-check';
import { toHex } from '../support/hex';
import { describeIf } from '../support/requires';
import { ProfileOnSwitch } from './support/profile-on-switch';
import { SET_UPS } from './support/profile-set-ups';
import { frameOf, packetPlan } from './support/telemetry-packet';
import { faultOfFrame } from './support/verify-frame';
import type { PacketPlan } from './support/telemetry-packet';

/** Raised by HPCC_PROFILE_PACKETS for long runs. */
const PACKETS = Number(process.env.HPCC_PROFILE_PACKETS ?? 300);

const IN = 1;

describe.each(SET_UPS)('random packets through %s', (_name, profile, statements) => {
  test('keep lengths and checksums valid', () => {
    const device = new ProfileOnSwitch(profile, statements);
    const property = fc.property(packetPlan, (plan) => {
      const out = device.through([{ port: IN, bytes: frameOf(plan) }]);
      expect(out.length).toBeGreaterThan(0);
      expect(out.map(({ bytes }) => faultOfFrame(bytes))).toEqual(out.map(() => undefined));
    });
    fc.assert(property, { numRuns: PACKETS });
  });

  test('stay damaged if they were: no checksum is made good', () => {
    const device = new ProfileOnSwitch(profile, statements);
    const property = fc.property(packetPlan, fc.integer({ min: 1, max: 255 }), (plan, flip) => {
      fc.pre(plan.payload.length > 0);
      const out = device.through([{ port: IN, bytes: damaged(plan, flip) }]);
      expect(out.find(isData)).toBeDefined();
      expect(faultOfFrame(out.find(isData)?.bytes ?? new Uint8Array(0))).toMatch(/checksum/);
    });
    fc.assert(property, { numRuns: Math.ceil(PACKETS / 3) });
  });
});

/** The frame with another last byte of payload. */
function damaged(plan: PacketPlan, flip: number): Uint8Array {
  const bytes = frameOf(plan);
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ flip;
  return bytes;
}

/** Neither a report nor an answer. */
const isData = ({ port }: { readonly port: number }): boolean => port === 2;

/** Checksum states of tshark: good, and not there. */
const GOOD = ['1', '3'];
const CHECKS = ['ip.check_checksum', 'udp.check_checksum', 'tcp.check_checksum'];
const FIELDS = ['ip.checksum.status', 'udp.checksum.status', 'tcp.checksum.status'];

describeIf(isOnPath('tshark'), 'tshark', 'tshark is not on PATH', () => {
  test.each(SET_UPS)(
    'finds the checksums good of all that leaves %s',
    (_name, profile, statements) => {
      const device = new ProfileOnSwitch(profile, statements);
      const plans = fc.sample(packetPlan, { seed: 1, numRuns: 100 });
      const out = plans.flatMap((plan) => device.through([{ port: IN, bytes: frameOf(plan) }]));
      const states = checksumStates(out.map(({ bytes }) => bytes));
      expect(states.length).toBe(out.length);
      const bad = states.filter((each) => !each.every((state) => GOOD.includes(state)));
      expect(bad).toEqual([]);
    },
    60_000,
  );
});

function isOnPath(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/** What tshark says of the checksums of each frame, outer and inner headers alike. */
function checksumStates(frames: readonly Uint8Array[]): readonly string[][] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tshark-'));
  try {
    const dump = path.join(folder, 'frames.txt');
    const capture = path.join(folder, 'frames.pcap');
    fs.writeFileSync(dump, frames.map((bytes) => `000000 ${spaced(bytes)}\n`).join('\n'));
    run('text2pcap', ['-q', dump, capture]);
    const options = CHECKS.flatMap((check) => ['-o', `${check}:TRUE`]);
    const fields = FIELDS.flatMap((field) => ['-e', field]);
    const output = run('tshark', ['-r', capture, ...options, '-T', 'fields', ...fields]);
    return output
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/[\t,]/).filter((state) => state !== ''));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const spaced = (bytes: Uint8Array): string => toHex(bytes).replace(/../g, '$& ');

function run(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${program} failed:\n${result.stderr}`);
  return result.stdout;
}
