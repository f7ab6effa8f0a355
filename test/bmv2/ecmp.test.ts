import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { bmv2RunsStf, runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { dataFrame, neighbouringFlows, probeFrame } from '../p4/support/flow-frames';
import { ProfileOnSwitch } from '../p4/support/profile-on-switch';
import { toHex } from '../support/hex';
import { describeIf } from '../support/requires';

const MEMBERS = [0, 1, 2, 3];

/** Groups of four ports, without records of them, so that nobody adds telemetry. */
const setUp = (seed: number): string =>
  [
    ...MEMBERS.flatMap((port) =>
      [
        ['ecmp', 'forward'],
        ['ipv6_ecmp', 'forward_ipv6'],
      ].map(
        ([selector, action]) =>
          `member_create ingress.route.${selector} ` +
          `${action}(port:${port + 1}, dst_mac:2, src_mac:1)`,
      ),
    ),
    ...['ecmp', 'ipv6_ecmp'].map(
      (selector) => `group_create ingress.route.${selector} ${MEMBERS.join(' ')}`,
    ),
    'add ipv4_route hdr.ipv4.dst_addr:0x0a000000/8 group(handle:0)',
    'add ipv6_route hdr.ipv6.dst_addr:0x20010db8000000000000000000000000/32 group(handle:0)',
    `setdefault ingress.route.ecmp_seed set_seed(seed:${seed})`,
  ].join('\n');

const lack = 'simple_switch_grpc and simple_switch_CLI are not both on PATH';
describeIf(bmv2RunsStf(), 'ECMP on bmv2', lack, () => {
  test.concurrent.each([
    ['hpcc', 0],
    ['hpcc', 0xbeef],
    ['ifa', 7],
    ['ioam', 7],
  ])(
    'of %s with the seed %i chooses the ports that the embedded switch chooses',
    async (profile, seed) => {
      const file = path.join(p4ArtifactFolder(), `${profile}.json`);
      const program = { path: file, json: fs.readFileSync(file, 'utf8') };
      const device = new ProfileOnSwitch(profile, setUp(seed));
      const flows = [...neighbouringFlows(4, 24), ...neighbouringFlows(6, 24)];
      const left = flows
        .flatMap((flow) => [dataFrame(flow), probeFrame(flow)])
        .map((bytes) => ({ bytes, out: device.through([{ port: 1, bytes }]) }));
      const lines = left.flatMap(({ bytes, out }, i) => [
        ...(i % 48 === 0 ? ['wait 50 ms'] : []),
        `packet 1 ${toHex(bytes)}`,
        ...out.map((packet) => `expect ${packet.port} ${toHex(packet.bytes)} $`),
      ]);
      const stf = parseStf([setUp(seed), ...lines, 'wait 1 s'].join('\n'), `ECMP of ${profile}`);
      const verdict = await runStfOnBmv2(program, stf);
      expect(verdict.kind === 'fail' ? verdict.difference : verdict.kind).toBe('pass');
      expect(new Set(left.flatMap(({ out }) => out.map(({ port }) => port))).size).toBe(4);
    },
  );
});
