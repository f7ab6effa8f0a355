import * as path from 'node:path';
import type { Command } from 'commander';
import { DEFAULT_MAX_STAGE, replayFile } from '../../host-agent/io/replay-file';
import { note, print } from '../../common/io/terminal';
import { InputError } from '../../common/errors';
import { addSetting, givenSettings } from '../shared/setting-options';

const NS_PER_US = 1000;

export function registerReplay(command: Command): void {
  command
    .description(
      "Feeds a per-ACK recording of the HPCC simulator through the algorithm, in the simulator's " +
        'constants, and compares every rate, reference rate, window, stage and U. Recordings do ' +
        'not state maxStage: it is taken from --max-stage, or else from "_mi<n>" or "-mi<n>" in the ' +
        `file name, or else is ${DEFAULT_MAX_STAGE}. T is 4.16 us for paths of one hop and 8.2 us for ` +
        'others, unless --base-rtt-us says otherwise. Exits with 1 when anything differs.',
    )
    .argument('<vectors>', 'recording, .csv or .csv.gz');
  addSetting(command, 'maxStage', 'from the name of the file');
  addSetting(command, 'baseRttUs', 'that of the recorded network');
  command.action(async (file: string) => {
    const flags = givenSettings(command, 'scenario', note);
    if (flags.baseRttUs === 'auto')
      throw new InputError('--base-rtt-us of a recording is a number');
    const ns = flags.baseRttUs === undefined ? undefined : Math.round(flags.baseRttUs * NS_PER_US);
    const maxStage = flags.maxStage ?? maxStageInName(file) ?? DEFAULT_MAX_STAGE;
    const { acks, mismatches, firstMismatch } = await replayFile(file, maxStage, ns);
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
