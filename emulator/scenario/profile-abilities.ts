import { InputError } from '../../common/errors';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import type { Profile } from './data-plane-schema';
import type { ScenarioDocument } from './schema';

/**
 * An ability of switches beside forwarding and telemetry: several queues per port with ECN, digests of one
 * byte (PINT), a path for each packet, packets cut to headers, and paths of uSIDs that hosts write.
 */
export type Ability = 'queues' | 'digests' | 'spray' | 'trimming' | 'usids';

/** Programs with abilities; of two that serve, the one that stands first. */
const ABILITIES: ReadonlyMap<Profile, ReadonlySet<Ability>> = new Map<
  Profile,
  ReadonlySet<Ability>
>([
  ['hpcc-queues', new Set<Ability>(['queues'])],
  ['hpcc-pint', new Set<Ability>(['digests'])],
  ['hpcc-spray', new Set<Ability>(['spray'])],
  ['hpcc-trim', new Set<Ability>(['queues', 'trimming'])],
  ['hpcc-usid', new Set<Ability>(['queues', 'trimming', 'usids'])],
  ['hpcc-spray-trim', new Set<Ability>(['queues', 'trimming', 'spray'])],
]);

/** True if switches with the program have the ability. */
export const hasAbility = (profile: Profile, ability: Ability): boolean =>
  ABILITIES.get(profile)?.has(ability) ?? false;

/** The first program that has all of the abilities; undefined if none has, or none is asked for. */
export const profileWith = (wanted: readonly Ability[]): Profile | undefined =>
  wanted.length === 0
    ? undefined
    : [...ABILITIES.keys()].find((profile) => wanted.every((each) => hasAbility(profile, each)));

/** Abilities that a scenario's own settings ask for, then those that its algorithm needs. */
export function abilitiesFor(scenario: ScenarioDocument): {
  readonly bySettings: readonly Ability[];
  readonly byAlgorithm: readonly Ability[];
} {
  const { spray, trim, sourceRouting, parameters } = scenario;
  const { signals } = algorithmNamed(parameters.algorithm);
  const all = (asked: Partial<Record<Ability, boolean>>): readonly Ability[] =>
    (Object.keys(asked) as Ability[]).filter((each) => asked[each] === true);
  return {
    bySettings: all({
      spray: spray !== undefined,
      trimming: trim !== undefined,
      usids: sourceRouting !== undefined,
    }),
    byAlgorithm: all({ queues: signals.marks, digests: signals.telemetry === 'digest' }),
  };
}

/**
 * Checks that all switches can what a setting asks of them.
 * @param setting as the error names it.
 * @throws InputError with the program that can it, and all else that the scenario asks for.
 */
export function checkAbility(
  scenario: ScenarioDocument,
  profiles: readonly Profile[],
  ability: Ability,
  setting: string,
): void {
  const other = profiles.find((profile) => !hasAbility(profile, ability));
  if (other === undefined) return;
  const { bySettings, byAlgorithm } = abilitiesFor(scenario);
  const wanted =
    profileWith([...bySettings, ...byAlgorithm]) ??
    profileWith(bySettings) ??
    profileWith([ability]);
  throw new InputError(`${setting} needs switches of the profile ${wanted}, not of ${other}`);
}
