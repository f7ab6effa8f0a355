import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

interface Statement {
  readonly subject: readonly {
    readonly name: string;
    readonly digest: { readonly sha256: string };
  }[];
  readonly predicate: {
    readonly buildDefinition: {
      readonly resolvedDependencies: readonly {
        readonly digest: Readonly<Record<string, string>>;
      }[];
    };
  };
}

const isCheckout = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status === 0;

describeIf(isCheckout, 'the papers of a release', 'not a git checkout', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'papers-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const read = (name: string): unknown =>
    JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));

  test('name what it consists of, and what it was made from', () => {
    const tarball = path.join(folder, 'package.tgz');
    fs.writeFileSync(tarball, 'packed');
    const script = path.join(ROOT, 'scripts', 'release-papers.mjs');
    const part = path.join(folder, 'part.tgz');
    fs.writeFileSync(part, 'a part');
    execFileSync(process.execPath, [script, tarball, path.join(folder, 'package'), part], {
      cwd: ROOT,
    });
    const { bomFormat, components } = read('package.cdx.json') as Sbom;
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly dependencies: object;
      readonly devDependencies: object;
    };
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names).not.toContain('jest');
    const { subject, predicate } = read('package.intoto.json') as Statement;
    const sha256 = createHash('sha256').update('packed').digest('hex');
    expect(subject.map(({ name }) => name)).toEqual([
      'package.tgz',
      'part.tgz',
      'package.cdx.json',
    ]);
    expect(subject[0]).toEqual({ name: 'package.tgz', digest: { sha256 } });
    const [source] = predicate.buildDefinition.resolvedDependencies;
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
    expect(source?.digest).toEqual({ gitCommit: commit.trim() });
  });
});

test('the papers of a release are refused without a package', () => {
  const script = path.join(ROOT, 'scripts', 'release-papers.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'release-papers: wanted TARBALL PREFIX\n']);
});

test('thrift is a version without known holes: 0.24, which bounds recursion and lengths', () => {
  const lock = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const [major = 0, minor = 0] = (lock.packages['node_modules/thrift']?.version ?? '')
    .split('.')
    .map(Number);
  expect(1000 * major + minor).toBeGreaterThanOrEqual(24);
});
