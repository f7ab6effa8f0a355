import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { FOR_RUNS } from '../../bench/emulator';
import { ownProgram } from '../../common/io/loop/own-program';
import { ROOT } from '../support/paths';

/** Says its arguments where a program is to be run, and is Node where its version is asked for. */
const NODE = `#!/bin/sh
case "$1" in -p | --version) exec "${process.execPath}" "$@" ;; esac
printf '%s\\n' "$@"
`;

let folder: string;
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-launcher-')));
  fs.copyFileSync(path.join(ROOT, 'hpcc'), path.join(folder, 'hpcc'));
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.writeFileSync(path.join(folder, 'bin', 'node'), NODE, { mode: 0o755 });
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Arguments with which an installed package starts Node. */
const argumentsOf = (...args: readonly string[]): string[] => {
  const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` };
  const said = execFileSync(path.join(folder, 'hpcc'), args, { env, encoding: 'utf8' });
  return said.trimEnd().split('\n');
};

const main = (): string => path.join(folder, 'build', 'cli', 'main.js');

test.each(['switch', 'agent', 'send', 'group'])(
  'what handles packets is started as by the program itself: %s',
  (command) => {
    const [, ...options] = ownProgram().slice(0, -1);
    expect(argumentsOf(command, '-i', 'a b')).toEqual([...options, main(), command, '-i', 'a b']);
  },
);

test.each(['run', 'compare', 'demo'])('runs leave their garbage little room: %s', (command) => {
  expect(argumentsOf(command)).toEqual([...FOR_RUNS, main(), command]);
});

test('other commands are started as by Node alone', () => {
  expect(argumentsOf('view')).toEqual([main(), 'view']);
  expect(argumentsOf()).toEqual([main()]);
});
