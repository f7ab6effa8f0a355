import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { EFFORT } from '../support/effort';
import { ROOT } from '../support/paths';
import { isOnPath, reportSkipped } from '../support/requires';
import { TUTORIALS, missingLines, tutorialBlocks } from '../support/tutorial-page';
import type { TutorialBlock } from '../support/tutorial-page';

const LIMIT_MS = 3_600_000;
const P4C = '/usr/local/bin/p4c-bm2-ss';
/** Libraries of p4c, which its own instructions install; docs/install.md leads to them. */
const P4C_LIBRARIES = 'libgc1 libboost-iostreams1.74.0 cpp';
const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt';
/** It installs a system, and all that the pages name, over the network. */
const LEAST_EFFORT = 10;

const missing = (): string => {
  if (EFFORT < LEAST_EFFORT)
    return `needs HPCC_EFFORT=${LEAST_EFFORT}: it installs a system over the network`;
  if (process.getuid?.() !== 0) return 'needs root';
  return isOnPath('debootstrap') ? '' : 'needs debootstrap on PATH';
};

/** A Debian that has just been installed, with Node.js from nodejs.org as docs/install.md says. */
class BareSystem {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-stranger-'));

  constructor() {
    this.#onHost(
      'debootstrap',
      '--variant=minbase',
      '--include=ca-certificates,git',
      'bookworm',
      this.root,
    );
    const npm = spawnSync('npm', ['root', '-g'], { encoding: 'utf8' }).stdout.trim();
    const local = path.join(this.root, 'usr', 'local');
    fs.copyFileSync(fs.realpathSync(process.execPath), path.join(local, 'bin', 'node'));
    fs.cpSync(path.join(npm, 'npm'), path.join(local, 'lib', 'node_modules', 'npm'), {
      recursive: true,
      dereference: true,
    });
    for (const name of ['npm', 'npx']) {
      fs.symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(local, 'bin', name));
    }
    this.#write('usr/local/bin/sudo', '#!/bin/sh\nexec "$@"\n');
    this.#write('etc/apt/apt.conf.d/99yes', 'APT::Get::Assume-Yes "true";\n');
    // Names and certificates as this machine has them, which may reach its registries by a proxy.
    for (const name of ['etc/resolv.conf', CERTIFICATES]) {
      fs.copyFileSync(path.join('/', name), path.join(this.root, name));
    }
    for (const name of fs.readdirSync(ROOT)) {
      if (['node_modules', 'out', '.git', 'build'].includes(name)) continue;
      fs.cpSync(path.join(ROOT, name), path.join(this.root, 'home', 'hpcc', name), {
        recursive: true,
      });
    }
  }

  /** Puts this machine's p4c there, as if it had been built there. @returns whether it runs there. */
  installP4c(): boolean {
    if (!fs.existsSync(P4C)) return false;
    for (const name of ['bin/p4c-bm2-ss', 'share/p4c']) {
      fs.cpSync(path.join('/usr/local', name), path.join(this.root, 'usr', 'local', name), {
        recursive: true,
      });
    }
    const script = `set -e\napt-get install ${P4C_LIBRARIES}\np4c-bm2-ss --version\n`;
    const [status] = this.run(script, { network: true });
    return status === 0;
  }

  /** Runs a script in the checkout of the system, in namespaces of its own; @returns its exit code and output. */
  run(
    script: string,
    { network }: { readonly network: boolean },
  ): readonly [number | null, string] {
    this.#write('home/script.sh', script);
    const inside = [
      // The root of a mount namespace, as `ip netns` and Mininet change how theirs is shared.
      'mount --bind "$0" "$0"',
      'cd "$0"',
      'mkdir -p former run/netns',
      'mount --rbind /dev dev',
      'mount -t proc proc proc',
      'mount -t sysfs sysfs sys',
      'mount -t tmpfs none run/netns',
      ...(network ? [] : ['ip link set lo up']),
      'pivot_root . former',
      'exec chroot . /bin/sh -c "umount -l /former && cd /home/hpcc && exec sh /home/script.sh 2>&1"',
    ];
    const namespaces = [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      ...(network ? [] : ['--net']),
    ];
    const words = [...namespaces, 'sh', '-e', '-c', inside.join('\n'), this.root];
    const env = {
      HOME: '/root',
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      NODE_EXTRA_CA_CERTS: `/${CERTIFICATES}`,
      ...ofRegistry(),
    };
    const done = spawnSync('unshare', words, { env, encoding: 'utf8', maxBuffer: 2 ** 28 });
    return [done.status, done.stdout + done.stderr];
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  #write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.root, name), text, { mode: 0o755 });
  }

  #onHost(command: string, ...words: readonly string[]): void {
    const { status, stderr } = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${stderr}`);
  }
}

/** Where this machine's npm finds packages. */
const ofRegistry = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^npm_config_registry$|proxy$/i.test(name)),
  );

const read = (...names: string[]): string => fs.readFileSync(path.join(ROOT, ...names), 'utf8');

/** Packages that the page tells its reader to install. */
const installsOf = (page: string): string[] =>
  [...page.matchAll(/^sudo apt-get install .*$/gm)].map(([line]) => line);

/** The blocks one after the other, each with a line before and behind it. */
const scriptOf = (blocks: readonly TutorialBlock[]): string =>
  [
    'set -e',
    ...blocks.map(({ commands }, i) => `echo "=== ${i}"\n${commands}`),
    'echo "=== end"',
    '',
  ].join('\n');

/** Pages beside the tutorials, with the parts of them that are for any reader. */
const HOW_TO: readonly (readonly [page: string, isFor: (block: TutorialBlock) => boolean])[] = [
  ['emulator.md', ({ commands }) => commands.includes('two-classes')],
  ['custom-algorithm.md', () => true],
  ['add-a-command.md', () => true],
  ['add-a-carrier.md', () => true],
  ['testing.md', ({ step }) => step === 'How do I run them?'],
];

const reason = missing();
if (reason !== '') reportSkipped('a stranger follows the pages on a bare system', reason);
else {
  describe('a stranger follows the pages on a bare system', () => {
    let system: BareSystem;
    let hasP4c: boolean;

    beforeAll(() => {
      system = new BareSystem();
      const [status, output] = system.run('apt-get update && ./hpcc --version\n', {
        network: true,
      });
      if (status !== 0) throw new Error(output);
      hasP4c = system.installP4c();
    }, LIMIT_MS);

    /** Types the blocks one after the other. @throws Error with what they print, if one fails. */
    function follow(blocks: readonly TutorialBlock[], network: boolean): string {
      const [status, output] = system.run(scriptOf(blocks), { network });
      if (status !== 0) throw new Error(`ended with ${String(status)}:\n${output.slice(-20_000)}`);
      const shown = blocks.flatMap((block) => block.shown);
      expect(missingLines(shown, output)).toEqual([]);
      return output;
    }

    afterAll(() => system.remove());

    test.each(TUTORIALS)(
      '%s',
      (name) => {
        const page = read('docs', name);
        const [installed, said] = system.run(['set -e', ...installsOf(page), ''].join('\n'), {
          network: true,
        });
        expect([installed, installed === 0 ? '' : said]).toEqual([0, '']);
        follow(
          tutorialBlocks(page).filter(({ needs }) => hasP4c || !needs.includes('p4c')),
          false,
        );
      },
      LIMIT_MS,
    );

    test.each(HOW_TO)(
      '%s',
      (name, isFor) => {
        const blocks = tutorialBlocks(read('docs', name)).filter(isFor);
        expect(blocks.length).toBeGreaterThan(0);
        follow(
          blocks.map((block) => ({
            ...block,
            // All tests take a quarter of an hour by themselves.
            commands: block.commands.replace(/^\.\/hpcc test +#.*$/m, ''),
          })),
          false,
        );
      },
      LIMIT_MS,
    );

    test(
      'p4runtime-client.md',
      () => {
        const page = tutorialBlocks(read('docs', 'p4runtime-client.md'));
        const output = follow(page, true);
        const [, megabytes = '99'] = /^(\d+)\tnode_modules$/m.exec(output) ?? [];
        expect(Number(megabytes)).toBeLessThan(25);
      },
      LIMIT_MS,
    );

    test(
      'examples/README.md',
      () => {
        const blocks = tutorialBlocks(read('examples', 'README.md')).filter(
          ({ commands }) => hasP4c || !commands.startsWith('p4c'),
        );
        // What runs in another terminal runs in the background here.
        const lines = blocks.map((block) => ({
          ...block,
          commands: block.commands.replace(
            /^(npx hpcc switch .*)$/m,
            '$1 > switch.log 2>&1 &\nsleep 10',
          ),
        }));
        expect(follow(lines, true)).toContain('10.0.2.0');
      },
      LIMIT_MS,
    );
  });
}
