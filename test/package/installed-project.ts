import { execFile, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/paths';

const MODULES = path.join(ROOT, 'node_modules');

/** What a project has besides the package, to compile and to test. */
const TOOLS = ['typescript', 'jest', '@types/jest', '@types/node', 'undici-types'];

/** A run that was waited for. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * An empty project that has installed what `npm pack` makes of the tree, and then has the sources of
 * `examples/`. No registry is asked: dependencies come from the tree's own installation.
 */
export class InstalledProject {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-package-'));

  /** Makes it; may be called once. */
  install(): void {
    this.write('package.json', '{ "private": true }');
    for (const name of runtimeDependencies()) this.#copyModule(name);
    const quiet = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
    const cache = ['--cache', path.join(this.folder, '.npm')];
    const archive = this.#pack();
    this.run('npm', ['install', ...quiet, ...cache, archive]);
    fs.cpSync(path.join(ROOT, 'examples'), this.folder, { recursive: true });
    for (const name of TOOLS.filter((tool) => !fs.existsSync(this.module(tool)))) {
      fs.mkdirSync(path.dirname(this.module(name)), { recursive: true });
      fs.symlinkSync(path.join(MODULES, name), this.module(name));
    }
  }

  /** Folder of an installed package. */
  module(name: string): string {
    return path.join(this.folder, 'node_modules', name);
  }

  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Runs a program in the project's folder. @throws Error with its output unless it exits with 0. */
  run(command: string, args: readonly string[]): Finished {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined },
    });
    if (status === 0) return { status, stdout, stderr };
    throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  }

  /** The same, while this process goes on: it may serve what the program wants. */
  async runLive(command: string, args: readonly string[]): Promise<{ readonly stdout: string }> {
    return promisify(execFile)(command, args, { cwd: this.folder, encoding: 'utf8' });
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  /** npm takes a package without the links to its commands for damaged, and would fetch it again. */
  #copyModule(name: string): void {
    fs.cpSync(path.join(MODULES, name), this.module(name), { recursive: true });
    const commands = this.module('.bin');
    fs.mkdirSync(commands, { recursive: true });
    for (const command of fs.readdirSync(path.join(MODULES, '.bin'))) {
      const target = fs.readlinkSync(path.join(MODULES, '.bin', command));
      if (target.startsWith(`../${name}/`)) fs.symlinkSync(target, path.join(commands, command));
    }
  }

  /** The tests run what is in `build/`, so that is what is packed. @returns the archive. */
  #pack(): string {
    const target = ['--pack-destination', this.folder];
    const { stdout } = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', ...target], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return path.join(this.folder, stdout.trim().split('\n').at(-1) ?? '');
  }
}

/** Packages that the product needs when it runs, with what they need themselves. */
function runtimeDependencies(): string[] {
  const lock = fs.readFileSync(path.join(MODULES, '.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as {
    packages: Record<string, { readonly dev?: true; readonly devOptional?: true }>;
  };
  return Object.entries(packages)
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .map(([place]) => place.slice('node_modules/'.length))
    .filter((name) => !name.includes('/node_modules/'));
}
