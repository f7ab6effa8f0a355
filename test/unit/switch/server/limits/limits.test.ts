import * as fs from 'node:fs';
import * as path from 'node:path';
import { LIMIT_NAMES, LIMITS, Limits } from '../../../../../switch/server/limits/limits';
import { ROOT } from '../../../../support/paths';

describe('the limits of the servers', () => {
  test('are all in docs/limits.md, with what they are unless set', () => {
    const text = fs.readFileSync(path.join(ROOT, 'docs', 'limits.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z\d-]+)` +\| +([0-9,]+) +\|/gm)];
    const documented = rows.map(([, name, value = '']) => [
      name,
      Number(value.replaceAll(',', '')),
    ]);
    expect(documented).toEqual(LIMIT_NAMES.map((name) => [name, LIMITS[name].value]));
  });

  test('count how often they were met', () => {
    const limits = new Limits(new Map([['roles', 2]]));
    limits.met('roles');
    limits.met('digest-queue', 5);
    expect([limits.of('roles'), limits.of('controllers')]).toEqual([2, 16]);
    expect(limits.counts()).toEqual({ roles: 1, 'digest-queue': 5 });
  });
});
