import { InputError } from '../../common/errors';
import { signalsOf } from './algorithm-needs';
import { newCarrier } from '../../host-agent/carrier/carriers';
import { carrierOf } from './carrier-needs';
import type { Parameters } from './parameters';
import type { ScenarioDocument } from './schema';

/** Room for telemetry of so many switches, where no path is longer and nothing else is said. */
const HOP_LIMIT = 8;
/** Most that any carrier is asked for. */
const HOP_LIMIT_MAX = 31;

export const hopLimitOf = ({ hopLimit = HOP_LIMIT }: Parameters): number => hopLimit;

/** The longest path of a scenario's flows. */
export interface LongestPath {
  readonly from: string;
  readonly to: string;
  readonly switches: number;
}

/**
 * The scenario with room in its packets for the telemetry of all switches of the longest path, unless
 * it says itself for how many.
 * @throws InputError where its carrier has no room for so many.
 */
export function withHopLimit(
  scenario: ScenarioDocument,
  { from, to, switches }: LongestPath,
): ScenarioDocument {
  const { parameters } = scenario;
  if (parameters.hopLimit !== undefined) return scenario;
  const name = carrierOf(scenario);
  const host = { linkRate: 1, hopLimit: HOP_LIMIT, asksSojourn: false };
  const most = Math.min(newCarrier({ name }, host).hopsMax, HOP_LIMIT_MAX);
  const readsHops = signalsOf(scenario).telemetry === 'hops';
  if (readsHops && name !== 'csig' && switches > most) {
    throw new InputError(
      `the path from ${from} to ${to} has ${switches} switches, and packets with telemetry by ${name} have ` +
        `room for ${most}: give the flows shorter paths, or another parameters.carrier`,
    );
  }
  const hopLimit = Math.min(Math.max(HOP_LIMIT, switches), most);
  return { ...scenario, parameters: { ...parameters, hopLimit } };
}
