import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Names of modules in a file, compiled or declared. */
const MODULE = /(?:\brequire\(|\bfrom |\bimport |\bimport\()['"]([^'"]+)['"]/g;

/** Files that files of the build mention, with their own, and the packages that all of them mention. */
export function mentionedFiles(root, entries, ends) {
  const files = new Set();
  const packages = new Set();
  const waiting = entries.map((entry) => path.normalize(entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, name] of readFileSync(path.join(root, file), 'utf8').matchAll(MODULE)) {
      if (!name.startsWith('.')) packages.add(name.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1'));
      else waiting.push(fileOf(root, path.join(path.dirname(file), name), ends));
    }
  }
  return { files, packages };
}

function fileOf(root, module, ends) {
  const found = ends
    .map((end) => `${module}${end}`)
    .find((file) => existsSync(path.join(root, file)));
  if (found === undefined) throw new Error(`${module} is not in the build; run npm run build`);
  return found;
}
