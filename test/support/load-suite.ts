import * as path from 'node:path';

type Run = (...given: never[]) => unknown;
type Define = ((name: string, run: Run, timeout?: number) => void) & {
  each: (...table: never[]) => Define;
  skip: () => void;
};

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const;
const real = globalThis as unknown as Record<'it' | 'test' | 'describe', Define> &
  Record<(typeof HOOKS)[number], () => void>;

/** Hears of the parts of a suite as it is loaded. */
export interface Listener {
  /** It has a test of this name, before the row of a table is filled in. */
  test?(name: string): void;
  /** It says that this machine lacks what a part of it needs. */
  skipped?(): void;
}

let outer: Define | undefined;

/** Jest's own `it` for the suite that runs, also while {@link loadSuite} loads another file. */
export const jestIt = (): Define => outer ?? real.it;

/** Loads another suite for what it tells. Its tests run where they stand, but for those that define themselves by {@link jestIt}. */
export function loadSuite(file: string, listener: Listener = {}): void {
  const { it, test, describe, beforeAll, beforeEach, afterEach, afterAll } = real;
  const before = { it, test, describe, beforeAll, beforeEach, afterEach, afterAll };
  const skip = (): void => listener.skipped?.();
  const heard = map({ define: it, skip }, (_define, name) => listener.test?.(name));
  const block = map({ define: describe, skip }, (define, name, run) => define(name, run));
  const hooks = HOOKS.map((kind) => [kind, () => undefined] as const);
  outer = before.it;
  Object.assign(real, { it: heard, test: heard, describe: block, ...Object.fromEntries(hooks) });
  try {
    const suite = path.join(__dirname, '..', '..', file.replace(/\.ts$/, '.js'));
    // It may have been loaded before.
    Reflect.deleteProperty(require.cache, suite);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it tells as it is loaded
    require(suite);
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
