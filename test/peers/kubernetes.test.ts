import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { emitted } from '../../emulator/study/emit';
import { parseStudy } from '../../emulator/study/study-document';
import { interpreterWith } from '../support/peer-process';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';

const interpreter = interpreterWith('kubernetes_validate');
/** Checks each document of a file against the API server's own schema; unknown keys are errors, too. */
const CHECK = `
import sys, yaml, kubernetes_validate as k
for document in yaml.safe_load_all(open(sys.argv[1])):
    k.validate(document, '1.30', strict=True)
`;

describeIf(
  interpreter !== undefined,
  'the schemas of Kubernetes',
  'no Python has the package kubernetes-validate (HPCC_PEER_PYTHON)',
  () => {
    let folder: string;
    beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-kubernetes-'))));
    afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

    function check(text: string) {
      const file = path.join(folder, 'job.yaml');
      fs.writeFileSync(file, text);
      return spawnSync(interpreter ?? '', ['-c', CHECK, file], { encoding: 'utf8' });
    }

    const job = (): string =>
      emitted('kubernetes', {
        study: parseStudy('{ name: s, base: incast16, seeds: 3, figures: [jain] }', 's.yaml').value,
        file: 's.yaml',
        folder: 'out/s',
        cells: 3,
        command: '/opt/hpcc/hpcc',
        parallel: 2,
        image: 'hpcc:1',
        claim: 'disk',
      });

    test('have nothing to say against an emitted Job and the Job of workers', () => {
      const workers = path.join(ROOT, 'deploy', 'study-workers.yaml');
      for (const text of [job(), fs.readFileSync(workers, 'utf8')]) {
        const { status, stderr } = check(text);
        expect({ status, stderr }).toMatchObject({ status: 0 });
      }
    });

    test('would say that a key is unknown', () => {
      expect(check(job().replace('completionMode', 'completionMood')).status).toBe(1);
    });
  },
);
