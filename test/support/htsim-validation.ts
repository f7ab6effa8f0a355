import * as path from 'node:path';
import { loadSimulatorTopology } from '../../emulator/io/inputs/scenario-files';
import type { ScenarioInput } from '../../emulator/scenario/schema';

/** An experiment of htsim's files `validate_uec_*.txt`: traffic, options, and the completion that they expect. */
export interface Experiment {
  readonly name: string;
  /** Connection matrix, by its path in the folder of the files. */
  readonly matrix: string;
  /** Options of `htsim_uec`, without values where they have none. */
  readonly options: ReadonlyMap<string, string>;
  /** Bar of the last flow's end, in us. */
  readonly tailUs: number;
}

/** Reads a file of experiments: a line with the matrix, then lines that begin with `!`. */
export function readExperiments(text: string): Experiment[] {
  const experiments: Experiment[] = [];
  for (const block of text.split(/\n(?=[^!\s])/)) {
    const [matrix = '', ...lines] = block.trim().split('\n');
    const valueOf = (key: string): string =>
      lines.find((line) => line.startsWith(`!${key} `))?.slice(key.length + 2) ?? '';
    const given = lines.flatMap((line) => /^!Param -(\S+)\s*(.*)$/.exec(line) ?? []);
    const options = new Map<string, string>();
    for (let i = 0; i + 2 < given.length; i += 3)
      options.set(given[i + 1] ?? '', given[i + 2] ?? '');
    const name = valueOf('Experiment').trim();
    if (name !== '' && !matrix.startsWith('#')) {
      experiments.push({
        name,
        matrix: matrix.trim(),
        options,
        tailUs: Number(valueOf('tailFCT')),
      });
    }
  }
  return experiments;
}

/** Options that the scenario has, or that change nothing here: the length of the run. */
const SAME = [
  'sender_cc_only',
  'receiver_cc_only',
  'end',
  'paths',
  'load_balancing_algo',
  'topo',
  'cwnd',
  'failed',
];

/** Option that an experiment needs and the emulator has nothing for; undefined: none. */
export const missingFor = ({ options }: Experiment): string | undefined =>
  [...options.keys()].find((option) => !SAME.includes(option));

/** Bandwidth-delay product of htsim's fat tree of 100 Gb/s and 1 us, in bytes, from which it has queue and marks. */
const QUEUE_BYTES = 178_450;
const MARKS = { minBytes: 37_350, maxBytes: 145_250, maxProbability: 1, forGbps: 100 };
/** The link from the first core to the first aggregation switch that `-failed 1` is about: a quarter downwards. */
const FAILED = [
  { between: ['agg-1-1', 'spine-1-1'] as [string, string], rateGbps: 100, backRateGbps: 25 },
];
/** Payload with which frames have 4,150 bytes, as there. */
const MSS = 4084;

/** Tail completion of htsim's own run of an experiment, in us, by the file that comes beside it. */
export function tailOfHtsim(outputs: string, name: string): number | undefined {
  const own = outputs.split('Experiment: ').find((each) => each.startsWith(`${name} `));
  const found = /Tail FCT ([\d.]+) us/.exec(own ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The experiment as a scenario, on the smallest fat tree for its hosts, as htsim takes it. */
export function experimentScenario(
  { name, matrix, options }: Experiment,
  folder: string,
  nodes: number,
): ScenarioInput {
  const k = [4, 8, 16].find((ports) => ports ** 3 / 4 >= nodes) ?? 16;
  const topo = options.get('topo');
  const algorithm = options.has('receiver_cc_only') ? 'rccc' : 'nscc';
  const firstSegments = Number(options.get('cwnd') ?? 0);
  const isFirst = firstSegments > 0 && algorithm === 'nscc';
  const balancing = { oblivious: 'random', reps: 'reps' }[options.get('load_balancing_algo') ?? ''];
  return {
    name: 'htsim',
    title: name,
    topology:
      topo === undefined
        ? {
            kind: 'fat-tree',
            k,
            rateGbps: 100,
            delayNs: 1000,
            ...(options.get('failed') === '1' && { slowLinks: FAILED }),
          }
        : loadSimulatorTopology(path.join(folder, topo)).topology,
    workloads: [{ kind: 'trace', name: 'all', trace: path.join(folder, matrix) }],
    trim: { queueBytes: QUEUE_BYTES, forGbps: MARKS.forGbps },
    telemetry: { ecn: MARKS },
    parameters: {
      algorithm,
      ...(isFirst && { constants: { firstSegments } }),
      lossRecovery: 'selective-repeat',
      mss: MSS,
      ...(options.get('paths') !== '1' && {
        balancing: (balancing ?? 'reps') as 'reps',
        entropies: 128,
      }),
    },
    record: { queueIntervalNs: 10_000, sampledFlows: 0 },
  };
}
