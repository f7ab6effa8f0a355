import * as ts from 'typescript';
import { sourceFiles } from '../support/source-files';
import { FOLDERS } from './layers';

/** Largest median length of the product's functions, and the largest length of any, in lines. */
const MEDIAN_MAX = 7;
const LENGTH_MAX = 100;

const LAYERS = new Set(FOLDERS.map((folder) => folder.split('/')[0]));

interface Measured {
  readonly place: string;
  /** From the first line of the signature to the last line of the body; blank ones do not count. */
  readonly lines: number;
}

/** A function has a name of its own, or that of the constant or property that holds it. */
function isNamedFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.body !== undefined;
  if (ts.isConstructorDeclaration(node) || ts.isAccessor(node)) return true;
  const holds = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
  const value = holds ? node.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

function functionsOf(name: string, text: string): Measured[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  const found: Measured[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamedFunction(node)) {
      const start = node.getStart(source);
      const lines = text.slice(start, node.end).split('\n');
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const filled = lines.filter((each) => each.trim() !== '').length;
      found.push({ place: `${name}:${line}`, lines: filled });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const SAMPLE = `
export const one = (): number => 1;

class Some {
  constructor() {
    // Two lines
    this.x = [1].map((each) => each);
  }
}`;

test('functions are counted with their signature, and callbacks as part of theirs', () => {
  expect(functionsOf('sample.ts', SAMPLE)).toEqual([
    { place: 'sample.ts:2', lines: 1 },
    { place: 'sample.ts:5', lines: 4 },
  ]);
});

test(`functions have ${LENGTH_MAX} lines at most, and half of them ${MEDIAN_MAX} at most`, () => {
  const product = sourceFiles(/\.tsx?$/).filter(
    ({ path: name }) => LAYERS.has(name.split('/')[0]) && !name.includes('/generated/'),
  );
  const all = product.flatMap(({ path: name, text }) => functionsOf(name, text));
  const lengths = all.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(all.length).toBeGreaterThan(5000);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MEDIAN_MAX);
  expect(all.filter(({ lines }) => lines > LENGTH_MAX)).toEqual([]);
  if (process.env['HPCC_SHAPE'] !== undefined) {
    const at = (share: number): unknown => lengths[Math.floor(share * lengths.length)];
    process.stderr.write(`${all.length} ${String(at(0.5))} ${String(at(0.9))} ${lengths.at(-1)}\n`);
  }
});
