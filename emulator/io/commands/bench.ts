import type { Command } from 'commander';
import { InputError } from '../../../common/errors';
import { loadScenario, withParameters } from '../scenario-files';
import { runScenario } from '../run-scenario';
import { print } from '../terminal';
import { benchEventQueue } from '../bench/event-queue';
import { benchAlgorithm } from '../bench/algorithm';
import { benchSwitch } from '../bench/switch';
import { benchSwitchLive } from '../bench/switch-live';
import { wholeOption } from './options';

const SUITES: Readonly<Record<string, (rounds: number) => Promise<object> | object>> = {
  algorithm: benchAlgorithm,
  'event-queue': benchEventQueue,
  switch: benchSwitch,
  emulator: benchEmulator,
};

/** Suites that need root run only when they are named. */
const NAMED_SUITES: typeof SUITES = { 'switch-live': benchSwitchLive };

export function registerBench(program: Command): void {
  program
    .command('bench')
    .summary('measure speed and memory')
    .description(
      'Prints speed figures as JSON: medians of several rounds. ' +
        `Suites: ${Object.keys(SUITES).join(', ')}; ` +
        `by name only, because they need root: ${Object.keys(NAMED_SUITES).join(', ')}.`,
    )
    .argument('[suite]', 'only this suite')
    .option('--rounds <n>', 'rounds per figure', wholeOption, 5)
    .action(async (suite: string | undefined, { rounds }: { rounds: number }) => {
      const names = suite === undefined ? Object.keys(SUITES) : [suite];
      const figures: Record<string, object> = {};
      for (const name of names) {
        const measure = SUITES[name] ?? NAMED_SUITES[name];
        if (measure === undefined) {
          const known = Object.keys({ ...SUITES, ...NAMED_SUITES }).join(', ');
          throw new InputError(`no suite '${name}'; there are ${known}`);
        }
        figures[name] = await measure(Math.max(1, rounds));
      }
      const rss = Math.round(process.memoryUsage().rss / 1e6);
      const node = process.version;
      print(JSON.stringify({ node, rounds, residentMegabytes: rss, ...figures }, null, 2));
    });
}

/** The whole loop: hosts, switches and links of a 16-to-1 incast. */
async function benchEmulator(rounds: number): Promise<object> {
  const scenario = withParameters(loadScenario('incast16'), {});
  const speeds: number[] = [];
  let packetHops = 0;
  for (let round = 0; round < rounds; round++) {
    const { result, wallSeconds } = await runScenario({
      scenario,
      seed: 1,
      checkInvariants: false,
    });
    packetHops = result.counters.packetHops;
    speeds.push(packetHops / wallSeconds);
  }
  speeds.sort((a, b) => a - b);
  const packetHopsPerSecond = Math.round(speeds[speeds.length >> 1] ?? 0);
  return { scenario: scenario.name, packetHops, packetHopsPerSecond };
}
