import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { repositoryRoot } from '../../../common/io/repository';

/** Files that a fresh process has loaded for the help of these commands. */
function loadedFor(...commands: readonly string[]): readonly string[] {
  const main = path.join(repositoryRoot(), 'build', 'cli', 'command-line.js');
  const script = `
    const { commandLine } = require(${JSON.stringify(main)});
    for (const name of ${JSON.stringify(commands)}) commandLine(name);
    process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  const text = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return JSON.parse(text) as string[];
}

const EMULATOR = /\/emulator\/simulation\/simulation|\/node_modules\/(@grpc|acorn)\//;
const SCHEMA = /\/emulator\/scenario\/schema|\/node_modules\/zod\//;

test('help of what runs an emulator loads none', () => {
  const loaded = loadedFor('demo', 'network-backend', 'export', 'why');
  expect(loaded.filter((file) => EMULATOR.test(file))).toEqual([]);
});

test('help of what has a module of its own for running loads no schema either', () => {
  const loaded = loadedFor('run', 'compare', 'mininet', 'view', 'bench', 'group');
  expect(loaded.length).toBeGreaterThan(50);
  const heavy = loaded.filter((file) => EMULATOR.test(file) || SCHEMA.test(file));
  expect(heavy).toEqual([]);
});

test('the first module of all commands loads no functions of the system', () => {
  const kept = path.join(repositoryRoot(), 'build', 'common', 'io', 'loop', 'kept-files.js');
  const script = `require(${JSON.stringify(kept)}); console.log(Object.keys(require.cache).join());`;
  const text = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(text).not.toContain('koffi');
});
