import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { InputError } from '../errors';
import { repositoryRoot } from './repository';

const fromHere = createRequire(__filename);

/** Optional peer dependencies of the manifest. */
export type OptionalPackage = '@aws-sdk/client-s3' | '@electric-sql/pglite' | 'pg' | 'pg-boss';

/**
 * Refuses to go on without packages that an installation has only when its user adds them.
 * @param purpose subject of the message, such as `a study`
 * @throws InputError with the command that installs those that are missing
 */
export function requirePackages(purpose: string, names: readonly OptionalPackage[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const versions = optionalVersions();
  const wanted = missing.map((name) => `${name}@${(versions[name] ?? 'latest').replace('^', '')}`);
  const [packages, are] = missing.length === 1 ? ['package', 'is'] : ['packages', 'are'];
  throw new InputError(
    `${purpose} needs the optional ${packages} ${missing.join(' and ')}, which ${are} not installed: ` +
      `npm install ${wanted.join(' ')}`,
  );
}

/**
 * Loads a package that an installation has only when its user adds it.
 * @throws InputError as `requirePackages`
 */
export function loadPackage(purpose: string, name: OptionalPackage): unknown {
  requirePackages(purpose, [name]);
  return fromHere(name);
}

function isInstalled(name: OptionalPackage): boolean {
  try {
    fromHere.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Version ranges of the optional packages, by name. */
function optionalVersions(): Readonly<Record<string, string | undefined>> {
  const manifest = fs.readFileSync(path.join(repositoryRoot(), 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { peerDependencies: Record<string, string> }).peerDependencies;
}
