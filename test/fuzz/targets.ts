import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import type { FuzzTarget } from './target';

const load = createRequire(__filename);
const FOLDER = path.join(__dirname, 'targets');

/** A target, and the compiled module that it is exported from. */
export interface NamedTarget {
  readonly target: FuzzTarget;
  readonly file: string;
}

/** All that is fuzzed, by the names of `npm run fuzz`: the modules of a folder. */
export function targetNames(): string[] {
  const files = fs.readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
  return files.map((file) => path.basename(file, '.js')).sort();
}

/** Undefined when there is none of that name. */
export function targetNamed(name: string): NamedTarget | undefined {
  if (!targetNames().includes(name)) return undefined;
  const file = path.join(FOLDER, `${name}.js`);
  const { target } = load(file) as { readonly target: FuzzTarget };
  return { target, file };
}
