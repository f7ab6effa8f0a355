import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { emitted } from '../../emulator/study/emit';
import { parseStudy } from '../../emulator/study/study-document';
import { hpcc } from '../support/command-line';
import { describeIf } from '../support/requires';
import { SlurmNode, hasSlurm } from '../support/slurm';
import { MAIN } from '../support/study';

const STUDY = `
name: batch
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
axes: [{ path: flows.0.bytes, values: [10000, 20000] }]
figures: [fctUs.median]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;

describeIf(
  hasSlurm(),
  'Slurm',
  'no slurmctld, slurmd, sbatch and munged (slurm-wlm of Debian), or not root',
  () => {
    let folder: string;
    let slurm: SlurmNode;
    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-slurm-'));
      slurm = await SlurmNode.start(path.join(folder, 'node'));
    });
    afterAll(async () => {
      await slurm.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    test('runs the cells of an emitted script, and the study has them all', () => {
      const file = path.join(folder, 'batch.yaml');
      fs.writeFileSync(file, STUDY);
      const out = ['--folder', path.join(folder, 'o')];
      const kept = path.join(folder, 'kept');
      const command = `${process.execPath} ${MAIN}`;
      const how = ['--kind', 'slurm', '--command', command, '--parallel', '2', '--keep', kept];
      const script = hpcc('study', 'emit', file, ...out, ...how).stdout;
      expect(slurm.sbatch(script, '--wait')).toMatchObject({ status: 0, stderr: '' });
      const { stdout } = hpcc('study', 'run', file, ...out, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ cells: 2, done: 2, asked: 0 });
      expect(fs.readdirSync(kept).filter((name) => name.endsWith('.json.gz'))).toHaveLength(2);
    });

    test('accepts the array of a study of many cells, and would refuse a task for each', () => {
      const { value: study } = parseStudy(STUDY, 's.yaml');
      const many = emitted('slurm', {
        ...{ study, file: 's.yaml', folder: 'out/s', cells: 2500, command: './hpcc' },
        ...{ image: '', claim: '', parallel: 2 },
      });
      expect(slurm.sbatch(many, '--test-only')).toMatchObject({ status: 0 });
      const each = many.replace('0-999%', '0-2499%');
      expect(slurm.sbatch(each, '--test-only')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('array') as unknown,
      });
    });
  },
);
