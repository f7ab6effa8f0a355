import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import { algorithmNamed, ALGORITHMS } from '../../../../../host-agent/algorithm/library/algorithms';

const page = fs.readFileSync(path.join(repositoryRoot(), 'docs', 'algorithms.md'), 'utf8');

describe('the page on algorithms', () => {
  test('has exactly the constants of the code', () => {
    const rows = [
      ...page.matchAll(/^\| `([\w-]+)` \| (`\w+` [\d.e-]+(?:, `\w+` [\d.e-]+)*) \|$/gm),
    ];
    const written = rows.flatMap(([, name, constants = '']) =>
      [...constants.matchAll(/`(\w+)` ([\d.e-]+)/g)].map(
        ([, constant, value]) => `${name}: ${constant} ${Number(value)}`,
      ),
    );
    const known = ALGORITHMS.flatMap((name) =>
      Object.entries(algorithmNamed(name).constants).map(
        ([constant, value]) => `${name}: ${constant} ${value}`,
      ),
    );
    expect(known.filter((row) => !written.includes(row)).map((row) => `no row for ${row}`)).toEqual(
      [],
    );
    expect(
      written.filter((row) => !known.includes(row)).map((row) => `no constant ${row}`),
    ).toEqual([]);
  });

  test('says where each is from', () => {
    const rows = page.split('\n').filter((line) => line.split('|').length === 6);
    const missing = ALGORITHMS.filter(
      (name) => !rows.some((line) => line.split('|')[1]?.includes(`\`${name}\``) === true),
    );
    expect(missing.map((name) => `no row for ${name}`)).toEqual([]);
  });
});
