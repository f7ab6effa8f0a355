import { InputError } from '../../common/errors';
import type { Profile } from './data-plane-schema';
import { checkAbility } from './profile-abilities';
import type { ScenarioDocument } from './schema';

/** @throws InputError for paths that no switch follows, or that hosts cannot write into their packets. */
export function checkSourceRouting(scenario: ScenarioDocument, profiles: readonly Profile[]): void {
  const { sourceRouting, spray, coordination, parameters } = scenario;
  if (sourceRouting === undefined) return;
  const here = `sourceRouting: ${sourceRouting}`;
  const chooser = Object.entries({ spray, coordination }).find(([, value]) => value !== undefined);
  if (chooser !== undefined) {
    throw new InputError(`${here} lets hosts choose paths, and ${chooser[0]} switches: give one`);
  }
  checkAbility(scenario, profiles, 'usids', here);
  if (parameters.ipVersion !== 'ipv6' || parameters.framing !== 'hpcc') {
    throw new InputError(
      `${here} is in IPv6 destinations of flows over UDP: it needs ipVersion: ipv6 and framing: hpcc`,
    );
  }
}
