import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { describeIf, isOnPath } from '../support/requires';

/** Folders that `find` looks through. */
const FOLDERS = [
  'common',
  'switch',
  'host-agent',
  'controller',
  'mininet',
  'bench',
  'cli',
  'test',
  'scripts',
  'bin',
  'emulator/view/page',
];

/** Takes its time, as npm does, and leaves a compiler that says when it compiles. */
const NPM = `#!/bin/sh
echo npm >>log
sleep 0.5
mkdir -p node_modules/typescript/bin
cat >node_modules/typescript/bin/tsc <<'END'
if (process.argv.includes('-p')) require('node:fs').appendFileSync('log', 'tsc\\n');
END
`;

describeIf(isOnPath('flock'), 'the first start of a checkout', 'flock is not on PATH', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-checkout-'));
    for (const each of FOLDERS) fs.mkdirSync(path.join(folder, each), { recursive: true });
    fs.copyFileSync(path.join(ROOT, 'scripts', 'build'), path.join(folder, 'scripts', 'build'));
    fs.writeFileSync(path.join(folder, 'bin', 'npm'), NPM, { mode: 0o755 });
    fs.writeFileSync(path.join(folder, 'package-lock.json'), '{}');
    fs.writeFileSync(path.join(folder, 'tsconfig.json'), '{}');
    fs.writeFileSync(path.join(folder, 'scripts', 'build-page.mjs'), '');
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const start = (): Promise<{ readonly code: number | null; readonly said: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` };
      const child = spawn(path.join(folder, 'scripts', 'build'), { env });
      let said = '';
      child.stderr.on('data', (text: Buffer) => (said += text.toString()));
      child.on('close', (code) => resolve({ code, said }));
    });

  test('several at the same time install and build once', async () => {
    const ends = await Promise.all([start(), start(), start()]);
    expect(ends.map(({ code, said }) => (code === 0 ? 0 : said))).toEqual([0, 0, 0]);
    const log = fs.readFileSync(path.join(folder, 'log'), 'utf8');
    expect(log).toBe('npm\ntsc\ntsc\n');
    const waited = ends.filter(({ said }) => said.includes('waiting for another hpcc'));
    expect(waited).toHaveLength(2);
    expect(await start()).toEqual({ code: 0, said: '' });
  });
});
