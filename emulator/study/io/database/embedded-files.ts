import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

/**
 * Makes the files of an embedded database where there are none: whole or not at all, whenever the process
 * is killed. The caller has the folder around them for itself.
 * PERF: an empty database takes PostgreSQL in WebAssembly 4 to 10 s, and its copy 0.2 s, so the first one
 * is kept in the user's cache.
 * @param create makes a database in a new folder
 */
export async function makeEmbeddedFiles(
  folder: string,
  create: (folder: string) => Promise<PGlite>,
): Promise<void> {
  if (fs.existsSync(folder)) return;
  const partial = `${folder}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  const template = templateFolder();
  try {
    if (fs.existsSync(template)) fs.cpSync(template, partial, { recursive: true });
    else {
      await (await create(partial)).close();
      keepTemplate(partial, template);
    }
    fs.renameSync(partial, folder);
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Folder of the empty database for this version of the library. */
function templateFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
  const manifest = path.resolve(
    require.resolve('@electric-sql/pglite'),
    '..',
    '..',
    'package.json',
  );
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(cache, 'hpcc', `empty-database-${version}`);
}

/** A cache that cannot be written, or that others fill meanwhile, costs time and nothing else. */
function keepTemplate(made: string, template: string): void {
  const partial = `${template}.${process.pid}.partial`;
  try {
    fs.cpSync(made, partial, { recursive: true });
    fs.renameSync(partial, template);
  } catch {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}
