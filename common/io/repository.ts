import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** The project's root: the nearest folder above this file that has the manifest. */
export function repositoryRoot(): string {
  let folder = __dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error(`no package.json above ${__dirname}`);
    folder = parent;
  }
  return folder;
}

/** Version in the manifest. */
export function projectVersion(): string {
  const text = fs.readFileSync(path.join(repositoryRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

let commit: string | undefined;

/** The commit that is checked out when the process first asks, or `unknown` outside a git checkout. */
export function currentCommit(): string {
  commit ??= askGit();
  return commit;
}

function askGit(): string {
  try {
    const args = ['rev-parse', 'HEAD'];
    return execFileSync('git', args, {
      cwd: repositoryRoot(),
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return 'unknown';
  }
}
