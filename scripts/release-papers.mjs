// Writes the papers of a packed release: what the package consists of, as CycloneDX (PREFIX.cdx.json), and what it was
// made from, as an in-toto statement with SLSA provenance (PREFIX.intoto.json). Nothing is signed: whoever publishes signs.
//
//     node scripts/release-papers.mjs TARBALL PREFIX [TARBALL OF A PART]...
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const [tarball, prefix, ...parts] = process.argv.slice(2);
if (tarball === undefined || prefix === undefined) {
  process.stderr.write('release-papers: wanted TARBALL PREFIX\n');
  process.exit(1);
}

const output = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The packages that an installation brings, as `name@version`. */
function installed() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const own = Object.entries(packages).filter(
    ([place, { dev, devOptional }]) => place !== '' && dev !== true && devOptional !== true,
  );
  return new Set(
    own.map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`),
  );
}

/**
 * The bill of the packages that an installation brings. npm's own `--omit dev` leaves packages out that development needs
 * too, so the whole bill is cut down here. It is made from the lock file, whatever happens to be installed.
 */
function bill() {
  const whole = JSON.parse(
    output('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'),
  );
  const kept = installed();
  const components = whole.components.filter(({ name, version }) => kept.has(`${name}@${version}`));
  const refs = new Set([
    whole.metadata.component['bom-ref'],
    ...components.map((each) => each['bom-ref']),
  ]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...whole, components, dependencies };
}

writeFileSync(`${prefix}.cdx.json`, `${JSON.stringify(bill(), null, 2)}\n`);

const commit = output('git', 'rev-parse', 'HEAD');
const { name, version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [tarball, ...parts, `${prefix}.cdx.json`].map((file) => ({
    name: basename(file),
    digest: { sha256: sha256(file) },
  })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'npm run release',
      externalParameters: { name, version },
      internalParameters: {
        node: process.version,
        npm: output('npm', '--version'),
        platform: `${process.platform}-${process.arch}`,
      },
      resolvedDependencies: [
        { ...(repository?.url && { uri: repository.url }), digest: { gitCommit: commit } },
        { name: 'package-lock.json', digest: { sha256: sha256('package-lock.json') } },
      ],
    },
    runDetails: {
      builder: { id: 'scripts/release' },
      metadata: { finishedOn: new Date().toISOString() },
    },
  },
};
writeFileSync(`${prefix}.intoto.json`, `${JSON.stringify(statement, null, 2)}\n`);
