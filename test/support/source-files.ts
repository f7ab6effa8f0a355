import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from './paths';

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Paths from the root of the files that git tracks or would track; all files where there is no git. */
export function repositoryPaths(): string[] {
  const { error, status, stdout, stderr } = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return filesBelow('');
  if (status !== 0) throw new Error(`git lists no files: ${stderr}`);
  return stdout.split('\0').filter((name) => name !== '' && fs.existsSync(path.join(ROOT, name)));
}

/** Matches the paths that .gitignore names, and those of git itself. */
const IGNORED = /^(build|out$|\.git$)|(^|\/)(node_modules|__pycache__)$|\.(tsbuildinfo|log)$/;

function filesBelow(folder: string): string[] {
  return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (IGNORED.test(name)) return [];
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

/** Files of {@link repositoryPaths}, by name pattern. */
export function sourceFiles(pattern: RegExp): SourceFile[] {
  return repositoryPaths()
    .filter((name) => pattern.test(name))
    .map((name) => ({ path: name, text: fs.readFileSync(path.join(ROOT, name), 'utf8') }));
}
