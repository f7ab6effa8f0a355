import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Command } from 'commander';
import { databaseOption } from '../../../../cli/study/shared';

const ADDRESS = 'postgres://me:secret@host/studies';

describe('attack 16: a password of a database', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'database-'));
  const file = path.join(folder, 'address');
  const read = (...argv: string[]): unknown => {
    const command = new Command().addOption(databaseOption('a server')).exitOverride();
    return command.parse(argv, { from: 'user' }).opts()['database'];
  };

  afterEach(() => delete process.env['HPCC_DATABASE']);
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('stands in a file that nobody else reads, or in the environment, and not on the command line', () => {
    fs.writeFileSync(file, `${ADDRESS}\n`, { mode: 0o600 });
    expect(read('--database', `@${file}`)).toBe(ADDRESS);
    process.env['HPCC_DATABASE'] = ADDRESS;
    expect(read()).toBe(ADDRESS);
    process.env['HPCC_DATABASE'] = `@${file}`;
    expect(read()).toBe(ADDRESS);
  });

  test('in a file that others may read is refused', () => {
    fs.writeFileSync(file, ADDRESS);
    fs.chmodSync(file, 0o644);
    expect(() => read('--database', `@${file}`)).toThrow(/others/);
  });
});
