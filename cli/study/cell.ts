import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { openOutputFolder } from '../../common/io/output-folder';
import { note, print } from '../../common/io/terminal';
import { writeResult } from '../../emulator/io/write-result';
import { canonicalText } from '../../emulator/study/cell';
import type { Cell } from '../../emulator/study/cell';
import type { LoadedStudy } from '../../emulator/study/io/load-study';
import { loadStudy } from '../../emulator/study/io/load-study';
import { keptResult } from '../../emulator/study/io/kept-results';
import { CellSlot } from '../../emulator/study/io/process-pool';
import { writeRecord } from '../../emulator/study/io/record-files';
import { runCell } from '../../emulator/study/io/run-cell';
import { wholeOption } from '../shared/option-values';

interface CellFlags {
  readonly study: string;
  readonly index?: number;
  readonly record?: string;
  readonly out?: string;
  readonly kept?: string;
}

export function registerCell(parent: Command): void {
  parent
    .command('cell')
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
    .option('--kept <where>', 'in place of running it: where study run --keep has left its result')
    .action(async (id: string | undefined, flags: CellFlags) => {
      const study = loadStudy(flags.study);
      const cell = chooseCell(study, id, flags.index);
      if (flags.kept !== undefined) await fetchKept(cell, flags.kept, flags.out);
      else if (flags.record === undefined) await repeat(study, cell, flags.out);
      else await record(study, cell, flags.record);
    });
}

function chooseCell(study: LoadedStudy, id: string | undefined, index: number | undefined): Cell {
  if ((id === undefined) === (index === undefined)) {
    throw new InputError('give either the id of a cell or --index');
  }
  let at = 0;
  const found: Cell[] = [];
  for (const cell of study.cells()) {
    if (index === undefined ? cell.id.startsWith(id ?? '') : at++ === index) found.push(cell);
  }
  const [cell] = found;
  const ids = new Set(found.map((one) => one.id));
  if (cell !== undefined && ids.size === 1) return cell;
  const asked = index === undefined ? `id ${id}` : `index ${index}`;
  throw new InputError(
    cell === undefined
      ? `no cell with ${asked} in ${study.file}, which has ${study.size}`
      : `${ids.size} cells have an ${asked}…: give more of it`,
  );
}

async function fetchKept({ id }: Cell, where: string, out: string | undefined): Promise<void> {
  if (out === undefined) throw new InputError('--kept: needs --out with a folder');
  const result = await keptResult(where, id);
  note(`report: ${writeResult(result, out).report}`);
}

async function repeat(
  { judge }: LoadedStudy,
  { input }: Cell,
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) openOutputFolder(out);
  const { summary, result } = await runCell(canonicalText(input), { files: { judge } });
  if (out !== undefined) note(`report: ${writeResult(result, out).report}`);
  print(summary);
}

async function record(
  { document, judge }: LoadedStudy,
  { id, input }: Cell,
  folder: string,
): Promise<void> {
  openOutputFolder(folder);
  const slot = new CellSlot();
  const { limits } = document;
  const outcome = await slot.run({
    cell: id,
    input: canonicalText(input),
    limits,
    files: { judge },
  });
  slot.stop();
  if (outcome === undefined) return;
  print(writeRecord(folder, outcome));
  if (outcome.reason === undefined) return;
  note(`hpcc: cell ${id.slice(0, 12)} failed: ${outcome.reason}`);
  process.exitCode = 1;
}
