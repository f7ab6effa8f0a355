import * as fs from 'node:fs';
import * as path from 'node:path';
import fc from 'fast-check';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import type { PortPacket } from '../../switch/stf/run/requests';
import { ProfileOnSwitch } from '../p4/support/profile-on-switch';
import { SET_UPS } from '../p4/support/profile-set-ups';
import { frameOf, packetPlan } from '../p4/support/telemetry-packet';
import { toHex } from '../support/hex';
import { describeIf } from '../support/requires';
import { casesOf, SEED } from '../support/effort';

const PACKETS = casesOf(150);

/** More packets at once than this are too many for the buffers of bmv2. */
const BURST = 50;

/** Set-ups without times and paces that bmv2 measures itself; lengths of queues depend on them as a whole. */
const DETERMINISTIC = SET_UPS.filter(([, profile]) => profile !== 'hpcc-queues').map(
  ([name, profile, statements]) => [name, profile, withoutUnits(statements)] as const,
);

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'random packets with telemetry on bmv2', lack, () => {
  test.concurrent.each(DETERMINISTIC)(
    'leave %s as they leave the embedded switch',
    async (name, profile, statements) => {
      const file = path.join(p4ArtifactFolder(), `${profile}.json`);
      const program = { path: file, json: fs.readFileSync(file, 'utf8') };
      const device = new ProfileOnSwitch(profile, statements);
      const lines = randomFrames().flatMap((packet, i) => [
        ...(i % BURST === 0 ? ['wait 50 ms'] : []),
        `packet ${packet.port} ${toHex(packet.bytes)}`,
        ...device.through([packet]).map(expectation),
      ]);
      const stf = parseStf([statements, ...lines, 'wait 1 s'].join('\n'), name);
      const verdict = await runStfOnBmv2(program, stf);
      expect(verdict.kind === 'fail' ? verdict.difference : verdict.kind).toBe('pass');
    },
  );
});

const expectation = ({ port, bytes }: PortPacket): string => `expect ${port} ${toHex(bytes)} $`;

/** Clock and queue in units of zero, so that only what does not depend on time is sent. */
function withoutUnits(statements: string): string {
  return statements
    .replaceAll('queue_unit_bytes:97', 'queue_unit_bytes:0')
    .replaceAll('clock_unit_ns:1000', 'clock_unit_ns:0');
}

/** Two of three packets are right; of the others a byte is changed, or the end is missing. */
function randomFrames(): readonly PortPacket[] {
  const frame = fc
    .tuple(packetPlan, fc.nat(), fc.nat(255), fc.nat(5))
    .map(([plan, at, value, how]) => {
      const bytes = frameOf(plan);
      if (how === 0) bytes[14 + (at % Math.min(80, bytes.length - 14))] = value;
      return how === 1 ? bytes.slice(0, 14 + (at % (bytes.length - 14))) : bytes;
    });
  return fc.sample(frame, { seed: SEED, numRuns: PACKETS }).map((bytes) => ({ port: 1, bytes }));
}
