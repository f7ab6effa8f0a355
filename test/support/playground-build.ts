import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../common/io/repository';

/** A playground that was built for a test, of the commit that is checked out. */
export interface BuiltPlayground {
  readonly folder: string;
  readonly remove: () => void;
}

/** Builds the playground into a folder of its own. */
export function buildPlayground(): BuiltPlayground {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-playground-'));
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join('scripts', 'build-playground.mjs'), folder],
    { cwd: repositoryRoot(), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return { folder, remove: () => fs.rmSync(folder, { recursive: true }) };
}

/** Scenarios of every kind of data plane and transport that browsers must run as Node does. */
export const PLAYGROUND_SCENARIOS: readonly string[] = [
  'incast16',
  'incast16-rocev2',
  'ccm-incast',
  'fast-feedback',
  'join',
  'leaf-spine',
  'idle-restart',
  'link-failure',
  'priorities',
  'websearch',
];
