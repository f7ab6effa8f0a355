import { spawnSync } from 'node:child_process';
import { isOnPath } from '../../mininet/io/requirements';

/** Names what runs under Mininet lack here, these programs among them; empty when nothing is missing. */
export function missingForMininet(...programs: readonly string[]): string {
  if (process.getuid?.() !== 0) return 'not root';
  const lacks = ['ip', 'ethtool', 'tcpdump', ...programs].filter((name) => !isOnPath(name));
  const python = spawnSync('/usr/bin/python3', ['-c', 'import mininet.net']).status === 0;
  return [...lacks, ...(python ? [] : ["Mininet's Python module"])].join(', ');
}
