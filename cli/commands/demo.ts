import * as path from 'node:path';
import type { Command } from 'commander';
import { droppedBySwitches } from '../../emulator/result/losses';
import { alignedTable, print } from '../../common/io/terminal';
import { openOutputFolder } from '../../common/io/output-folder';
import { figureAt } from '../../emulator/figures/dictionary';
import type { Figure } from '../../emulator/figures/figure';
import { figureText } from '../../emulator/figures/figure-text';
import type { Run } from '../../emulator/io/run-scenario';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import { writeAtomically } from '../../common/io/atomic-file';
import { writeResult } from '../../emulator/io/results/write-result';
import { flowSumsOf } from '../../emulator/result/flow-totals';
import type { Result } from '../../emulator/result/result';
import { contrastCharts } from '../../emulator/view/data/contrast';
import { drawPicture } from '../../emulator/view/picture/draw-picture';
import { LongestQueueWitness } from '../../emulator/record/longest-queue-witness';
import type { PacketStory } from '../../emulator/record/longest-queue-witness';
import { planNetwork } from '../../emulator/network/plan';
import { formatIpv4 } from '../../common/topology/topology';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { CarrierHop } from '../../common/hop/hop';
import { wholeOption } from '../shared/option-values';
import { reportViolations, runWithProgress } from '../shared/run-with-progress';

const SCENARIO = 'incast16';
/** A megabyte per port, as in switches with shallow buffers: the same for both. */
const QUEUE_BYTES = 1_000_000;

const WITHOUT = { label: 'line rate, losses only' };
const WITH = { label: 'HPCC++' };

export function registerDemo(command: Command): void {
  command
    .description(
      'Sixteen hosts send 500 KB each to one host at 100 Gb/s, first at line rate with nothing but ' +
        'losses to stop them, then under HPCC++. The switch runs the compiled P4 program, set up by ' +
        'the controller over P4Runtime. Needs no root, no p4c and no bmv2.',
    )
    .option('--seed <n>', 'seed of all randomness', wholeOption, 1)
    .option('--out <folder>', 'folder of the results', path.join('out', 'demo'))
    .action(({ seed, out }: { seed: number; out: string }) => demo(seed, out));
}

async function demo(seed: number, out: string): Promise<void> {
  openOutputFolder(out);
  const scenario = withParameters(loadScenario(SCENARIO), { queueCapacityBytes: QUEUE_BYTES });
  const uncontrolled = withParameters(scenario, { algorithm: 'none' });
  const without = await runWithProgress(uncontrolled, { seed, check: true });
  const witness = new LongestQueueWitness();
  const controlled = await runWithProgress(scenario, {
    seed,
    check: true,
    observer: () => witness,
  });
  const story = storyTable(scenario, witness.story);
  const runs = [
    { ...WITHOUT, result: without.result },
    { ...WITH, result: controlled.result },
  ];
  const command = `./hpcc demo --seed ${seed}`;
  const picture = drawPicture(contrastCharts(runs), command);
  const { report } = writeResult(controlled.result, out, {
    subtitle: 'The same incast twice in virtual time; all but the first two charts are of HPCC++.',
    command,
    contrast: runs,
    scenario,
    sections: [{ title: PACKET_TITLE, subject: 'Packets', rows: story, text: [PACKET_TEXT] }],
  });
  const drawn = path.join(out, 'contrast.svg');
  writeAtomically(drawn, picture);
  print(`${scenario.title}\n\n${contrastTable(without, controlled)}\n\n${STORY}`);
  print(`\n${PACKET_TITLE}:\n\n${alignedTable(story)}\n\n${PACKET_TEXT}`);
  print(`\nOpen the report: ${path.resolve(report)}\nThe picture alone: ${path.resolve(drawn)}`);
  reportViolations(without);
  reportViolations(controlled);
}

const STORY =
  'All sixteen start at line rate. With losses only, the queue overflows, and what it drops is sent\n' +
  'again and again while the link runs idle between. Under HPCC++, telemetry of each packet cuts the\n' +
  'senders back at once: the queue is drained and stays near empty while the link stays busy.';

const PACKET_TITLE =
  'What one packet saw on its way under HPCC++, the one that met the longest queue';

const PACKET_TEXT =
  'Every switch adds such a record to every packet, the receiver sends them back, and the sender computes\n' +
  'from two of them how busy the link was and how many bytes it may have on the way.';

/** Placeholder units: the names of devices do not depend on them. */
const UNITS = { clockUnitNs: 1, queueDepthUnitBytes: 1, txUnitBytes: 1 };

/** The path of a packet, a row per host and switch. */
function storyTable(scenario: ScenarioDocument, story: PacketStory | undefined): string[][] {
  const heads = ['', 'in port', 'out port', ...RECORD.map(([key]) => headOfRecord(key))];
  if (story === undefined) return [heads];
  const { topology } = planNetwork(expandTopology(scenario.topology), UNITS);
  const { hosts, switches } = topology;
  const host = (address: string): string =>
    hosts.find(({ ipv4 }) => formatIpv4(ipv4) === address)?.name ?? address;
  const row = (name: string, ...cells: string[]) => [
    name,
    ...cells,
    ...heads.slice(1 + cells.length).map(() => ''),
  ];
  return [
    heads,
    row(`sent by ${host(story.source)}`),
    ...story.hops.map((hop) => {
      const name = switches.find(({ nodeId }) => nodeId === hop.switchId)?.name;
      return [`switch ${name ?? hop.switchId}`, ...recordCells(hop)];
    }),
    row(`received by ${host(story.destination)}`, '', '', recordText('leftUs', story.receivedUs)),
  ];
}

/** Fields of a record by their figures, in the units of those. */
const RECORD: readonly (readonly [key: string, of: (hop: CarrierHop) => number | undefined])[] = [
  ['leftUs', ({ timestamp }) => timestamp && timestamp / NS_PER_US],
  ['queueBytes', ({ queueBytes }) => queueBytes],
  ['txBytes', ({ txBytes }) => txBytes],
  ['capacityGbps', ({ capacity }) => capacity && capacity / BITS_PER_GIGABIT],
];
const NS_PER_US = 1000;
const BITS_PER_GIGABIT = 1e9;

const recordFigure = (key: string): Figure => figureAt(`packet.hops.*.${key}`);
const recordText = (key: string, value: number | undefined): string =>
  figureText(recordFigure(key), value);

/** Name of a field, with the symbol of the drafts. */
function headOfRecord(key: string): string {
  const { name, short = name, symbol } = recordFigure(key);
  return symbol === undefined ? short : `${short} (${symbol})`;
}

const recordCells = (hop: CarrierHop): string[] => [
  String(hop.ingressPortId ?? '-'),
  String(hop.portId ?? '-'),
  ...RECORD.map(([key, of]) => recordText(key, of(hop))),
];

/** Figures that the demo sets side by side, by their paths. */
const CONTRAST: readonly (readonly [path: string, of: (result: Result) => number | null])[] = [
  ['flowTotals.lastEndUs', (result) => flowSumsOf(result).lastEndUs],
  ['fctUs.median', ({ fctUs }) => fctUs?.median ?? null],
  ['compare.drops', droppedBySwitches],
  ['bottleneck.queuePeakBytes', ({ bottleneck }) => bottleneck.queuePeakBytes],
  ['bottleneck.drainedAtUs', ({ bottleneck }) => bottleneck.drainedAtUs],
  ['jain', ({ jain }) => jain],
];

function contrastTable(without: Run, controlled: Run): string {
  const lines = CONTRAST.map(([path, of]) => {
    const figure = figureAt(path);
    return [
      figure.name,
      ...[without, controlled].map(({ result }) => figureText(figure, of(result))),
    ];
  });
  return alignedTable([['', WITHOUT.label, WITH.label], ...lines]);
}
