import * as fs from 'node:fs';
import * as path from 'node:path';
import { TNA_PROGRAMS } from '../../../common/io/p4-profiles';
import {
  loadTofinoReport,
  tofinoArtifactFolder,
  TOFINO_CHIPS,
} from '../../../common/io/tna-compiler';
import { ROOT } from '../../support/paths';

interface Share {
  readonly used: number;
  readonly of: number;
}

type Report = Readonly<Record<string, Share>> & {
  readonly parserRows: Readonly<Record<'ingress' | 'egress', Share>>;
  readonly phvContainers: Readonly<Record<string, number>>;
};

/** Value of a row of the table in a report. */
const ROWS: ReadonlyMap<string, (report: Report) => number | undefined> = new Map([
  ['match-action stages', ({ stages }) => stages?.used],
  ['logical tables', ({ logicalTables }) => logicalTables?.used],
  ['SRAM blocks', ({ sramBlocks }) => sramBlocks?.used],
  ['TCAM blocks', ({ tcamBlocks }) => tcamBlocks?.used],
  ['hash bits', ({ hashBits }) => hashBits?.used],
  ['VLIW instructions', ({ vliwInstructions }) => vliwInstructions?.used],
  ['rows of the ingress parser', ({ parserRows }) => parserRows.ingress.used],
  ['rows of the egress parser', ({ parserRows }) => parserRows.egress.used],
  ['containers of the packet header vector, 8 bits', ({ phvContainers }) => phvContainers['8']],
  ['16 bits', ({ phvContainers }) => phvContainers['16']],
  ['32 bits', ({ phvContainers }) => phvContainers['32']],
]);

const TABLE = /^\| \| (.*) \| of \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/m;

const cells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function table(): { readonly programs: string[]; readonly rows: string[][] } {
  const page = fs.readFileSync(path.join(ROOT, 'docs', 'tofino.md'), 'utf8');
  const [, programs = '', rows = ''] = TABLE.exec(page) ?? [];
  return {
    programs: programs.split('|').map((name) => name.trim().replaceAll('`', '')),
    rows: rows.trimEnd().split('\n').map(cells),
  };
}

const reports = (program: string): Report[] =>
  TOFINO_CHIPS.map((chip) => {
    const found = TNA_PROGRAMS.find(({ name }) => name === program);
    if (found === undefined) throw new Error(`docs/tofino.md tells of '${program}'`);
    return loadTofinoReport(found, chip) as unknown as Report;
  });

describe('the table of resources in docs/tofino.md', () => {
  const { programs, rows } = table();

  test('has all programs of which there are reports, and all rows', () => {
    const committed = fs.readdirSync(tofinoArtifactFolder()).filter((name) => /report/.test(name));
    const chips = TOFINO_CHIPS.map((chip) => `.${chip}.report.json`);
    const expected = programs.flatMap((name) => chips.map((suffix) => name + suffix));
    expect(committed.sort()).toEqual(expected.sort());
    expect(rows.map(([name]) => name)).toEqual([...ROWS.keys()]);
  });

  test.each([...ROWS])('tells the %s of both chips as the reports do', (name, used) => {
    const row = rows.find(([first]) => first === name)?.slice(1, -1);
    const expected = programs.map((program) => reports(program).map(used).join(' / '));
    expect(row).toEqual(expected);
  });
});
