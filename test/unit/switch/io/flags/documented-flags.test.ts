import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ALL_FLAGS } from '../../../../../switch/io/flags/flag-table';
import { noDrops } from '../../../../../switch/v1model/switch-counters';
import { bmv2Available, SIMPLE_SWITCH_GRPC } from '../../../../support/bmv2-process';
import { ROOT } from '../../../../support/paths';
import { describeIf } from '../../../../support/requires';
import type { FlagEffect } from '../../../../../switch/io/flags/flag-table';

const TEXT = fs.readFileSync(path.join(ROOT, 'docs', 'switch.md'), 'utf8');
const WORD: Record<FlagEffect, string> = {
  acts: 'works',
  ignored: 'accepted',
  refused: 'refused',
};

/** The documented flags, each with its letter if it has one and the first word about it. */
function documented(): string[] {
  const rows = TEXT.matchAll(/^\| `--([\w-]+)`(?:, `-(\w)`)? \| (\w+)/gm);
  return [...rows].map(([, name, letter = '', word]) => `${name} ${letter} ${word}`);
}

describe('the table of flags', () => {
  test('says of each flag what the switch does about it', () => {
    const found = ALL_FLAGS.map(({ name, letter = '', effect }) => {
      return `${name} ${letter} ${WORD[effect]}`;
    });
    expect(documented().sort()).toEqual(found.sort());
  });

  test('gives a reason wherever a flag does not do its work', () => {
    const rows = TEXT.matchAll(/^\| `--[^|]*\| (?:accepted|refused)(.*) \|$/gm);
    for (const [row, rest = ''] of rows) {
      expect([row, rest.startsWith(': ') && rest.length > 8]).toEqual([row, true]);
    }
  });
});

describe('the table of causes of losses', () => {
  test('has all that the pipeline counts', () => {
    for (const cause of Object.keys(noDrops())) expect(TEXT).toContain(`\`${cause}\``);
  });
});

describeIf(bmv2Available(), 'the help text of bmv2', 'needs simple_switch_grpc on PATH', () => {
  test('names no flag that is unknown here', () => {
    const { stdout } = spawnSync(SIMPLE_SWITCH_GRPC, ['--help'], { encoding: 'utf8' });
    const theirs = [...stdout.matchAll(/^ {2}(?:-\w \[ )?--([\w-]+)/gm)].map(([, name]) => name);
    expect(theirs.length).toBeGreaterThan(30);
    const ours = new Set(ALL_FLAGS.map(({ name }) => name));
    expect(theirs.filter((name) => !ours.has(name ?? ''))).toEqual([]);
  });
});
