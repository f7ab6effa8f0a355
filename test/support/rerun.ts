import * as path from 'node:path';

type Run = (...given: never[]) => unknown;
type Define = ((name: string, run: Run, timeout?: number) => void) & {
  each: (...table: never[]) => Define;
  skip: () => void;
};
type Hook = (...given: never[]) => void;

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const;
const real = globalThis as unknown as Record<'it' | 'test' | 'describe', Define> &
  Record<(typeof HOOKS)[number], Hook>;

/** The hooks of a block are wanted if any of its tests is: jest refuses hooks without tests. */
interface Block {
  readonly hooks: (() => void)[];
  tests: number;
}

export interface Choice {
  /** Asked for each test, by its name before the row of a table is filled in. */
  isWanted(name: string): boolean;
  /** The test has run to its end. */
  passed?(name: string): void;
  /** The file says that this machine lacks what a part of it needs. */
  skipped?(): void;
}

let outer: Define | undefined;

/** Jest's own `it` for the suite that runs, also while {@link rerun} loads another file. */
export const jestIt = (): Define => outer ?? real.it;

/** Defines the wanted tests of another file where it is called, with their hooks. */
export function rerun(file: string, choice: Choice): void {
  const { it, test, describe, beforeAll, beforeEach, afterEach, afterAll } = real;
  const before = { it, test, describe, beforeAll, beforeEach, afterEach, afterAll };
  const blocks: Block[] = [];
  const skip = (): void => choice.skipped?.();
  const chosen = map({ define: it, skip }, (define, name, run, timeout) => {
    if (!choice.isWanted(name)) return;
    for (const block of blocks) block.tests++;
    const body = async (...given: never[]) => {
      await run(...given);
      choice.passed?.(name);
    };
    define(name, body, timeout);
  });
  const inBlock = (body: () => unknown): void => {
    const block: Block = { hooks: [], tests: 0 };
    blocks.push(block);
    body();
    blocks.pop();
    if (block.tests > 0) for (const hook of block.hooks) hook();
  };
  const block = map({ define: describe, skip }, (define, name, run) => {
    define(name, (...given: never[]) => inBlock(() => run(...given)));
  });
  const hooks = HOOKS.map((kind) => {
    const later: Hook = (...given) => blocks.at(-1)?.hooks.push(() => before[kind](...given));
    return [kind, later] as const;
  });
  outer = before.it;
  Object.assign(real, { it: chosen, test: chosen, describe: block, ...Object.fromEntries(hooks) });
  try {
    const suite = path.join(__dirname, '..', '..', file.replace(/\.ts$/, '.js'));
    // It may have been loaded before.
    Reflect.deleteProperty(require.cache, suite);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it defines its tests as it is loaded
    inBlock(() => require(suite));
  } finally {
    outer = undefined;
    Object.assign(real, before);
  }
}

/** As `define`, also for tables, but through `use`. */
function map(
  { define, skip }: { readonly define: Define; readonly skip: () => void },
  use: (define: Define, name: string, run: Run, timeout?: number) => void,
): Define {
  const mapped = (name: string, run: Run, timeout?: number) => use(define, name, run, timeout);
  const each = (...table: never[]) => map({ define: define.each(...table), skip }, use);
  return Object.assign(mapped, { each, skip });
}
