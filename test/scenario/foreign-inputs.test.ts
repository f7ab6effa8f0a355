import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHere } from '../support/command-line';
import { FOREIGN_INPUTS, ONE_FLOW } from '../support/foreign-inputs';
import type { ForeignInputs } from '../support/foreign-inputs';
import { describeIf } from '../support/requires';

/** Folder of checkouts, `owner/name` each. */
const CHECKOUTS = process.env['HPCC_FOREIGN_INPUTS'];
/** Share of the files that must run. */
const RUN_MIN = 0.95;

const folderOf = ({ checkout, under }: ForeignInputs): string =>
  path.join(CHECKOUTS ?? '', checkout, under);

function filesOf(inputs: ForeignInputs): string[] {
  const folder = folderOf(inputs);
  if (CHECKOUTS === undefined || !fs.existsSync(folder)) return [];
  const all = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => inputs.files.test(file)).sort();
}

interface Tried {
  readonly inputs: ForeignInputs;
  readonly refusal: string | undefined;
}

/** A row of docs/testing.md for each kind of file. */
function tableOf(tried: readonly Tried[]): string[] {
  return FOREIGN_INPUTS.flatMap((inputs) => {
    const own = tried.filter((each) => each.inputs === inputs);
    if (own.length === 0) return [];
    const refusals = own.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal]));
    const runs = own.length - refusals.length;
    const reach = inputs.untilUs === undefined ? 'end' : `${inputs.untilUs} us`;
    const cells = [inputs.checkout, inputs.what, own.length, `${runs} (${reach})`];
    return `| ${cells.join(' | ')} | ${[...new Set(refusals)].join('; ')} |`;
  });
}

describeIf(
  CHECKOUTS !== undefined,
  "small inputs of simulators' repositories",
  'need their checkouts in HPCC_FOREIGN_INPUTS',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-foreign-'));
    const oneFlow = path.join(folder, 'one-flow.txt');
    const tried: Tried[] = [];
    beforeAll(() => fs.writeFileSync(oneFlow, ONE_FLOW));
    afterAll(() => {
      fs.rmSync(folder, { recursive: true });
      process.stderr.write(`${tableOf(tried).join('\n')}\n`);
      const runs = tried.filter(({ refusal }) => refusal === undefined).length;
      process.stderr.write(`${runs} of ${tried.length} run\n`);
    });

    const cases = FOREIGN_INPUTS.flatMap((inputs) =>
      filesOf(inputs).map((file) => ({ ...inputs, inputs, file })),
    );
    test.each(cases)(
      '$checkout, $what: $file runs, or is refused as it should be',
      async ({ inputs, file, args, untilUs, refused = {} }) => {
        const given = args(path.join(folderOf(inputs), file), oneFlow);
        const until = untilUs === undefined ? [] : ['--until-us', String(untilUs)];
        const plain = ['--no-check', '--workers', '1', '--out', path.join(folder, 'out')];
        const { status, stderr } = await hpccHere('run', ...given, ...until, ...plain);
        const reason = /^hpcc: (?:\/\S*?:(?:\d+:)? )?(.*)$/m.exec(
          stderr.trim().split('\n').at(-1) ?? '',
        )?.[1];
        // Seen while it goes on: all of them take minutes.
        process.stderr.write(`${file}: ${status === 0 ? 'runs' : (reason ?? '')}\n`);
        tried.push({ inputs, refusal: status === 0 ? undefined : (reason ?? stderr) });
        const wanted = Object.entries(refused).find(([end]) => file.endsWith(end))?.[1];
        expect([status, stderr]).toEqual(
          wanted === undefined ? [0, expect.anything()] : [1, expect.stringMatching(wanted)],
        );
      },
      1_200_000,
    );

    test('nearly all of them run', () => {
      const runs = tried.filter(({ refusal }) => refusal === undefined).length;
      expect(tried.length).toBeGreaterThan(0);
      expect(runs / tried.length).toBeGreaterThanOrEqual(RUN_MIN);
    });
  },
);
