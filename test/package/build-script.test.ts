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
    for (const script of ['build-page.mjs', 'choose-declarations.mjs', 'shorten-generated.mjs']) {
      fs.writeFileSync(path.join(folder, 'scripts', script), '');
    }
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
    expect(log).toBe('npm\ntsc\ntsc\ntsc\n');
    const waited = ends.filter(({ said }) => said.includes('waiting for another hpcc'));
    expect(waited).toHaveLength(2);
    expect(await start()).toEqual({ code: 0, said: '' });
  });

  test('a later one keeps what is compiled, unless a source is gone', async () => {
    const at = (...names: string[]): string => path.join(folder, ...names);
    const changed = async (change: () => void): Promise<boolean> => {
      fs.writeFileSync(at('build', 'output.js'), '');
      // Later than the stamp of the build before, whatever the clock of files ticks in.
      fs.utimesSync(at('build', '.stamp'), 1, 1);
      change();
      expect((await start()).code).toBe(0);
      return fs.existsSync(at('build', 'output.js'));
    };
    fs.writeFileSync(at('common', 'one.ts'), '');
    fs.writeFileSync(at('common', 'two.ts'), '');
    expect((await start()).code).toBe(0);
    expect(await changed(() => fs.writeFileSync(at('common', 'one.ts'), '// changed'))).toBe(true);
    expect(await changed(() => fs.writeFileSync(at('common', 'three.ts'), ''))).toBe(true);
    expect(await changed(() => fs.rmSync(at('common', 'two.ts')))).toBe(false);
  });
});
