import { InputError } from '../../../common/errors';
import { readOutline } from '../../stf/run/outline';
import { stepThrough } from '../../stf/run/run-stf';
import { slowDown } from '../../stf/run/slow-down';
import { SIMPLE_SWITCH_CLI, bmv2CommandLineAvailable } from './command-line';
import { SIMPLE_SWITCH_GRPC, bmv2Available, startBmv2 } from './process';
import { Bmv2Target } from './stf-target';
import type { StfVerdict } from '../../stf/run/run-stf';
import type { StfTest } from '../../stf/text/statements';

/** The program's name is needed twice: bmv2 loads the file, names are resolved in its text. */
interface Bmv2Program {
  readonly path: string;
  readonly json: string;
}

let runsStf: boolean | undefined;

/** True if STF tests can run on bmv2 here; found out once, as it takes two processes. */
export const bmv2RunsStf = (): boolean =>
  (runsStf ??= bmv2Available() && bmv2CommandLineAvailable());

interface Attempt {
  /**
   * Silence in milliseconds after which the test goes on: the first attempt may take a pause of the
   * machine for silence of bmv2, the last hardly so.
   */
  readonly quietMs: number;
  /** Factor by which paced queues and waits are slower. */
  readonly slowness: number;
}

const FIRST: Attempt = { quietMs: 150, slowness: 1 };
const LATER: readonly Attempt[] = [
  { quietMs: 600, slowness: 1 },
  { quietMs: 3000, slowness: 5 },
];

/**
 * Runs a test on a bmv2 of its own; again, with longer waits for packets, and with slower queues at
 * last, when it has not passed.
 * @throws InputError when bmv2 is not on PATH, refuses the program or a statement.
 */
export async function runStfOnBmv2(program: Bmv2Program, test: StfTest): Promise<StfVerdict> {
  if (!bmv2RunsStf()) {
    throw new InputError(`needs ${SIMPLE_SWITCH_GRPC} and ${SIMPLE_SWITCH_CLI} on PATH`);
  }
  let verdict = await runOnce(program, test, FIRST.quietMs);
  for (const { quietMs, slowness } of LATER) {
    if (verdict.kind === 'pass') break;
    verdict = await runOnce(program, slowDown(test, slowness), quietMs);
  }
  return verdict;
}

async function runOnce(program: Bmv2Program, test: StfTest, quietMs: number): Promise<StfVerdict> {
  const bmv2 = await startBmv2(1, program.path);
  const target = new Bmv2Target(bmv2, quietMs);
  try {
    await target.ready();
    const run = stepThrough(test, readOutline(program.json));
    let step = run.next();
    while (step.done !== true) step = run.next(await target.perform(step.value));
    return step.value;
  } finally {
    target.close();
    await bmv2.stop();
  }
}
