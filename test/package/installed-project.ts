import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { linkTree } from '../support/link-tree';
import { ROOT } from '../support/paths';

const MODULES = path.join(ROOT, 'node_modules');
const LOCK = path.join(MODULES, '.package-lock.json');

/** Keeps npm from registries, from scripts of packages, and from the user's cache. */
const offline = (cache: string): NodeJS.ProcessEnv => ({
  npm_config_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_cache: cache,
});

/** Output of a command that ended with 0. */
export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A copy of the checkout, which shares its files, and beside it the project in which a page installs a packed package. The project's
 * dependencies are put in place beforehand, so that npm asks no registry.
 */
export class InstalledProject {
  readonly #top = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-package-'));
  readonly checkout = path.join(this.#top, 'checkout');
  readonly folder: string;

  /** `name` is the folder that the page makes beside the checkout, `packages` what comes with the installation. */
  constructor(name: string, packages: readonly string[]) {
    this.folder = path.join(this.#top, name);
    fs.mkdirSync(this.checkout);
    for (const entry of fs.readdirSync(ROOT)) {
      if (['node_modules', 'out', '.git'].includes(entry)) continue;
      linkTree(path.join(ROOT, entry), path.join(this.checkout, entry));
    }
    // It is built, and a build here would write to files of both.
    const build = path.join(this.checkout, 'scripts', 'build');
    fs.rmSync(build);
    fs.writeFileSync(build, '#!/bin/sh\n', { mode: 0o755 });
    for (const needed of withDependencies(packages)) this.#copyModule(needed);
  }

  /** Folder of an installed package. */
  module(name: string): string {
    return path.join(this.folder, 'node_modules', name);
  }

  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Runs commands of a shell in the project. @throws Error with their output unless they exit with 0. */
  shell(commands: string, cwd = this.folder): Finished {
    const env = this.#environment;
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', commands], {
      cwd,
      encoding: 'utf8',
      env,
    });
    if (status === 0) return { stdout, stderr };
    throw new Error(`${commands}\nended with ${String(status)}:\n${stdout}${stderr}`);
  }

  /** The same in the checkout, and for root in a network of its own, whose ports no other suite has taken. */
  walk(commands: string): Finished {
    if (process.getuid?.() !== 0) return this.shell(commands, this.checkout);
    const file = path.join(this.#top, 'walk.sh');
    fs.writeFileSync(file, `ip link set lo up\n${commands}`);
    return this.shell(`unshare --net sh -e ${file}`, this.checkout);
  }

  /** Starts a command in the project, as in another terminal. @returns what ends it. */
  background(command: string): () => void {
    const env = this.#environment;
    const started = spawn('sh', ['-c', command], {
      cwd: this.folder,
      detached: true,
      env,
      stdio: 'ignore',
    });
    return () => {
      if (started.pid !== undefined) process.kill(-started.pid);
    };
  }

  /** Kilobytes on the disk of a package and of what it depends on, by name. */
  installedKb(): ReadonlyMap<string, number> {
    const lock = path.join(this.folder, 'node_modules', '.package-lock.json');
    return new Map(runtimePackages(lock).map((name) => [name, diskKb(this.module(name))]));
  }

  remove(): void {
    fs.rmSync(this.#top, { recursive: true, force: true });
  }

  get #environment(): NodeJS.ProcessEnv {
    const { NODE_ENV, NODE_OPTIONS, ...env } = process.env;
    return { ...env, ...offline(path.join(this.#top, '.npm')) };
  }

  /**
   * npm takes a package without the links to its commands for damaged, and would fetch it again. Two packages of
   * the tree have one command name, so the links are made from the manifest, not copied.
   */
  #copyModule(installed: string): void {
    const name = installed === NATIVE_COMPILER ? 'typescript' : installed;
    fs.mkdirSync(path.dirname(this.module(name)), { recursive: true });
    linkTree(path.join(MODULES, installed), this.module(name));
    const links = this.module('.bin');
    fs.mkdirSync(links, { recursive: true });
    for (const [command, file] of Object.entries(commandsOf(installed))) {
      const link = path.join(links, command);
      fs.rmSync(link, { force: true });
      fs.symlinkSync(path.join('..', name, file), link);
    }
  }
}

/** Files of a package's commands, by name of the command. */
function commandsOf(name: string): Readonly<Record<string, string>> {
  const manifest = fs.readFileSync(path.join(MODULES, name, 'package.json'), 'utf8');
  const { bin = {} } = JSON.parse(manifest) as { bin?: string | Record<string, string> };
  return typeof bin === 'string' ? { [path.basename(name)]: bin } : bin;
}

interface LockedPackage {
  readonly dev?: true;
  readonly devOptional?: true;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function lockedPackages(file: string): Readonly<Record<string, LockedPackage | undefined>> {
  const lock = fs.readFileSync(file, 'utf8');
  return (JSON.parse(lock) as { packages: Record<string, LockedPackage> }).packages;
}

const PLACE = 'node_modules/';

/** Names of packages at the top of `node_modules` that are there for the product, by npm's own record. */
function runtimePackages(lock: string): string[] {
  return Object.entries(lockedPackages(lock))
    .filter(([, locked]) => locked?.dev !== true && locked?.devOptional !== true)
    .map(([place]) => place.slice(PLACE.length))
    .filter((name) => !name.includes(PLACE));
}

/** Name here of TypeScript 7, a program of the platform, which npm leaves out where there is none. */
const NATIVE_COMPILER = 'typescript-native';

/** Packages that the product needs, and that the examples need for development: of TypeScript what npm would take. */
export function packagesOfExamples(): string[] {
  const manifest = fs.readFileSync(path.join(ROOT, 'examples', 'package.json'), 'utf8');
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  const platform = `typescript-${process.platform}-${process.arch}`;
  const hasNative = fs.existsSync(path.join(MODULES, '@typescript', platform));
  const tools = Object.keys(devDependencies).map((name) =>
    name === 'typescript' && hasNative ? NATIVE_COMPILER : name,
  );
  return [...runtimePackages(LOCK), ...tools];
}

/** The packages and what they need themselves. */
function withDependencies(packages: readonly string[]): ReadonlySet<string> {
  const locked = lockedPackages(LOCK);
  const needed = new Set<string>();
  const add = (name: string): void => {
    const places = Object.keys(locked).filter(
      (place) => place === PLACE + name || place.startsWith(`${PLACE}${name}/${PLACE}`),
    );
    if (places.length === 0 || needed.has(name)) return;
    needed.add(name);
    for (const place of places) {
      const { dependencies, optionalDependencies, peerDependencies } = locked[place] ?? {};
      const names = { ...dependencies, ...optionalDependencies, ...peerDependencies };
      for (const next of Object.keys(names)) add(next);
    }
  };
  for (const name of packages) add(name);
  return needed;
}

/** Kilobytes that a file or folder takes on the disk, as `du -k` counts them. */
function diskKb(file: string): number {
  const found = fs.lstatSync(file);
  const own = found.blocks / 2;
  if (!found.isDirectory()) return own;
  return fs.readdirSync(file).reduce((sum, name) => sum + diskKb(path.join(file, name)), own);
}
