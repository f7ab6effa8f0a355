import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { copyTree, linkTree } from './link-tree';
import { LIVE_PROGRAM, PROGRAM } from './own-command';
import { ROOT } from './paths';
import { pathWithoutBmv2 } from './path-without-bmv2';
import type { TutorialBlock } from './tutorial-page';

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

/** Follows a page in a folder that is like a checkout, without bmv2 on PATH. */
export class Walk {
  readonly checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-walk-'));
  readonly #others = pathWithoutBmv2();

  private constructor() {
    fs.mkdirSync(this.#at('bin'));
    // Who is root already may have no sudo.
    this.#script('bin/sudo', 'exec "$@"');
  }

  /** A checkout of links to this one, whose `hpcc` is the build that the tests run on. */
  static beside(): Walk {
    const walk = new Walk();
    for (const name of fs.readdirSync(ROOT)) {
      if (['hpcc', 'out', '.git'].includes(name)) continue;
      fs.symlinkSync(path.join(ROOT, name), walk.#at(name));
    }
    walk.#script('hpcc', `exec ${process.execPath} ${PROGRAM} "$@"`);
    return walk;
  }

  /**
   * A copy, whose sources the page may change and build; dependencies are those of this checkout. PERF: they are no
   * symbolic link, behind which the compiler would see other files than those of its last build, and check all again.
   */
  static inCopy(): Walk {
    const walk = new Walk();
    for (const name of fs.readdirSync(ROOT)) {
      if (['node_modules', 'out', '.git'].includes(name)) continue;
      copyTree(path.join(ROOT, name), walk.#at(name));
    }
    linkTree(path.join(ROOT, 'node_modules'), walk.#at('node_modules'));
    return walk;
  }

  /** Runs the blocks one after the other in one shell, as a reader does, until one fails. */
  run(blocks: readonly TutorialBlock[], timeout: number): void {
    const parts = blocks.map(
      ({ commands }, i) =>
        `exec >"$HPCC_WALK/${i}.out" 2>&1\n${commands}\n: >"$HPCC_WALK/${i}.done"`,
    );
    const needsNetwork = blocks.some(({ needs }) => needs.includes('root'));
    const loopback = needsNetwork ? ['ip link set lo up'] : [];
    fs.writeFileSync(this.#at('walk.sh'), ['set -e', ...loopback, ...parts, ''].join('\n'));
    const [command = '', ...words] = needsNetwork ? ISOLATED : ['sh'];
    const env = {
      ...environment(),
      PATH: [path.join(this.checkout, 'bin'), this.#others.value].join(path.delimiter),
      HPCC_COMMAND: LIVE_PROGRAM.join(' '),
      HPCC_WALK: this.checkout,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    spawnSync(command, [...words, this.#at('walk.sh')], {
      cwd: this.checkout,
      env,
      stdio: 'ignore',
      timeout,
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

/** The environment without what a test runner adds to it. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV, NODE_OPTIONS, JEST_WORKER_ID, ...env } = process.env;
  return env;
}
