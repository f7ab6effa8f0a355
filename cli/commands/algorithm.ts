import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, print } from '../../common/io/terminal';
import { algorithmNamed, ALGORITHMS } from '../../host-agent/algorithm/library/algorithms';
import { checkConformance } from '../../host-agent/algorithm/library/conformance';
import type { Signals } from '../../host-agent/algorithm/signals';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { registerJudge } from './algorithm-judge';

export function registerAlgorithm(algorithm: Command): void {
  algorithm
    .command('list')
    .description('Prints the algorithms that come with the project, what they need, and constants.')
    .action(() => print(table()));
  withTrust(algorithm.command('check'))
    .description(
      'Puts an algorithm through what flows go through: idleness, losses, reordering, resets. ' +
        'Exits with 1 when a case fails.',
    )
    .argument('<algorithm>', 'a name, or a file such as ./mine.mjs')
    .action(async (name: string, flags: TrustFlags) => {
      checkTrust(flags, [name]);
      const { trust } = flags;
      const results = checkConformance(await loadAlgorithm(name, { trust }));
      for (const { name: what, problem } of results) {
        print(problem === undefined ? `ok      ${what}` : `failed  ${what}: ${problem}`);
      }
      const failed = results.filter(({ problem }) => problem !== undefined).length;
      if (failed > 0) throw new InputError(`${name} fails ${failed} of ${results.length} cases`);
    });
  registerJudge(algorithm);
}

function table(): string {
  const rows = ALGORITHMS.map((name) => {
    const { signals, constants } = algorithmNamed(name);
    const values = Object.entries(constants).map(([key, value]) => `${key}=${value}`);
    return [name, signalText(signals), values.join(' ')];
  });
  return alignedTable([['algorithm', 'signals', 'constants'], ...rows]);
}

function signalText(signals: Signals): string {
  const { telemetry, marks, timestamps, countsFlows, credits, turns } = signals;
  const { samplesPerWindow: samples } = signals;
  const words = [
    ...(telemetry === 'none' ? [] : [telemetry]),
    ...(samples === undefined ? [] : [`${samples} per window`]),
    ...(countsFlows === true ? ['flow count'] : []),
    ...(credits === true ? ['credits'] : []),
    ...(turns === true ? ['turns'] : []),
    ...(marks ? ['marks'] : []),
    ...(timestamps ? ['timestamps'] : []),
  ];
  return words.join(' ') || '-';
}
