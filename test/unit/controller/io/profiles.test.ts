import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../../../common/io/p4-profiles';
import { p4cVersion } from '../../../../common/io/p4-compiler';
import { FABRIC_FILES } from '../../../support/controller/fabric-program';
import { modelJsonPath, modelP4InfoPath, TOFINO_MODELS } from '../../../p4/support/tofino-models';
import { describeIf } from '../../../support/requires';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';

/** Generous: a loaded machine is slow. */
const PROFILES = fs
  .readdirSync(p4ArtifactFolder())
  .filter((name) => name.endsWith('.manifest.json'))
  .map((name) => name.replace('.manifest.json', ''));

const TELEMETRY = `telemetry:
  watch: [{switch: s1, to: 10.0.0.3/32}]
  collector: {host: h4, port: 1234}
  feedback: {queueBytes: 50000}
  classes: [{dscp: 46, queue: 7}]
  ioam: {namespaces: [{id: 7}]}
  ecn: {minBytes: 1000, maxBytes: 9000}
coordination:
  highBytes: 9000
  lowBytes: 1000
  key: {id: 1, bytes: 000102030405060708090a0b0c0d0e0f}
`;

/** Documents for models, which are no profiles. */
const MODELS = TOFINO_MODELS.map(({ name }): [string, string] => [
  name,
  JSON.stringify({ p4info: modelP4InfoPath(name), config: modelJsonPath(name) }),
]);

describe('every program of the project takes what is derived for it', () => {
  const programs = [...PROFILES.map((name): [string, string] => [name, name]), ...MODELS];
  test.each(programs)('%s', async (_name, program) => {
    const network = await ServedNetwork.start(2);
    try {
      const file = network.document(
        (text) =>
          `${TELEMETRY}program: ${program}\n` +
          text
            .replace(/^program: .*\n/, '')
            .replace('{name: h3}', '{name: h3, telemetry: false, ipv6: "fd00::3"}')
            .replace('nodeId: 1', 'nodeId: 1, ports: [{port: 2, untrusted: true}]'),
      );
      const applied = await runController('apply', file);
      expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('s2: done')]);
      const plan = await runController('plan', file);
      const [first, ...lacks] = plan.out.trimEnd().split('\n');
      expect([plan.code, first]).toEqual([0, '2 switches as wanted; nothing to do']);
      // The document asks for more than any one program has.
      expect(lacks.filter((line) => !/^s1(, s2)? without |^s2 without /.test(line))).toEqual([]);
      expect(lacks.length).toBeGreaterThan(0);
    } finally {
      await network.stop();
    }
  });
});

describeIf(p4cVersion() !== undefined, 'p4c on PATH', 'p4c-bm2-ss is not on PATH', () => {
  test('makes the P4Info of the small program that the tests use', () => {
    const network = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-fabric-'));
    const out = ['-o', path.join(network, 'fabric.json')];
    const info = path.join(network, 'fabric.p4info.txtpb');
    const source = FABRIC_FILES.config.replace(/json$/, 'p4');
    const { status } = spawnSync('p4c-bm2-ss', ['--p4runtime-files', info, ...out, source]);
    const text = fs.readFileSync(info, 'utf8');
    fs.rmSync(network, { recursive: true });
    expect([status, text]).toEqual([0, fs.readFileSync(FABRIC_FILES.p4info, 'utf8')]);
  });
});
