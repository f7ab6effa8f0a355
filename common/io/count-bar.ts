import { SingleBar } from 'cli-progress';

/** Progress of many tasks, some of which fail. */
export interface CountBar {
  start(total: number): void;
  add(hasFailed: boolean): void;
  stop(): void;
}

/** A bar with counts and the time left on standard error where that is a terminal, and nothing elsewhere. */
export function countBar(label: string): CountBar {
  let failed = 0;
  const bar = new SingleBar({
    format: `${label} {bar} {value}/{total}, {failed} failed, {eta_formatted} left`,
    etaBuffer: 50,
    noTTYOutput: false,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  return {
    start: (total) => bar.start(total, 0, { failed }),
    add: (hasFailed) => {
      if (hasFailed) failed++;
      bar.increment(1, { failed });
    },
    stop: () => bar.stop(),
  };
}
