import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { alignedTable, print } from '../../common/io/terminal';
import { explainFlow } from '../../emulator/io/explain-flow';
import { figureColumns } from '../../emulator/figures/figure-columns';
import { causeGroups, causeText, causeVerdict, placeText } from '../../emulator/result/cause-text';
import type { FlowCauses } from '../../emulator/result/flow-causes';
import type { Result } from '../../emulator/result/result';
import { countOption } from '../shared/option-values';
import { readRun } from '../shared/read-run';

interface WhyFlags {
  readonly trust?: true;
  readonly json?: true;
}

export function registerWhy(command: Command): void {
  command
    .description(
      'Runs a run again and divides the completion time of one flow by cause: what its last ' +
        'acknowledgement had to wait for, where, behind which flows, and when. The parts are all of it.',
    )
    .argument('<result>', 'folder or result.json of a run')
    .argument(
      '[flow]',
      'number of the flow (default: the one with the largest slowdown)',
      countOption,
    )
    .option(
      '--trust',
      'repeat a run whose scenario names an algorithm file: that code then runs here, in a compartment',
    )
    .option('--json', 'print one JSON object instead of a table')
    .action(async (given: string, flow: number | undefined, flags: WhyFlags) => {
      const { repeat, result, cannotRepeat } = readRun(given, flags.trust === true);
      if (repeat === undefined) {
        throw new InputError(cannotRepeat ?? `${given} has no scenario.json to run again`);
      }
      const causes = await explainFlow(repeat, flow ?? slowestFlow(result));
      if (flags.json === true) print(JSON.stringify(causes));
      else print(`${causeVerdict(causes)}\n\n${causeTable(causes)}`);
    });
}

function slowestFlow({ flows }: Result): number {
  const slowdownOf = ({ slowdown }: Result['flows'][number]): number => slowdown ?? 0;
  const [slowest] = flows.toSorted((a, b) => slowdownOf(b) - slowdownOf(a));
  if (slowest === undefined || slowest.slowdown === null) {
    throw new InputError('no flow of this run has finished');
  }
  return slowest.id;
}

/** A row per cause and place, the longest first; what is below a thousandth is left to `--json`. */
function causeTable(causes: FlowCauses): string {
  const groups = causeGroups(causes).filter(({ share }) => share >= LEAST_SHARE);
  const cells = figureColumns(groups, [
    { path: 'causes.*.parts.*.timeUs', of: ({ timeUs }) => timeUs },
    { path: 'causes.*.parts.*.share', of: ({ share }) => share },
    { path: 'causes.*.parts.*.fromUs', of: ({ fromUs }) => fromUs },
    { path: 'causes.*.parts.*.toUs', of: ({ toUs }) => toUs },
  ]);
  const [heads = [], ...rows] = cells;
  return alignedTable([
    ['cause', 'where', ...heads, 'behind flows'],
    ...groups.map((group, i) => [
      causeText(group),
      placeText(group.at),
      ...(rows[i] ?? []),
      flowsText(group.flows),
    ]),
  ]);
}

const LEAST_SHARE = 0.001;
const FLOWS_NAMED = 6;

function flowsText(flows: readonly number[]): string {
  const named = flows.slice(0, FLOWS_NAMED).join(', ');
  return flows.length > FLOWS_NAMED ? `${named} and ${flows.length - FLOWS_NAMED} more` : named;
}
