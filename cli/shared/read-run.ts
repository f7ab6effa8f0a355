import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { readResult } from '../../emulator/io/results/read-result';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { SCENARIO_FILE } from '../../emulator/io/results/write-result';
import { resultSchema } from '../../emulator/result/result';
import type { Result } from '../../emulator/result/result';
import type { PageExtras } from '../../emulator/view/data/run-page';
import { scenarioFaults } from '../../emulator/view/data/scenario-faults';
import type { FinishedRun } from '../../emulator/view/server/finished-run';
import { isCustomAlgorithm } from '../../host-agent/algorithm/library/algorithms';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import type { MininetResult } from '../../mininet/figures/mininet-result';
import { reportExtras } from '../../mininet/figures/summary-page';

/** A run that was read from its folder. */
interface ReadRun extends FinishedRun {
  readonly folder: string;
  readonly extras: PageExtras;
}

/** A result and, where it lies beside it, the scenario that runs it again. */
export function readRun(given: string, trusts: boolean): ReadRun {
  const { result, folder } = readResult<Result>(given, (document) =>
    'machine' in document ? mininetResultSchema : resultSchema,
  );
  const file = path.join(folder, SCENARIO_FILE);
  const extras = 'machine' in result ? reportExtras(result as MininetResult) : {};
  const run = { name: path.basename(path.resolve(folder)), result, folder };
  if (!fs.existsSync(file)) return { ...run, extras };
  const { seed } = result;
  const scenario = loadScenario(file);
  const faults = scenarioFaults(scenario, result);
  if (faults.length > 0) {
    throw new InputError(
      `${file} is not what made the result beside it: ${faults.slice(0, 5).join('; ')}`,
    );
  }
  const { algorithm } = scenario.parameters;
  if (isCustomAlgorithm(algorithm) && !trusts) {
    const cannotRepeat = `the scenario names code, ${algorithm}: --trust lets it run here`;
    return { ...run, cannotRepeat, extras };
  }
  const command = `./hpcc run ${file} --seed ${seed}`;
  return {
    ...run,
    repeat: { scenario, seed },
    extras: { ...extras, command },
  };
}
