import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from './paths';

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Paths from the root of the files that git tracks or would track. */
export function repositoryPaths(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return listed.split('\0').filter((name) => name !== '' && fs.existsSync(path.join(ROOT, name)));
}

/** Files of {@link repositoryPaths}, by name pattern. */
export function sourceFiles(pattern: RegExp): SourceFile[] {
  return repositoryPaths()
    .filter((name) => pattern.test(name))
    .map((name) => ({ path: name, text: fs.readFileSync(path.join(ROOT, name), 'utf8') }));
}
