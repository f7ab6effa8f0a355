import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

/** Why a comparison is left out that needs a bmv2 which checks indices. */
export const NO_INDEX_CHECKS = 'this bmv2 was built with NDEBUG and does not check indices';

/** Exit codes of the probe; everything else is a failure of its own. */
export const CHECKS = 0;
export const DOES_NOT_CHECK = 3;

let checks: boolean | undefined;

/**
 * True if the bmv2 on PATH checks the indices of registers, as the P4 specification wants it. Built with
 * NDEBUG it does not, and a packet that goes outside an array ends it or reads foreign memory.
 * @throws when bmv2 does not even answer a packet that uses no register.
 */
export function bmv2ChecksIndices(): boolean {
  return (checks ??= ask());
}

function ask(): boolean {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(__dirname, 'bmv2-index-probe.js')],
    { encoding: 'utf8', timeout: 60_000 },
  );
  if (status === CHECKS || status === DOES_NOT_CHECK) return status === CHECKS;
  throw new Error(`bmv2 does not answer the probe of its indices: ${stderr}`);
}
