import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, print } from '../../common/io/terminal';
import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import { distributionNames } from '../../emulator/io/inputs/distributions';
import { writeFlowFiles } from '../../emulator/io/inputs/flow-files';
import { loadScenario, loadSimulatorTopology } from '../../emulator/io/inputs/scenario-files';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../emulator/scenario/schema';
import { countOption, positiveOption, wholeOption } from '../shared/option-values';

interface FlowsFlags {
  readonly topology?: string;
  readonly distribution?: string;
  readonly load: number;
  readonly durationUs: number;
  readonly incastFanIn?: number;
  readonly incastBytes: number;
  readonly incastShare: number;
  readonly seed: number;
  readonly out: string;
  readonly json?: true;
}

export function registerFlows(command: Command): void {
  command
    .description(
      'Writes topology.txt and flows.txt, which the HPCC simulator and `hpcc run --topology ' +
        '--flows` read: what a scenario sends, or flows that arrive as a Poisson process with ' +
        `sizes from a distribution (${distributionNames().join(', ')}, or a file of ` +
        '`bytes percent` lines), with random incasts on top if wanted.',
    )
    .argument('[scenario]', 'name or file of a scenario')
    .option('--topology <file>', "topology in the HPCC simulator's format, instead of a scenario")
    .option('--distribution <name>', 'of flow sizes; adds flows to those of the scenario')
    .option('--load <share>', "payload as a share of the hosts' rates", positiveOption, 0.5)
    .option('--duration-us <n>', 'for so long flows arrive', positiveOption, 10_000)
    .option('--incast-fan-in <n>', 'adds incasts of n senders at random instants', countOption)
    .option('--incast-bytes <n>', 'from each sender of an incast', countOption, 500_000)
    .option(
      '--incast-share <share>',
      "payload of incasts over the hosts' rates",
      positiveOption,
      0.02,
    )
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--out <folder>', 'folder of the two files', '.')
    .option('--json', 'print one JSON object instead of a table')
    .action((name: string | undefined, flags: FlowsFlags) => {
      const written = writeFlowFiles(
        withTraffic(baseOf(name, flags), flags),
        flags.seed,
        flags.out,
      );
      if (flags.json === true) {
        print(JSON.stringify(written));
        return;
      }
      print(
        alignedTable([
          ['flows', String(written.flows)],
          ['payload', figureText(figureAt('flows.*.bytes'), written.bytes)],
          ['last start', figureText(figureAt('flowTotals.lastStartUs'), written.lastStartUs)],
          ['load', `${figureText(figureAt('live.load'), written.load)} of the hosts' rates`],
          ['written', `${written.topologyFile}, ${written.flowFile}`],
        ]),
      );
    });
}

function baseOf(name: string | undefined, { topology }: FlowsFlags): ScenarioDocument {
  if ((name === undefined) === (topology === undefined)) {
    throw new InputError('give either a scenario or --topology');
  }
  return name === undefined ? loadSimulatorTopology(topology as string) : loadScenario(name);
}

type WorkloadInput = NonNullable<ScenarioInput['workloads']>[number];

function withTraffic(scenario: ScenarioDocument, flags: FlowsFlags): ScenarioDocument {
  const { distribution, load, durationUs, incastFanIn } = flags;
  const workloads: WorkloadInput[] = [...scenario.workloads];
  if (distribution !== undefined) {
    workloads.push({ kind: 'poisson', name: 'poisson', distribution, load, durationUs });
  }
  if (incastFanIn !== undefined) {
    const { incastBytes: bytes, incastShare: share } = flags;
    const incast = { fanIn: incastFanIn, bytes, share, durationUs };
    workloads.push({ kind: 'random-incast', name: 'incast', ...incast });
  }
  const result = scenarioSchema.safeParse({ ...scenario, workloads });
  if (result.success) return result.data;
  const issues = result.error.issues.map(
    ({ path, message }) => `${path.at(-1) as string}: ${message}`,
  );
  throw new InputError(issues.map((issue) => issue.replace(/^load/, '--load')).join('\n'));
}
