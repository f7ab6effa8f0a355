import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { note } from '../../common/io/terminal';
import { withParameters } from '../../emulator/io/inputs/scenario-files';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { tuningGiven } from '../../host-agent/settings/configuration';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { optionOf } from '../../host-agent/settings/setting';
import type { SettingName, Settings } from '../../host-agent/settings/settings';
import { givenSettings } from './setting-options';

/**
 * A scenario with the settings that a command was given. Constants of another algorithm than HPCC++ go by
 * the names of its table.
 * @throws InputError for values out of range, and for what the algorithm has no constant for.
 */
export function withGivenSettings(scenario: ScenarioDocument, command: Command): ScenarioDocument {
  const given = givenSettings(command, 'scenario', note);
  const { algorithm, constants } = scenario.parameters;
  const asked = { algorithm, ...given };
  if (asked.algorithm === 'hpccpp') return withParameters(withoutReplaced(scenario, given), given);
  const { targetUtilization: _, maxStage: __, waiBytes: ___, expectedFlows: ____, ...rest } = given;
  const own = { ...constants, ...tuningGiven(asked).constants };
  return withParameters(scenario, { ...rest, constants: own });
}

/** Constants that stand for settings of HPCC++ in the tables of other algorithms. */
const CONSTANT_OF = {
  targetUtilization: 'targetUtilization',
  maxStage: 'maxStage',
  waiBytes: 'additiveIncreaseBytes',
  expectedFlows: 'expectedFlows',
} as const satisfies Readonly<Partial<Record<SettingName, string>>>;
const TUNING_NAMES = Object.keys(CONSTANT_OF) as (keyof typeof CONSTANT_OF)[];

/** The settings of HPCC++ that were given and that an algorithm takes: as they are, or as constants. */
function tuningTaken(given: Settings, algorithm: string): (keyof typeof CONSTANT_OF)[] {
  const { constants } = algorithmNamed(algorithm);
  return TUNING_NAMES.filter(
    (name) =>
      given[name] !== undefined &&
      (algorithm === 'hpccpp' || Object.hasOwn(constants, CONSTANT_OF[name])),
  );
}

/**
 * A scenario under each of several algorithms that are compared, with the tuning that a command was given: each
 * takes what it has a constant for.
 * @throws InputError for tuning that none of them takes.
 */
export function underEach(
  scenario: ScenarioDocument,
  command: Command,
  algorithms: readonly string[],
): (algorithm: string) => ScenarioDocument {
  const given = givenSettings(command, 'scenario', note);
  const all = new Set(algorithms.flatMap((name) => tuningTaken(given, name)));
  const idle = TUNING_NAMES.find((name) => given[name] !== undefined && !all.has(name));
  if (idle !== undefined) {
    throw new InputError(
      `${optionOf(idle)} would have no effect: ${algorithms.join(', ')} have no constant for it`,
    );
  }
  return (algorithm) => {
    const under = withParameters(scenario, { algorithm });
    if (algorithm === 'hpccpp') return under;
    const taken = tuningTaken(given, algorithm);
    if (taken.length === 0) return under;
    const constants: Record<string, number> = { ...under.parameters.constants };
    for (const name of taken) constants[CONSTANT_OF[name]] = given[name] ?? NaN;
    return withParameters(under, { constants });
  };
}

/** W_ai follows from N: whichever of them is given takes the place of the other in the document. */
function withoutReplaced(scenario: ScenarioDocument, given: Settings): ScenarioDocument {
  const { waiBytes, expectedFlows, ...others } = scenario.parameters;
  const parameters = {
    ...others,
    ...(given.expectedFlows === undefined && waiBytes !== undefined && { waiBytes }),
    ...(given.waiBytes === undefined && expectedFlows !== undefined && { expectedFlows }),
  };
  return { ...scenario, parameters };
}
