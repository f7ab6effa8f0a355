import * as fs from 'node:fs';
import { P4_PROFILES } from '../../common/io/p4-profiles';
import { TABLES_PAGE, tableRows, tablesPage } from './tables-page';

describe('the page of tables', () => {
  const page = fs.readFileSync(TABLES_PAGE, 'utf8');

  test('says what P4Info says; otherwise npm run api writes it again', () => {
    expect(tablesPage()).toBe(page);
  });

  test.each(P4_PROFILES.map(({ name }) => name))('has every table of %s, with actions', (name) => {
    const rows = tableRows(name);
    expect(rows.size).toBeGreaterThan(0);
    expect([...rows.keys()].filter((table) => !page.includes(`| \`${table}\` |`))).toEqual([]);
    expect([...rows.values()].filter(([, actions = '']) => !actions.includes('('))).toEqual([]);
  });
});
