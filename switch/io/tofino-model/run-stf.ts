import { InputError } from '../../../common/errors';
import { stepThrough } from '../../stf/run/run-stf';
import { TofinoHarness, tofinoModelAvailable } from './harness';
import { readTofinoProgram } from './program';
import { TofinoModelTarget } from './stf-target';
import type { ChipSetUp } from './stf-target';
import type { StfReply } from '../../stf/run/requests';
import type { StfVerdict } from '../../stf/run/run-stf';
import type { StfTest } from '../../stf/text/statements';

/**
 * Runs a packet test on a Tofino model of its own.
 * @param folder of the program as `hpcc p4 build --target tna` writes it.
 * @param replyOf changes replies, for what a model cannot tell.
 * @param setUp of the chip.
 * @throws InputError when the harness is not on PATH, there is no such program, or the harness
 * refuses a statement.
 */
export async function runStfOnTofinoModel(
  folder: string,
  test: StfTest,
  replyOf: (reply: StfReply) => StfReply = (reply) => reply,
  setUp: ChipSetUp = {},
): Promise<StfVerdict> {
  const program = readTofinoProgram(folder);
  const { chip } = program;
  if (!tofinoModelAvailable(chip)) throw new InputError(`needs ${chip.harness} on PATH`);
  const harness = new TofinoHarness(chip);
  const target = new TofinoModelTarget(harness, program, setUp);
  try {
    await target.ready();
    const run = stepThrough(test, program.outline);
    let step = run.next();
    while (step.done !== true) step = run.next(replyOf(await target.perform(step.value)));
    return step.value;
  } finally {
    await harness.stop();
  }
}
