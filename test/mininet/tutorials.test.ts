import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { p4cVersion } from '../../common/io/p4-compiler';
import { isOnPath, reportSkipped } from '../support/requires';
import { ROOT } from '../support/paths';
import { pathWithoutBmv2 } from '../support/path-without-bmv2';
import { TUTORIALS, missingLines, tutorialBlocks } from '../support/tutorial-page';
import type { TutorialBlock } from '../support/tutorial-page';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
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

/**
 * Root gets namespaces of its own, of which nothing is left whatever happens: no interface, no process, and no
 * port that another suite may have taken.
 */
const ISOLATED = [
  'unshare',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  'mkdir -p /run/netns && mount -t tmpfs none /run/netns && exec sh "$0"',
];

/** A folder that is like a checkout, whose `hpcc` is the build that the tests run on, without bmv2 on PATH. */
class Walk {
  readonly checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tutorial-'));
  readonly #others = pathWithoutBmv2();

  constructor() {
    for (const name of fs.readdirSync(ROOT)) {
      if (['hpcc', 'out', '.git'].includes(name)) continue;
      fs.symlinkSync(path.join(ROOT, name), path.join(this.checkout, name));
    }
    fs.mkdirSync(path.join(this.checkout, 'bin'));
    this.#script('hpcc', `exec ${process.execPath} ${MAIN} "$@"`);
    // Who is root already may have no sudo.
    this.#script('bin/sudo', 'exec "$@"');
  }

  /** Runs the blocks one after the other in one shell, as a reader does, until one fails. */
  run(blocks: readonly TutorialBlock[]): void {
    const parts = blocks.map(
      ({ commands }, i) =>
        `exec >"$HPCC_WALK/${i}.out" 2>&1\n${commands}\n: >"$HPCC_WALK/${i}.done"`,
    );
    const needsNetwork = blocks.some(({ needs }) => needs.includes('root'));
    const loopback = needsNetwork ? ['ip link set lo up'] : [];
    fs.writeFileSync(this.#at('walk.sh'), ['set -e', ...loopback, ...parts, ''].join('\n'));
    const [command = '', ...words] = needsNetwork ? ISOLATED : ['sh'];
    const env = {
      ...process.env,
      PATH: [path.join(this.checkout, 'bin'), this.#others.value].join(path.delimiter),
      HPCC_COMMAND: `${process.execPath} ${MAIN}`,
      HPCC_WALK: this.checkout,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    spawnSync(command, [...words, this.#at('walk.sh')], {
      cwd: this.checkout,
      env,
      stdio: 'ignore',
      timeout: LIMIT_MS,
    });
  }

  /** Output of a block. @throws Error with it, if the block failed or did not begin. */
  outputOf(index: number): string {
    const file = this.#at(`${index}.out`);
    if (!fs.existsSync(file)) throw new Error('not run, since a block before it failed');
    const output = fs.readFileSync(file, 'utf8');
    if (!fs.existsSync(this.#at(`${index}.done`))) throw new Error(`failed:\n${output}`);
    return output;
  }

  /** Names in the checkout that neither it nor the walk itself has brought. */
  leftBehind(): string[] {
    const own = /^(bin|hpcc|out|walk\.sh|\d+\.(out|done))$/;
    const there = new Set(fs.readdirSync(ROOT));
    return fs.readdirSync(this.checkout).filter((name) => !own.test(name) && !there.has(name));
  }

  remove(): void {
    this.#others.remove();
    fs.rmSync(this.checkout, { recursive: true });
  }

  #at(name: string): string {
    return path.join(this.checkout, name);
  }

  #script(name: string, command: string): void {
    fs.writeFileSync(this.#at(name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  }
}

const read = (name: string): string => fs.readFileSync(path.join(ROOT, 'docs', name), 'utf8');

describe.each(TUTORIALS)('%s, as printed and without bmv2 on PATH', (name) => {
  const blocks = tutorialBlocks(read(name));
  const runnable = blocks.filter((block) => missingNeeds(block).length === 0);
  let walk: Walk;

  beforeAll(() => {
    walk = new Walk();
    walk.run(runnable);
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

  test('shows output in every step that has commands of its own to run', () => {
    const steps = new Set(blocks.map(({ step }) => step));
    const silent = [...steps].filter((step) =>
      blocks.every((block) => block.step !== step || block.shown.length === 0),
    );
    expect(silent).toEqual([]);
  });
});

describe('reading a tutorial', () => {
  test('takes commands with their needs, and the output that follows', () => {
    const page = '## 1. A\n\n```sh root ip\nls\n```\n\nprints\n\n```text\na  b\n...\n```\n';
    const shown = ['a  b', '...'];
    expect(tutorialBlocks(page)).toEqual([
      { step: '1. A', needs: ['root', 'ip'], commands: 'ls\n', shown },
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
