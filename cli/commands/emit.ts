import type { Command } from 'commander';
import { readTextFile } from '../../common/io/bounded-file';
import { InputError, withPlace } from '../../common/errors';
import { generate } from '../../switch/codegen/generate';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { print } from '../../common/io/terminal';
import { wholeOption, within } from '../shared/option-values';

const DROP_PORT = 511;

export function registerEmit(command: Command): void {
  command
    .description(
      "Prints what the switch runs for a program: the JavaScript generated from p4c's BMv2 JSON.",
    )
    .argument(
      '<json>',
      "file that p4c-bm2-ss made of a program, such as p4src's artefact hpcc.json",
    )
    .option(
      '--drop-port <n>',
      'egress port that means "drop"',
      within(0, 511, wholeOption),
      DROP_PORT,
    )
    .action((file: string, { dropPort }: { dropPort: number }) => {
      const program = withPlace(file, () => readProgram(readText(file)));
      print(generate(program, dropPort).text.trimEnd());
    });
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch {
    throw new InputError(`${file}: cannot be read`);
  }
}
