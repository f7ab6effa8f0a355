import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import { serveSite } from '../../common/io/site-server';
import { note, print } from '../../common/io/terminal';
import { wholeOption, within } from '../shared/option-values';

const GENERATOR = path.join('node_modules', 'vitepress', 'bin', 'vitepress.js');
const SITE = path.join('build', 'docs');
/** Folders whose files the site is made of: pages, docstrings, and the program that the playground runs. */
export const SITE_SOURCES = [
  'docs',
  'p4src/artifacts',
  'common',
  'controller',
  'emulator',
  'host-agent',
  'switch',
  'scripts',
] as const;
const MADE = /^docs\/(api|\.vitepress\/(cache|dist))\//;

export function registerDocs(command: Command): void {
  command
    .description(
      'Builds the site of docs/ with the reference of the library and the playground, unless it is there, and\n' +
        'serves it on the loopback interface. Ends with Ctrl-C. Needs a checkout.',
    )
    .option('--build', 'build it into build/docs, and serve nothing')
    .option('--port <n>', 'TCP port on 127.0.0.1', within(1, 65_535, wholeOption), 4173)
    .action(({ build, port }: { build?: true; port: number }) => docs(build === true, port));
}

async function docs(buildsOnly: boolean, port: number): Promise<void> {
  const root = repositoryRoot();
  if (!fs.existsSync(path.join(root, GENERATOR))) {
    throw new InputError(
      "the site is built in a checkout, where npm ci has installed its generator; the package's docs/ has the pages",
    );
  }
  if (buildsOnly || isStale(root)) buildSite(root);
  if (!buildsOnly) await serveUntilInterrupted(path.join(root, SITE), port);
}

/** True if the site is missing, or a file that it is made of is newer. */
export function isStale(root: string): boolean {
  const home = path.join(root, SITE, 'index.html');
  if (!fs.existsSync(home)) return true;
  const builtAt = fs.statSync(home).mtimeMs;
  return SITE_SOURCES.some((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(folder, name))
      .some((file) => !MADE.test(file) && isNewer(path.join(root, file), builtAt)),
  );
}

function isNewer(file: string, than: number): boolean {
  const state = fs.statSync(file);
  return state.isFile() && state.mtimeMs > than;
}

/** @throws InputError when the generator fails; it has said why. */
function buildSite(root: string): void {
  note('hpcc: building the site, which takes a minute');
  const script = path.join(root, 'scripts', 'build-docs.mjs');
  const { status } = spawnSync(process.execPath, [script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new InputError('the site could not be built; see the messages above');
}

/** Serves the site until this process is interrupted. @throws InputError when the port is taken. */
async function serveUntilInterrupted(site: string, port: number): Promise<void> {
  const server = await serveSite(site, port);
  print(`http://127.0.0.1:${server.port}/`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await server.close();
}
