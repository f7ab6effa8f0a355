import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { isCustomAlgorithm } from '../../host-agent/algorithm/library/algorithms';

export interface TrustFlags {
  readonly trust?: true;
}

/** Adds the option that gives an algorithm of a file what the process may do. */
export const withTrust = (command: Command): Command =>
  command.option(
    '--trust',
    'run an algorithm of a file with all rights of the process, not in a compartment (docs/custom-algorithm.md)',
  );

/** @throws InputError where nothing runs that could be trusted. */
export function checkTrust({ trust }: TrustFlags, algorithms: readonly string[]): void {
  if (trust !== true || algorithms.some(isCustomAlgorithm)) return;
  throw new InputError(
    `--trust is for algorithms of files: ${[...new Set(algorithms)].join(', ')} is none`,
  );
}
