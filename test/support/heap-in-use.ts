import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is in use after garbage has been collected, in bytes. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
