import { runScenario } from '../../emulator/io/run-scenario';
import type { ScenarioDocument } from '../../emulator/scenario/schema';

export interface Comparison {
  readonly packetHops: number;
  /** The first numbers of workers whose results differ from those of one. */
  readonly differing: readonly number[];
}

/**
 * Runs a scenario with one worker and with each of `counts`, and compares the results byte by byte: with
 * checks where switches coordinate, as the laws of that are judged over all workers.
 */
export async function compareWorkers(
  scenario: ScenarioDocument,
  counts: readonly number[],
): Promise<Comparison> {
  const checkInvariants = scenario.coordination !== undefined;
  const run = async (workers: number) => {
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants, workers });
    return { text: JSON.stringify(result), packetHops: result.counters.packetHops };
  };
  const { text, packetHops } = await run(1);
  const differing: number[] = [];
  for (const workers of counts) if ((await run(workers)).text !== text) differing.push(workers);
  return { packetHops, differing };
}
