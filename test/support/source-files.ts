import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from './paths';

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Files that git tracks or would track below the root, by name pattern. */
export function sourceFiles(pattern: RegExp): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return listed
    .split('\0')
    .filter((name) => pattern.test(name) && fs.existsSync(path.join(ROOT, name)))
    .map((name) => ({ path: name, text: fs.readFileSync(path.join(ROOT, name), 'utf8') }));
}
