import { InputError } from '../../common/errors';
import { telemetrySchema } from '../../controller/document/schema';
import { coordinationOf } from '../scenario/data-plane-schema';
import { dataPlaneFor } from '../scenario/algorithm-needs';
import type { Profile } from '../scenario/data-plane-schema';
import type { ScenarioDocument } from '../scenario/schema';
import type { LinkPortOptions } from '../../switch/v1model/options';
import type { NetworkPlan } from './plan';

/** As many as classes may ask for; bmv2 has them with `--priority-queues 8`. */
const PRIORITY_QUEUES = 8;

/** The part of a switch that no program changes. */
export interface SwitchHardware {
  readonly ports: readonly LinkPortOptions[];
  /** Queues per port, of which the highest number is served first. */
  readonly priorityQueues: number;
}

/**
 * What a switch needs of ports and queues for its links and for its program.
 * @throws InputError when the port for answers is that of a link.
 */
export function switchHardware(
  plan: NetworkPlan,
  scenario: ScenarioDocument,
  name: string,
): SwitchHardware {
  const { queueCapacityBytes } = scenario.parameters;
  const queueLimit = queueCapacityBytes === undefined ? undefined : { bytes: queueCapacityBytes };
  const ports = plan.links.flatMap(({ a, b, rate }) =>
    [a, b]
      .filter((end) => end.node === name)
      .map(({ port }) => ({ port, rate, ...(queueLimit !== undefined && { queueLimit }) })),
  );
  const profile = profileOf(scenario, name);
  return {
    ports: [...ports, ...answerPort(scenario, profile, ports)],
    priorityQueues: profile === 'hpcc-queues' ? PRIORITY_QUEUES : 1,
  };
}

/** The program of one switch; one that serves the algorithm in place of the basic one. */
export function profileOf(scenario: ScenarioDocument, name: string): Profile {
  return scenario.switchProfiles[name] ?? dataPlaneFor(scenario).profile;
}

/**
 * The port without a link that answers of the switch pass on their way to ingress: a clone session
 * needs a port that exists. Nothing is ever sent there, so its rate plays no part.
 */
function answerPort(
  scenario: ScenarioDocument,
  profile: Profile,
  others: readonly LinkPortOptions[],
): readonly LinkPortOptions[] {
  const { feedback } = telemetrySchema.parse(scenario.telemetry);
  const section = profile === 'hpcc-feedback' ? feedback : undefined;
  const port = profile === 'hpcc-ccm' ? coordinationOf(scenario)?.port : section?.port;
  if (port === undefined) return [];
  if (others.some((each) => each.port === port)) {
    throw new InputError(`the port for answers must be one without link, found ${port}`);
  }
  return [{ port, rate: Math.max(...others.map(({ rate }) => rate)) }];
}
