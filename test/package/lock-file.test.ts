import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from '../support/paths';

const LINTER = path.join(ROOT, 'node_modules', '.bin', 'lockfile-lint');
const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly audit: string };
};

describe('the audit of the lock file', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-file-'));
  const text = fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  /** Exit code of `npm run audit` with another lock file. */
  const audit = (lockFile: string): number | null => {
    fs.writeFileSync(path.join(folder, 'package-lock.json'), lockFile);
    const [, ...argv] = scripts.audit.split(' ');
    return spawnSync(LINTER, argv, { cwd: folder, encoding: 'utf8' }).status;
  };

  test('passes, and refuses a package with a weak digest or without encryption on its way', () => {
    expect(audit(text)).toBe(0);
    expect(audit(text.replace(/"sha512-[^"]*"/, '"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="'))).toBe(1);
    const from = { resolved: 'http://[::1]/one.tgz' };
    const plain = `${JSON.stringify(from).slice(1, -1)}, "integrity": "sha512-`;
    expect(audit(text.replace('"integrity": "sha512-', plain))).toBe(1);
  });
});
