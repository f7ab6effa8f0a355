import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keptCommand } from '../../../support/own-command';
import { describeIf } from '../../../support/requires';

const DEADLINE_MS = 120_000;

const STUDY = `
name: looping
base: single-flow
axes: [{path: parameters.maxStage, values: [0]}]
judge: loop.cjs
figures: [judged.never]
limits: {timeoutSeconds: 3600}
`;

/** A judge that tells its process, and loops. */
const JUDGE = `exports.judge = () => {
  require('node:fs').writeFileSync('looping', String(process.pid));
  for (;;);
};`;

const isThere = (pid: number): boolean => fs.existsSync(`/proc/${pid}`);

describeIf(process.platform === 'linux', 'attack 10: cells', 'needs Linux', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orphans-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test(
    'that loop end with a coordinator that is killed',
    async () => {
      fs.writeFileSync(path.join(folder, 'looping.yaml'), STUDY);
      fs.writeFileSync(path.join(folder, 'loop.cjs'), JUDGE);
      const argv = keptCommand('study', 'run', 'looping.yaml', '--jobs', '1', '--trust');
      const coordinator = spawn(process.execPath, argv, { cwd: folder, stdio: 'ignore' });
      const sign = path.join(folder, 'looping');
      const until = performance.now() + DEADLINE_MS / 2;
      while (!fs.existsSync(sign) && performance.now() < until) await sleep(20);
      coordinator.kill('SIGKILL');
      const cell = Number(fs.readFileSync(sign, 'utf8'));
      while (isThere(cell) && performance.now() < until + DEADLINE_MS / 4) await sleep(20);
      expect(isThere(cell)).toBe(false);
    },
    DEADLINE_MS,
  );
});
