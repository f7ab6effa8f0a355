import * as fs from 'node:fs';
import * as path from 'node:path';
import { DIGESTED_FOLDERS } from '../../../../../emulator/study/io/build-version';

const BUILD = path.resolve(__dirname, '..', '..', '..', '..', '..');

/** Files of the build that a file loads, and all that these load. */
function loadedBy(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const text = fs.readFileSync(file, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:require|import)\("?'?(\.{1,2}\/[^"')]+)/g)) {
    const target = path.resolve(path.dirname(file), name);
    const found = [`${target}.js`, target, path.join(target, 'index.js')].find(
      (each) => each.endsWith('.js') && fs.existsSync(each),
    );
    if (found !== undefined) loadedBy(found, known);
  }
  return known;
}

test('attack 11: all code that the process of a cell loads is in the digest of the build', () => {
  const process = path.join(BUILD, 'emulator', 'study', 'io', 'cell-process.js');
  const names = [...loadedBy(process)].map((file) => path.relative(BUILD, file));
  expect(names).toContain(path.join('emulator', 'study', 'summary.js'));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !DIGESTED_FOLDERS.includes(name.split(path.sep)[0] ?? ''))).toEqual(
    [],
  );
});
