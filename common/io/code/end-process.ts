import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import type * as Koffi from 'koffi' with { 'resolution-mode': 'import' };
import { printable } from '../../printable';

/**
 * Ends the process from any of its threads, whatever the others are doing, with one sentence on standard error and
 * exit code 1. Where the C library cannot be called, the kernel's signal ends it.
 */
export function endProcess(reason: string): void {
  try {
    fs.writeSync(2, `hpcc: ${printable(reason)}\n`);
  } catch {
    // Nobody listens; it ends nevertheless.
  }
  try {
    const koffi = createRequire(__filename)('koffi') as typeof Koffi;
    koffi.load(null).func('void _exit(int status)')(1);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
