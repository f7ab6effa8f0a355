import { spawnSync } from 'node:child_process';
import { isOnPath } from '../../mininet/io/requirements';

/** Names what runs under Mininet lack here, these programs among them; empty when nothing is missing. */
export function missingForMininet(...programs: readonly string[]): string {
  if (process.getuid?.() !== 0) return 'not root';
  const lacks = ['ip', 'ethtool', 'tcpdump', ...programs].filter((name) => !isOnPath(name));
  const python = spawnSync('/usr/bin/python3', ['-c', 'import mininet.net']).status === 0;
  return [...lacks, ...(python ? [] : ["Mininet's Python module"])].join(', ');
}

/** The bmv2 of tests; HPCC_BMV2 names another one. */
export const BMV2 = process.env['HPCC_BMV2'] ?? 'simple_switch_grpc';

/** The same for runs on bmv2, whose rates are set over Thrift: an option of its build. */
export function missingForBmv2(...programs: readonly string[]): string {
  const missing = missingForMininet(...programs);
  if (missing !== '') return missing;
  if (!isOnPath(BMV2)) return `${BMV2} is not on PATH`;
  const file = spawnSync('which', [BMV2], { encoding: 'utf8' }).stdout.trim();
  const libraries = spawnSync('ldd', [file], { encoding: 'utf8' }).stdout;
  return libraries.includes('libthrift') ? '' : `${file} was built without Thrift`;
}
