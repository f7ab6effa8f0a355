import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../common/io/net/free-port';
import { interpreterWith } from '../support/peer-process';
import { describeIf } from '../support/requires';
import { MAIN, ended } from '../support/study';

const STUDY = `
name: kept
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
figures: [fctUs.median]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;
const interpreter = interpreterWith('moto.server');

describeIf(
  interpreter !== undefined,
  'an S3-compatible store (moto)',
  'no Python has the package moto[server] (HPCC_PEER_PYTHON)',
  () => {
    let folder: string;
    let file: string;
    let server: ChildProcess;
    let env: NodeJS.ProcessEnv;

    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-s3-'));
      file = path.join(folder, 'kept.yaml');
      fs.writeFileSync(file, STUDY);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      server = spawn(interpreter ?? '', ['-m', 'moto.server', '-p', String(port)], {
        stdio: 'ignore',
      });
      env = {
        ...process.env,
        AWS_ENDPOINT_URL_S3: url,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'study',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_MAX_ATTEMPTS: '1',
      };
      const bucket = (): Promise<boolean> =>
        fetch(`${url}/results`, { method: 'PUT' }).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await bucket())) await sleep(100);
    });
    afterAll(async () => {
      server.kill('SIGTERM');
      await ended(server);
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const study = (...args: string[]) =>
      spawnSync(process.execPath, [MAIN, 'study', ...args], { env, encoding: 'utf8' });
    const run = (out: string, keep: string) =>
      study('run', file, '--folder', path.join(folder, out), '--keep', keep);

    test('takes the whole results of cells and gives them back', () => {
      expect(run('o', 's3://results/first').stdout).toContain('1 done, 0 failed');
      const { stdout } = study('cell', '--study', file, '--index', '0');
      const from = ['--kept', 's3://results/first', '--out', path.join(folder, 'whole')];
      expect(study('cell', '--study', file, '--index', '0', ...from).status).toBe(0);
      const text = fs.readFileSync(path.join(folder, 'whole', 'result.json'), 'utf8');
      const { flows, durationUs } = JSON.parse(text) as { flows: unknown[]; durationUs: number };
      expect(flows).toHaveLength(1);
      expect((JSON.parse(stdout) as { durationUs: number }).durationUs).toBe(durationUs);
    });

    test('that has no such bucket fails the cell with its word for it', () => {
      const { stderr, status } = run('p', 's3://elsewhere');
      expect(status).toBe(1);
      expect(stderr).toMatch(/failed: results in s3:\/\/elsewhere: NoSuchBucket: [^\n]*\n$/);
    });
  },
);
