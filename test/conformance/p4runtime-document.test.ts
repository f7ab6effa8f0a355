import * as fs from 'node:fs';
import * as path from 'node:path';
import { BMV2_DEPARTURES } from '../support/p4runtime/bmv2-departures';
import { ROOT } from '../support/paths';

const FOLDER = path.join(ROOT, 'test', 'conformance');
const read = (page: string): string => fs.readFileSync(path.join(ROOT, 'docs', page), 'utf8');
const DOCUMENT = read('testing.md');

/** The names of the suite's tests as they stand in its files, with `%s` where they vary. */
function testNames(): readonly string[] {
  const files = fs
    .readdirSync(FOLDER)
    .filter((each) => /^p4runtime[\w-]*(?<!test)\.ts$/.test(each));
  return files.flatMap((file) => {
    const source = fs.readFileSync(path.join(FOLDER, file), 'utf8');
    const calls = source.matchAll(/(?:\btest|\]\))\(\s*'([^'\n]+)'/g);
    return [...calls].map(([, name = '']) => name);
  });
}

/** The lines of the section on this suite. */
function rows(): readonly string[] {
  const [, part = ''] = DOCUMENT.split(
    /^## (?:What the P4Runtime suite asks|Where bmv2 departs)$/m,
  );
  return [...part.matchAll(/^- (.+)$/gm)].map(([, name = '']) => name);
}

describe('what is said of the suite', () => {
  test('has one line for every test of the conformance suite', () => {
    expect([...rows()].sort()).toEqual([...testNames()].sort());
  });

  test.each(Object.entries(BMV2_DEPARTURES))(
    'tells that bmv2 departs in "%s"',
    (respect, { kind, reason }) => {
      const told = kind === 'skipped' ? `skipped: ${reason}` : `${respect}: `;
      expect(DOCUMENT).toContain(told);
      expect(DOCUMENT).toContain(reason);
    },
  );
});
