import { Option } from 'commander';
import type { Command } from 'commander';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { withOutputFolder } from '../../common/io/output-folder';
import { note } from '../../common/io/terminal';
import { loadPeerNetwork } from '../../emulator/io/peer-network';
import { PeerPipe } from '../../emulator/io/peer-pipe';
import { withFlowRows } from '../../emulator/io/results/flow-rows';
import { writeResult } from '../../emulator/io/results/write-result';
import type { Run } from '../../emulator/io/run-scenario';
import { resultWarnings } from '../../emulator/view/data/warnings';
import { doneLine, errorLine, networkLine } from '../../emulator/workload/peer/peer-text';
import { PS_PER_US } from '../../common/units/units';
import { DEFAULT_EXECUTOR, EXECUTOR_NAMES } from '../../switch/codegen/executor-names';
import type { ExecutorName } from '../../switch/codegen/executor-names';
import { wholeOption } from '../shared/option-values';
import { reportViolations, runWithProgress } from '../shared/run-with-progress';
import { withGivenSettings } from '../shared/scenario-settings';
import { withSettings } from '../shared/setting-options';
import { textSummary } from '../shared/summary';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { typedCommand } from '../shared/typed-command';

const STDIN = 0;
const STDOUT = 1;

interface BackendFlags extends TrustFlags {
  readonly placement?: string;
  readonly seed: number;
  readonly out?: string;
  readonly check: boolean;
  readonly executor: ExecutorName;
}

export function registerNetworkBackend(command: Command): void {
  command
    .description(
      'Runs a network in virtual time for a program that decides what is sent when, and is told what has arrived: ' +
        'astra-sim by the adapter in deploy/astra-sim, which starts this command. Both speak lines over standard ' +
        'input and output (docs/workloads.md). Writes result.json, CSV series and report.html.',
    )
    .argument(
      '<network>',
      "name or file of a scenario, a topology file, or a network file of astra-sim's analytical backend",
    )
    .option('--placement <file>', 'which rank is on which host')
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--out <folder>', 'folder of the results (default: out/<network>-seed<n>)')
    .option('--no-check', 'do not check invariants on every packet; faster')
    .addOption(
      new Option('--executor <name>', 'what runs the P4 program')
        .choices(EXECUTOR_NAMES)
        .default(DEFAULT_EXECUTOR),
    );
  withTrust(withSettings(command, 'scenario')).action(async (file: string, flags: BackendFlags) => {
    const pipe = new PeerPipe(STDIN, STDOUT);
    try {
      await serve(pipe, { file, flags, command });
    } catch (error) {
      // The peer may have ended before.
      if (error instanceof InputError) quietly(() => pipe.write(errorLine(error.message)));
      throw error;
    }
  });
}

interface Served {
  readonly file: string;
  readonly flags: BackendFlags;
  readonly command: Command;
}

async function serve(pipe: PeerPipe, { file, flags, command }: Served): Promise<void> {
  const loaded = loadPeerNetwork(file, flags.placement);
  const { ranks, network } = loaded;
  const scenario = withGivenSettings(loaded.scenario, command);
  checkTrust(flags, [scenario.parameters.algorithm]);
  const { seed, check, executor, trust, out } = flags;
  const folder = out ?? path.join('out', `${scenario.name}-seed${seed}`);
  pipe.write(networkLine(network));
  await withOutputFolder(folder, async () => {
    const options = { seed, check, executor, trust, peer: { peer: pipe, ranks } };
    const done = await withFlowRows(folder, (flowSink) =>
      runWithProgress(scenario, { ...options, flowSink }),
    );
    const written = writeResult(done.result, folder, { command: typedCommand(), scenario });
    note(`${textSummary(done)}\n\nreport: ${written.report}`);
    for (const warning of resultWarnings(done.result)) note(`hpcc: ${warning}`);
    reportViolations(done);
    pipe.write(lastLine(done));
  });
}

/** A run that is no result fails the peer, too. */
function lastLine({ result: { violations, unfinished, uncontrolled, durationUs } }: Run): string {
  const fault = unfinished ?? uncontrolled ?? violations[0];
  return fault === undefined ? doneLine(Math.round(durationUs * PS_PER_US)) : errorLine(fault);
}

function quietly(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}
