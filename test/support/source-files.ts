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

/** Relative imports of a TypeScript file as paths from the root, and package imports by name. */
export function importsOf(file: SourceFile): string[] {
  const specifiers = [...file.text.matchAll(/(?:from|import|require\()\s*'([^']+)'/g)];
  return specifiers.map(([, specifier]) => {
    const name = specifier ?? '';
    if (!name.startsWith('.')) return name;
    return path.posix.normalize(path.posix.join(path.posix.dirname(file.path), name));
  });
}
