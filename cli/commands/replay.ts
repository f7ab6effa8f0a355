import * as path from 'node:path';
import type { Command } from 'commander';
import { DEFAULT_MAX_STAGE, replayFile } from '../../host-agent/io/replay-file';
import { note, print } from '../../common/io/terminal';
import { countOption, wholeOption } from '../shared/option-values';

export function registerReplay(program: Command): void {
  program
    .command('replay')
    .summary('check the algorithm against recorded acknowledgements')
    .description(
      "Feeds a per-ACK recording of the HPCC simulator through the algorithm, in the simulator's " +
        'constants, and compares every rate, reference rate, window, stage and U. Recordings do ' +
        'not state maxStage: it is taken from --max-stage, or else from "_mi<n>" or "-mi<n>" in the ' +
        `file name, or else is ${DEFAULT_MAX_STAGE}. T is 4160 ns for paths of one hop and 8200 ns for ` +
        'others, unless --base-rtt-ns says otherwise. Exits with 1 when anything differs.',
    )
    .argument('<vectors>', 'recording, .csv or .csv.gz')
    .option('--max-stage <n>', 'maxStage of the recorded run', wholeOption)
    .option('--base-rtt-ns <ns>', 'T of the recorded run', countOption)
    .action(async (file: string, flags: { maxStage?: number; baseRttNs?: number }) => {
      const maxStage = flags.maxStage ?? maxStageInName(file) ?? DEFAULT_MAX_STAGE;
      const { acks, mismatches, firstMismatch } = await replayFile(file, maxStage, flags.baseRttNs);
      print(`${acks} ACKs, ${mismatches} mismatches`);
      note(`maxStage ${maxStage}`);
      if (firstMismatch === undefined) return;
      const { line, column, expected, got } = firstMismatch;
      note(`first mismatch: ${file}:${line}: ${column} is ${got}, recorded ${expected}`);
      process.exitCode = 1;
    });
}

function maxStageInName(file: string): number | undefined {
  const match = /[-_]mi(\d+)/.exec(path.basename(file));
  return match === null ? undefined : Number(match[1]);
}
