import * as path from 'node:path';
import type { SourceFile } from '../support/source-files';

/** Matches the imports of a file, whichever way they are written: static, type only, or loaded late. */
const SPECIFIER = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*'([^'\n]+)'/g;

const folderOf = (file: string): string => path.posix.dirname(file);

/** Module specifiers of a file in the order of the text; relative ones as paths from the root. */
export function importsOf(file: SourceFile): string[] {
  return [...file.text.matchAll(SPECIFIER)].map(([, specifier = '']) =>
    specifier.startsWith('.')
      ? path.posix.normalize(path.posix.join(folderOf(file.path), specifier))
      : specifier,
  );
}

/** The files that each file imports; packages and generated code are left out. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(files: readonly SourceFile[]): ImportGraph {
  const known = new Set(files.map((file) => file.path));
  const resolved = (name: string): string | undefined =>
    [`${name}.ts`, `${name}.tsx`, `${name}/index.ts`, name.replace(/\.js$/, '.ts')].find((path) =>
      known.has(path),
    );
  return new Map(
    files.map((file) => [file.path, importsOf(file).flatMap((name) => resolved(name) ?? [])]),
  );
}

/**
 * Groups of files that import each other in a circle, by value or by type: the strongly connected
 * components of more than one file (Tarjan, 1972).
 */
export function importCycles(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) ?? 0);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const component = open.splice(open.indexOf(file));
    if (component.length > 1) cycles.push(component.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** Pairs `from -> to` of different folders, each once, with the files that make the arrow. */
export function folderArrows(graph: ImportGraph): Map<string, string[]> {
  const arrows = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from === to) continue;
      const files = arrows.get(`${from} -> ${to}`) ?? [];
      arrows.set(`${from} -> ${to}`, [...files, `${file} -> ${target}`]);
    }
  }
  return arrows;
}
