import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';

/**
 * Copies files and folders, which nobody writes to in place. PERF: the copies are links to the same bytes where the
 * file system has those; bytes of 200 MB take a slow disk half a minute.
 */
export function linkTree(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  fs.rmSync(to, { recursive: true, force: true });
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
}
