import { note, print } from '../../common/io/terminal';
import { estimateStudy } from '../../emulator/study/io/dry-run';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import { slotCount } from '../../emulator/study/io/process-pool';
import { timeText } from './shared';

interface DryRunFlags {
  readonly jobs?: number;
  readonly trust?: true;
  readonly json?: true;
}

/** Says what a study would take, judged by a few of its cells. */
export async function dryRun(
  study: LoadedStudy,
  { jobs, json, trust }: DryRunFlags,
): Promise<void> {
  const slots = jobs ?? slotCount(study.document.limits.memoryMb);
  const estimate = await estimateStudy(study, slots, trust);
  if (json === true) {
    print(JSON.stringify(estimate));
    return;
  }
  const { cells, tried, secondsPerCell, seconds, memoryMb, failures } = estimate;
  for (const reason of failures) note(`hpcc: a cell that was tried failed: ${reason}`);
  print(`${cells} cells, ${slots} at a time; tried ${tried} of them:`);
  print(
    `about ${secondsPerCell.toFixed(2)} s and up to ${memoryMb.toFixed(0)} MB per cell, ` +
      `${timeText(seconds)} in all`,
  );
}
