import * as path from 'node:path';
import { sourceFiles } from '../support/source-files';
import { folderArrows, importCycles, importGraph, importsOf } from './imports';
import { EDGE, FOLDERS, SIBLINGS, TESTS } from './layers';

const LAYERS = [...new Set(FOLDERS.map((folder) => folder.split('/')[0]))];
const sources = sourceFiles(/\.tsx?$/).filter(
  ({ path: name }) => LAYERS.includes(name.split('/')[0]) && !name.includes('/generated/'),
);
const graph = importGraph(sources);
const folders = new Set(sources.map((file) => path.posix.dirname(file.path)));

describe('reading imports', () => {
  const imports = (text: string): string[] => importsOf({ path: 'a/b/c.ts', text });

  test.each([
    ["import { x } from '../d';", 'a/d'],
    ["import type { X } from './d';", 'a/b/d'],
    ["export { x } from '../../d/e';", 'd/e'],
    ["const x = await import('./d');", 'a/b/d'],
    ["type X = typeof import('./d');", 'a/b/d'],
    ["const x = require('./d');", 'a/b/d'],
    ["import 'node:fs';", 'node:fs'],
  ])('%s', (text, expected) => {
    expect(imports(text)).toEqual([expected]);
  });

  test('a circle is found, through types and late imports too', () => {
    const files = [
      { path: 'a.ts', text: "import type { B } from './b';" },
      { path: 'b.ts', text: "const c = () => import('./c');" },
      { path: 'c.ts', text: "export { a } from './a';" },
      { path: 'd.ts', text: "import { a } from './a';" },
    ];
    expect(importCycles(importGraph(files))).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });
});

describe('the order of the house', () => {
  test('every folder with sources has one place in it', () => {
    expect([...FOLDERS].sort()).toEqual([...folders].sort());
  });

  test('imports point to the same folder or to an earlier one', () => {
    const place = new Map(FOLDERS.map((folder, index) => [folder, index]));
    const against = [...folderArrows(graph)].filter(([arrow]) => {
      const [from = '', to = ''] = arrow.split(' -> ');
      return (place.get(to) ?? 0) > (place.get(from) ?? 0);
    });
    expect(against.flatMap(([, files]) => files)).toEqual([]);
  });

  test('siblings never import each other', () => {
    const layer = (file: string): string => file.split('/')[0] ?? '';
    const found = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => layer(target) !== layer(file))
        .filter((target) => [file, target].every((name) => SIBLINGS.includes(layer(name))))
        .map((target) => `${file} -> ${target}`),
    );
    expect(found).toEqual([]);
  });

  test('no file is part of a circle of imports', () => {
    expect(importCycles(graph)).toEqual([]);
  });

  test('no product source imports a test', () => {
    const found = sources.filter((file) =>
      importsOf(file).some((name) => name.split('/')[0] === TESTS),
    );
    expect(found.map((file) => file.path)).toEqual([]);
  });

  test('only edges and tests import edges', () => {
    const pure = [...graph].filter(([file]) => !EDGE.test(path.posix.dirname(file)));
    const found = pure.flatMap(([file, targets]) =>
      targets
        .filter((target) => EDGE.test(path.posix.dirname(target)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(found).toEqual([]);
  });
});
