import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from './paths';

/** The page on custom algorithms. */
export const CUSTOM_ALGORITHM_PAGE = fs.readFileSync(
  path.join(ROOT, 'docs', 'custom-algorithm.md'),
  'utf8',
);

/** The file that it prints. */
export const CUSTOM_ALGORITHM = /```js\n([^]*?)```/.exec(CUSTOM_ALGORITHM_PAGE)?.[1] ?? '';

/** Files that go wrong after some acknowledgements, or at once, and what is said of each. */
export const WRONG_ALGORITHMS: readonly (readonly [what: string, text: string, said: string])[] = [
  ['throws', after("throw new Error('out of cheese')"), 'onAck threw: out of cheese'],
  [
    'leaves NaN',
    after('this.windowBytes = NaN'),
    'onAck left windowBytes at NaN; it must be a finite number above 0',
  ],
  [
    'leaves a negative window',
    after('this.windowBytes = -5'),
    'onAck left windowBytes at -5; it must be a finite number above 0',
  ],
  [
    'lacks onAck',
    'export const create = () => ({ windowBytes: 5e4, pacingRate: 1e6 });',
    "create must return an object with a function 'onAck'",
  ],
  ['lacks create', 'export const made = 1;', "wanted an exported function 'create', found nothing"],
];

/** @param count acknowledgements of all flows of a process that go well. */
export function after(act: string, count = 20): string {
  const control = `windowBytes: 5e4, pacingRate: linkRate / 2, onAck() { if (++acks > ${count}) ${act}; }`;
  return `let acks = 0;
export const signals = { telemetry: 'none' };
export const create = ({ linkRate }) => ({ ${control} });
`;
}

/** A folder for files of tests. */
export const algorithmFolder = (): string =>
  fs.mkdtempSync(path.join(os.tmpdir(), 'custom-algorithm-'));
