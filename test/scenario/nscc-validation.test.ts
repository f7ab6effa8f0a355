import * as fs from 'node:fs';
import * as path from 'node:path';
import { runScenario } from '../../emulator/io/run-scenario';
import { checkedScenario } from '../../emulator/io/inputs/scenario-files';
import { withWorkloadFiles } from '../../emulator/io/inputs/workload-files';
import { EFFORT } from '../support/effort';
import {
  experimentScenario,
  missingFor,
  readExperiments,
  tailOfHtsim,
} from '../support/htsim-validation';
import { describeIf } from '../support/requires';

/** Folder of checkouts, `owner/name` each. */
const CHECKOUTS = process.env['HPCC_FOREIGN_INPUTS'] ?? '';
const FOLDER = path.join(CHECKOUTS, 'ultraethernet', 'uet-htsim', 'htsim', 'sim', 'datacenter');
/** Experiments of congestion control by senders and by receivers. */
const FILES = ['validate_uec_sender', 'validate_uec_rcv'].filter((name) =>
  fs.existsSync(path.join(FOLDER, `${name}.txt`)),
);
/** Text of a file, or nothing. */
const textOf = (...parts: readonly string[]): string => {
  const file = path.join(FOLDER, ...parts);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};
/** Hosts of the experiments that run by default. */
const HOSTS_MAX = EFFORT > 1 ? 1024 : 128;
/** Share of the experiments that must end within their bars. */
const WITHIN_MIN = 0.9;

const say = (...cells: readonly unknown[]): unknown =>
  process.stderr.write(`| ${cells.join(' | ')} |\n`);

test('experiments are read with their options and bars', () => {
  const text = [
    'connection_matrices/one.cm ',
    '!Experiment Single Connection',
    '!Binary ./htsim_uec',
    '!Param -end 1000',
    '!Param -sender_cc_only',
    '!tailFCT 190',
    'connection_matrices/two.cm',
    '!Experiment Two',
    '!Param -sleek',
    '!tailFCT 20',
  ].join('\n');
  const [one, two] = readExperiments(text);
  expect(one).toMatchObject({ name: 'Single Connection', tailUs: 190 });
  expect(one?.matrix).toBe('connection_matrices/one.cm');
  expect([...(one?.options ?? [])]).toEqual([
    ['end', '1000'],
    ['sender_cc_only', ''],
  ]);
  expect(one && missingFor(one)).toBeUndefined();
  expect(two && missingFor(two)).toBe('sleek');
});

describeIf(
  FILES.length > 0,
  "NSCC and RCCC on htsim's own experiments",
  'need its checkout in HPCC_FOREIGN_INPUTS',
  () => {
    const experiments = FILES.flatMap((file) =>
      readExperiments(textOf(`${file}.txt`)).map((experiment) => ({ file, ...experiment })),
    );
    const outputs = new Map(
      // htsim's own run of it.
      FILES.map((file) => [file, textOf('validate_outputs', `${file}.out`)]),
    );
    beforeAll(() =>
      say('control', 'experiment', 'hosts', 'bar (us)', 'htsim (us)', 'here (us)', '', 'trimmed'),
    );
    /** Ends of the last flow, here and in htsim's own run, and the latest that its authors expect. */
    const ran: { readonly tailUs: number; readonly barUs: number; readonly htsimUs: number }[] = [];

    test.each(experiments)(
      '$file: $name runs, or says what it lacks',
      async ({ file, ...experiment }) => {
        const { name, matrix, tailUs: barUs } = experiment;
        const control = file.slice('validate_uec_'.length);
        const text = fs.readFileSync(path.join(FOLDER, matrix), 'utf8');
        const nodes = Number(/^Nodes\s+(\d+)/.exec(text)?.[1]);
        const missing = missingFor(experiment);
        const htsim = tailOfHtsim(outputs.get(file) ?? '', name);
        if (missing !== undefined || nodes > HOSTS_MAX) {
          const why = missing === undefined ? 'HPCC_EFFORT is 1' : `not here: -${missing}`;
          say(control, name, nodes, barUs, htsim, why);
          return;
        }
        const input = checkedScenario(experimentScenario(experiment, FOLDER, nodes));
        const scenario = withWorkloadFiles(input, FOLDER);
        const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
        const tailUs = Math.max(
          ...result.flows.map(({ startUs, fctUs }) => startUs + (fctUs ?? Infinity)),
        );
        const beside = htsim === undefined ? '' : `${((tailUs / htsim - 1) * 100).toFixed(1)} %`;
        say(
          control,
          name,
          nodes,
          barUs,
          htsim,
          tailUs.toFixed(1),
          beside,
          result.trimming?.headers ?? 0,
        );
        ran.push({ tailUs, barUs, htsimUs: htsim ?? barUs });
      },
      1_200_000,
    );

    test(`${WITHIN_MIN * 100} % of those that htsim ends within their bars end so here`, () => {
      const within = ({ tailUs, barUs }: Readonly<(typeof ran)[number]>): boolean =>
        tailUs <= barUs;
      const own = ran.filter(({ htsimUs, barUs }) => htsimUs <= barUs);
      const [here, all] = [ran.filter(within).length, ran.length];
      say(`within their bars: ${here} of ${all} here, ${own.length} in htsim's own run`);
      expect(own.filter(within).length / own.length).toBeGreaterThanOrEqual(WITHIN_MIN);
    });
  },
);
