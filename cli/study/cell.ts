import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { openOutputFolder, withOutputFolder } from '../../common/io/output-folder';
import { note, print } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/results/write-result';
import { canonicalText } from '../../emulator/study/cell';
import type { Cell } from '../../emulator/study/cell';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import { codeOf, loadStudy } from '../../emulator/study/io/load-study';
import { keptResult } from '../../emulator/study/io/kept-results';
import { CellSlot } from '../../emulator/study/io/process-pool';
import { writeRecord } from '../../emulator/study/io/record-files';
import { wholeOption } from '../shared/option-values';
import { keptAt, withCodeTrust } from './shared';

interface CellFlags {
  readonly trust?: true;
  readonly study: string;
  readonly index?: number;
  readonly record?: string;
  readonly out?: string;
  readonly kept?: string;
  readonly keep?: string;
}

export function registerCell(parent: Command): void {
  withCodeTrust(parent.command('cell'))
    .summary('run one cell of a study again')
    .description(
      'Runs one cell exactly as the study does, and prints the deterministic part of its outcome. ' +
        'Batch systems run cells by their index, and leave records for the study to find.',
    )
    .argument('[id]', 'id of a cell, or its beginning')
    .requiredOption('--study <file>', 'study that has it')
    .option('--index <n>', 'in place of an id: its number in the study, from 0', wholeOption)
    .option('--record <folder>', 'write the outcome there, within the limits of the study')
    .option('--out <folder>', 'write the whole result with its page there')
    .option('--keep <where>', 'with --record: leave the whole result there, as study run does')
    .option('--kept <where>', 'in place of running it: where study run --keep has left its result')
    .action(async (id: string | undefined, flags: CellFlags) => {
      checkTogether(flags);
      const study = loadStudy(flags.study);
      const cell = chooseCell(study, id, flags.index);
      if (flags.kept !== undefined) await fetchKept(cell, flags.kept, flags.out);
      else if (flags.record === undefined) await repeat(study, cell, flags);
      else
        await record(study, cell, {
          folder: flags.record,
          keep: keptAt(flags.keep),
          trust: flags.trust,
        });
    });
}

/** Refuses flags that exclude each other, so that no half of them is carried out. */
function checkTogether({ record: recorded, out, kept, keep }: CellFlags): void {
  if (recorded !== undefined && out !== undefined)
    throw new InputError('--record and --out: give one of them');
  if (kept !== undefined && recorded !== undefined)
    throw new InputError('--kept and --record: give one of them');
  if (keep !== undefined && recorded === undefined)
    throw new InputError('--keep: needs --record with a folder');
}

function chooseCell(study: LoadedStudy, id: string | undefined, index: number | undefined): Cell {
  if ((id === undefined) === (index === undefined)) {
    throw new InputError('give either the id of a cell or --index');
  }
  const cell = index === undefined ? cellWithId(study, id ?? '') : study.cellAt(index);
  if (cell !== undefined) return cell;
  const asked = index === undefined ? `id ${id}` : `index ${index}`;
  throw new InputError(`no cell with ${asked} in ${study.file}, which has ${study.size}`);
}

/** @throws InputError when several cells have ids that begin so. */
function cellWithId(study: LoadedStudy, beginning: string): Cell | undefined {
  const found = new Map<string, Cell>();
  for (const cell of study.cells()) if (cell.id.startsWith(beginning)) found.set(cell.id, cell);
  if (found.size > 1)
    throw new InputError(`${found.size} cells have an id ${beginning}…: give more of it`);
  return [...found.values()][0];
}

async function fetchKept({ id }: Cell, where: string, out: string | undefined): Promise<void> {
  if (out === undefined) throw new InputError('--kept: needs --out with a folder');
  const result = await keptResult(where, id);
  note(`report: ${writeResult(result, out).report}`);
}

async function repeat(
  study: LoadedStudy,
  cell: Cell,
  { out, trust }: Pick<CellFlags, 'out' | 'trust'>,
): Promise<void> {
  /* eslint-disable @typescript-eslint/no-require-imports -- PERF: records and kept results need no emulator */
  const { runCell } =
    require('../../emulator/study/io/run-cell') as typeof import('../../emulator/study/io/run-cell');
  /* eslint-enable @typescript-eslint/no-require-imports */
  const work = async (): Promise<void> => {
    const { summary, result } = await runCell(canonicalText(cell.input), {
      files: codeOf(study, [cell], trust),
    });
    if (out !== undefined) note(`report: ${writeResult(result, out).report}`);
    print(summary);
  };
  await (out === undefined ? work() : withOutputFolder(out, work));
}

interface RecordFlags {
  readonly folder: string;
  readonly keep: string | undefined;
  readonly trust: true | undefined;
}

async function record(
  study: LoadedStudy,
  cell: Cell,
  { folder, keep, trust }: RecordFlags,
): Promise<void> {
  openOutputFolder(folder);
  const slot = new CellSlot();
  const { id, input } = cell;
  const { limits } = study.document;
  const files = { ...codeOf(study, [cell], trust), keep };
  const outcome = await slot.run({ cell: id, input: canonicalText(input), limits, files });
  slot.stop();
  if (outcome === undefined) return;
  print(writeRecord(folder, outcome));
  if (outcome.reason === undefined) return;
  note(`hpcc: cell ${id.slice(0, 12)} failed: ${outcome.reason}`);
  process.exitCode = 1;
}
