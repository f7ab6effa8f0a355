import { Option } from 'commander';
import type { Command } from 'commander';
import { readTextFile } from '../../common/io/bounded-file';
import { InputError, withPlace } from '../../common/errors';
import { runStfOnBmv2 } from '../../switch/io/bmv2/run-stf';
import { runStfOnTofinoModel } from '../../switch/io/tofino-model/run-stf';
import { EXECUTORS } from '../../switch/codegen/executors';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import type { StfVerdict } from '../../switch/stf/run/run-stf';
import { note, print } from '../../common/io/terminal';

const PASSED = 0;
const DIFFERED = 1;
const UNUSABLE = 2;

const BMV2 = 'bmv2';
const TOFINO_MODEL = 'tofino-model';

export function registerStf(command: Command): void {
  command
    .description(
      'Loads a program compiled for BMv2, executes the statements of an STF file and compares ' +
        'the packets that leave with those expected. Exits with 0 when they agree, 1 when they ' +
        'differ, 2 when the test cannot be run.',
    )
    .argument('<program>', `p4c's BMv2 JSON; for ${TOFINO_MODEL} the folder of a build for Tofino`)
    .argument('<test.stf>', 'the test')
    .addOption(
      new Option('--executor <name>', 'what runs the program')
        .choices([...EXECUTORS.keys(), BMV2, TOFINO_MODEL])
        .default('interpreter'),
    )
    .action(async (program: string, test: string, { executor }: { executor: string }) => {
      process.exitCode = await runTest(program, test, executor);
    });
}

/** Returns the exit code. */
async function runTest(program: string, testPath: string, executor: string): Promise<number> {
  try {
    const verdict = await runFiles(program, testPath, executor);
    for (const line of verdict.notes) note(line);
    return report(verdict, testPath);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    note(`hpcc: ${error.message}`);
    return UNUSABLE;
  }
}

async function runFiles(program: string, testPath: string, executor: string): Promise<StfVerdict> {
  const test = parseStf(readText(testPath), testPath);
  if (executor === TOFINO_MODEL) return runStfOnTofinoModel(program, test);
  const json = readText(program);
  const create = EXECUTORS.get(executor);
  if (create === undefined) return runStfOnBmv2({ path: program, json }, test);
  const { outline, target } = withPlace(program, () => ({
    outline: readOutline(json),
    target: new EmbeddedTarget(json, create),
  }));
  return runStf(test, outline, target);
}

function report(verdict: StfVerdict, testPath: string): number {
  if (verdict.kind === 'pass') {
    print(`${testPath}: pass`);
    return PASSED;
  }
  const { line, message } = verdict.difference;
  print(`${testPath}${line === undefined ? '' : `:${line}`}: ${message}`);
  return DIFFERED;
}

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch {
    throw new InputError(`wanted a file, found nothing readable: ${file}`);
  }
}
