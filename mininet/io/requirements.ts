import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import type { Plan } from '../plan/plan';
import { PYTHON } from './run-plan';

interface Need {
  readonly what: string;
  readonly isThere: () => boolean;
  /** Debian package; absent where none has it. */
  readonly debianPackage?: string;
}

/**
 * Looks for everything that a plan needs of the machine.
 * @throws InputError that names all that is missing and the command that installs it.
 */
export function requireMachine(plan: Plan): void {
  const missing = needsOf(plan).filter(({ isThere }) => !isThere());
  if (process.getuid?.() !== 0) {
    throw new InputError('hpcc mininet needs root, because it makes network namespaces: use sudo');
  }
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debianPackage }) => debianPackage ?? []);
  const names = missing.map(({ what }) => what).join(', ');
  const others = missing.filter((each) => each.debianPackage === undefined);
  const hints = [
    ...(packages.length > 0 ? [`install with: apt-get install ${packages.join(' ')}`] : []),
    ...others.map(
      ({ what }) => `${what}: no Debian package has it; see docs/mininet-experiments.md`,
    ),
  ];
  throw new InputError(`hpcc mininet misses ${names}\n${hints.join('\n')}`);
}

function needsOf(plan: Plan): Need[] {
  const words = new Set(processesOf(plan).map(([first = '']) => first));
  return [
    { what: 'Python 3', isThere: () => fs.existsSync(PYTHON), debianPackage: 'python3' },
    { what: "Mininet's Python module", isThere: hasMininet, debianPackage: 'mininet' },
    program('ip', 'iproute2'),
    program('ethtool', 'ethtool'),
    ...(words.has('iperf3') ? [program('iperf3', 'iperf3')] : []),
    ...(plan.captures.length > 0 ? [program('tcpdump', 'tcpdump')] : []),
    ...plan.switches
      .filter(({ kind }) => kind === 'bmv2')
      .slice(0, 1)
      .map(({ process }) => program(process.argv[0] ?? '')),
  ];
}

const processesOf = ({ services, timeline }: Plan): string[][] => [
  ...services.map(({ argv }) => argv),
  ...timeline.flatMap((event) => (event.action === 'start' ? [event.process.argv] : [])),
];

const program = (name: string, debianPackage?: string): Need => ({
  what: name,
  isThere: () => isOnPath(name),
  ...(debianPackage !== undefined && { debianPackage }),
});

function hasMininet(): boolean {
  return spawnSync(PYTHON, ['-c', 'import mininet.net'], { stdio: 'ignore' }).status === 0;
}

/** True if a program can be started by that name or path. */
export function isOnPath(name: string): boolean {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((folder) => fs.existsSync(path.join(folder, name)));
}
