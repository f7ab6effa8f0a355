import * as path from 'node:path';

/** The repository's root; compiled tests lie in `<root>/<build>/test/support`. */
export const ROOT = path.resolve(__dirname, '..', '..', '..');

/** A path below `test/fixtures`, which the compiler does not copy. */
export const fixture = (...parts: string[]): string =>
  path.join(ROOT, 'test', 'fixtures', ...parts);
