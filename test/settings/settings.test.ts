import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { countsIn, isGood, table } from './outcome';
import { ownPath, pathOfOnly, pathWithout, settings, withoutNpm } from './settings';

const SUMMARY = [
  'Test Suites: 1 failed, 1 skipped, 52 passed, 53 of 54 total',
  'Tests:       7 failed, 15 skipped, 2287 passed, 2309 total',
  'Snapshots:   0 total',
].join('\n');

describe('programs of a setting', () => {
  let folder = '';
  const program = (...names: string[]): void => {
    const file = path.join(folder, ...names);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `#!/bin/sh\necho ${names.join('/')}\n`, { mode: 0o755 });
  };
  const says = (name: string, searchPath: string): string | undefined => {
    const run = spawnSync(name, { env: { PATH: searchPath }, encoding: 'utf8' });
    return run.error === undefined ? run.stdout.trim() : undefined;
  };

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-settings-'));
    for (const name of ['p4c-bm2-ss', 'simple_switch_grpc', 'tool']) program('local', name);
    program('usr', 'tool');
    program('usr', 'other');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));
  const searchPath = (): string => `${folder}/local:${folder}/nosuch:${folder}/usr`;

  test('without the compiler and bmv2 all others are found as before', () => {
    const left = pathWithout(searchPath(), /^(p4c|simple_switch)/, path.join(folder, 'links'));
    const found = ['p4c-bm2-ss', 'simple_switch_grpc', 'tool', 'other'].map((n) => says(n, left));
    expect(found).toEqual([undefined, undefined, 'local/tool', 'usr/other']);
  });

  test('of a list are the first of that name, and there are no others', () => {
    const only = pathOfOnly(searchPath(), ['tool'], path.join(folder, 'links'));
    expect(['tool', 'other'].map((name) => says(name, only))).toEqual(['local/tool', undefined]);
    expect(() => pathOfOnly(searchPath(), ['nosuch'], path.join(folder, 'more'))).toThrow(
      'nosuch is not on PATH',
    );
  });

  test('of another bmv2 come before the others of that name', () => {
    program('other', 'simple_switch_grpc');
    const found = settings(searchPath(), path.join(folder, 'other'));
    const other = found.find(({ name }) => name === 'other-bmv2');
    const made = other?.searchPath(path.join(folder, 'links')) ?? '';
    expect(says('simple_switch_grpc', made)).toBe('other/simple_switch_grpc');
    expect(says('tool', made)).toBe('local/tool');
  });

  test('are those of the machine, not those that npm adds for its scripts', () => {
    const added = `${folder}/node_modules/.bin:/usr/lib/node_modules/npm/node-gyp-bin`;
    expect(ownPath(`${added}:${searchPath()}`)).toBe(searchPath());
    const environment = { LANG: 'C', npm_config_cache: '/root/.npm', npm_lifecycle_event: 'x' };
    expect(withoutNpm(environment)).toEqual({ LANG: 'C' });
  });

  test('are four without a second bmv2', () => {
    const names = settings(searchPath()).map(({ name }) => name);
    expect(names).toEqual(['everything', 'no-p4', 'no-root', 'only-node']);
  });
});

describe('the outcome of a setting', () => {
  const counts = { suites: 54, passed: 2287, failed: 7, skipped: 15, isLeftOpen: false };

  test('is counted from what jest writes', () => {
    expect(countsIn(SUMMARY)).toEqual(counts);
    expect(countsIn(`${SUMMARY}\nJest did not exit one second after`)?.isLeftOpen).toBe(true);
    expect(countsIn('hpcc: the build failed')).toBeUndefined();
  });

  test('is good when all passed and nothing was left open', () => {
    const one = { setting: 'everything', exitCode: 0, minutes: 1, counts };
    expect(isGood(one)).toBe(true);
    expect(isGood({ ...one, exitCode: 1 })).toBe(false);
    expect(isGood({ ...one, counts: { ...counts, isLeftOpen: true } })).toBe(false);
    expect(isGood({ setting: 'everything', exitCode: 0, minutes: 1 })).toBe(false);
  });

  test('is a line of the table', () => {
    const outcomes = [
      { setting: 'everything', exitCode: 1, minutes: 12.345, counts },
      { setting: 'no-root', exitCode: 2, minutes: 0.1 },
    ];
    expect(table(outcomes)).toBe(
      'setting     suites  passed  failed  skipped  minutes\n' +
        'everything      54    2287       7       15     12.3                    exit code 1\n' +
        'no-root          -       -       -        -      0.1  ended with 2 before the tests\n',
    );
  });
});
