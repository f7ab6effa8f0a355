import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from '../../../support/paths';

let folder: string;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-worker-'))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The project by links, but for one file of the artefacts. */
function projectWithout(missing: string): string {
  const root = path.join(folder, 'project');
  const artifacts = path.join(root, 'p4src', 'artifacts');
  fs.mkdirSync(artifacts, { recursive: true });
  for (const name of ['build', 'common', 'node_modules', 'package.json']) {
    fs.symlinkSync(path.join(ROOT, name), path.join(root, name));
  }
  const there = path.join(ROOT, 'p4src', 'artifacts');
  for (const name of fs.readdirSync(there).filter((one) => one !== missing)) {
    fs.symlinkSync(path.join(there, name), path.join(artifacts, name));
  }
  return root;
}

test('a worker without the P4 artefacts says so, before it asks a database for cells', () => {
  const root = projectWithout('hpcc-ccm.json');
  const main = path.join(root, 'build', 'cli', 'main.js');
  const asLinked = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const database = 'postgres://nobody@127.0.0.1:1/none';
  const worker = [main, 'study', 'worker', '--database', database];
  const { status, stderr } = spawnSync(process.execPath, [...asLinked, ...worker], {
    encoding: 'utf8',
  });
  const file = path.join(root, 'p4src', 'artifacts', 'hpcc-ccm.json');
  expect(stderr).toBe(`hpcc: no compiled program 'hpcc-ccm': ${file} cannot be read\n`);
  expect(status).toBe(1);
});
