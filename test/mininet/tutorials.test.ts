import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4cVersion } from '../../common/io/p4-compiler';
import { isOnPath, reportSkipped } from '../support/requires';
import { ROOT } from '../support/paths';
import { turnAtPrintedPort } from '../support/printed-port';
import { sampled } from '../support/sampled';
import { Walk } from '../support/walk';
import { TUTORIALS, missingLines, tutorialBlocks } from '../support/tutorial-page';
import type { TutorialBlock } from '../support/tutorial-page';

const PYTHON = '/usr/bin/python3';
const LIMIT_MS = 400_000;

const hasModule = (name: string): boolean =>
  spawnSync(PYTHON, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;

/** Programs of runs under Mininet, with captures and iperf3. */
const NETWORK_PROGRAMS = ['ip', 'tc', 'ethtool', 'mnexec', 'ping', 'tcpdump', 'iperf3'];

const isRoot = process.getuid?.() === 0;

/** Words behind `sh` of a fence. */
const IS_THERE: Readonly<Record<string, () => boolean>> = {
  root: () => isRoot,
  mininet: () => hasModule('mininet.net') && hasModule('yaml') && NETWORK_PROGRAMS.every(isOnPath),
  ip: () => isOnPath('ip'),
  curl: () => isOnPath('curl'),
  tshark: () => isOnPath('tshark'),
  p4c: () => p4cVersion() !== undefined,
};

const missingNeeds = ({ needs }: TutorialBlock): string[] =>
  needs.filter((need) => IS_THERE[need]?.() !== true);

const read = (name: string): string => fs.readFileSync(path.join(ROOT, 'docs', name), 'utf8');

/** Those that live processes need root for are of a kind of their own. */
const needsRoot = (name: string): string =>
  String(tutorialBlocks(read(name)).some(({ needs }) => needs.includes('root')));

describe.each(sampled('tutorials', TUTORIALS, 2, needsRoot))(
  '%s, as printed and without bmv2 on PATH',
  (name) => {
    const blocks = tutorialBlocks(read(name));
    const runnable = blocks.filter((block) => missingNeeds(block).length === 0);
    let walk: Walk;

    beforeAll(async () => {
      walk = Walk.beside();
      const endTurn = await turnAtPrintedPort();
      walk.run(runnable, LIMIT_MS);
      endTurn();
    }, LIMIT_MS);

    afterAll(() => walk.remove());

    for (const [i, block] of blocks.entries()) {
      const title = `${block.step}, block ${i + 1}`;
      const missing = missingNeeds(block);
      if (missing.length > 0) {
        reportSkipped(title, `needs ${missing.join(', ')}`);
        continue;
      }
      test(`${title} runs, and prints what the page shows`, () => {
        const output = walk.outputOf(runnable.indexOf(block));
        const lines = missingLines(block.shown, output);
        if (lines.length > 0) throw new Error(`not printed:\n${lines.join('\n')}\nbut:\n${output}`);
      });
    }

    test('leaves nothing but `out` behind', () => {
      expect(walk.leftBehind()).toEqual([]);
    });
  },
);

test.each(TUTORIALS)(
  '%s shows output in every step that has commands of its own to run',
  (name) => {
    const blocks = tutorialBlocks(read(name));
    const steps = new Set(blocks.map(({ step }) => step));
    const silent = [...steps].filter((step) =>
      blocks.every((block) => block.step !== step || block.shown.length === 0),
    );
    expect(silent).toEqual([]);
  },
);

describe('reading a tutorial', () => {
  test('takes commands with their needs, and the output that follows', () => {
    const page = '## 1. A\n\n```sh root ip\nls\n```\n\nprints\n\n```text\na  b\n...\n```\n';
    const shown = ['a  b', '...'];
    expect(tutorialBlocks(page)).toEqual([
      { step: '1. A', needs: ['root', 'ip'], commands: 'ls\n', shown },
    ]);
  });

  test('writes what the reader is told to save', () => {
    const page = '## 1. A\n\nSave this as `a.mjs`:\n\n```js\nx = $1;\n```\n\n```sh\nls\n```\n';
    expect(tutorialBlocks(page).map(({ commands }) => commands)).toEqual([
      "cat > a.mjs <<'END OF FILE'\nx = $1;\nEND OF FILE\n",
      'ls\n',
    ]);
  });

  test.each([
    ['the same', ['a b', 'c'], 'a  b\nx\nc\n', []],
    ['another order', ['c', 'a b'], 'a b\nc\n', ['a b']],
    ['any text', ['a ... c'], 'a b c', []],
    ['no pattern', ['a.c'], 'abc', ['a.c']],
    ['gone', ['a'], 'ab', ['a']],
  ])('compares lines: %s', (_what, shown, output, missing) => {
    expect(missingLines(shown, output)).toEqual(missing);
  });

  test('the four ways in have one each', () => {
    const names = ['tutorial-deploy.md', 'tutorial-int.md', 'tutorial-mininet.md', 'tutorial.md'];
    expect(TUTORIALS).toEqual(names);
  });
});
