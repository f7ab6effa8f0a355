import fc from 'fast-check';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { ProfileOnSwitch } from './support/profile-on-switch';
import { SET_UPS } from './support/profile-set-ups';
import { frameOf, packetPlan } from './support/telemetry-packet';
import { faultOfFrame } from './support/verify-frame';
import type { PacketPlan } from './support/telemetry-packet';
import { casesOf } from '../support/effort';

const PACKETS = casesOf(150);

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

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
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
  );
});

/** Returns tshark's verdicts on the checksums of each frame, outer and inner headers alike. */
function checksumStates(frames: readonly Uint8Array[]): readonly string[][] {
  const options = CHECKS.flatMap((check) => ['-o', `${check}:TRUE`]);
  return rowsOfFrames(frames, FIELDS, options).map((row) =>
    row.flatMap((cell) => cell.split(',')).filter((state) => state !== ''),
  );
}
