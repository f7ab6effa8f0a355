import { InputError } from '../../common/errors';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { routeOf } from '../../host-agent/settings/configuration';
import { asKey, refusalOf } from '../../host-agent/settings/refusal';
import { isActive } from '../../host-agent/settings/settings';
import { dataPlaneFor } from './algorithm-needs';
import { carrierOf } from './carrier-needs';
import { coordinationOf } from './data-plane-schema';
import type { Profile } from './data-plane-schema';
import { checkAbility } from './profile-abilities';
import { checkSourceRouting } from './check-source-routing';
import type { ScenarioDocument } from './schema';

/** @throws InputError for spray by switches that nobody does, or that something else takes the place of. */
function checkSpray(scenario: ScenarioDocument, profiles: readonly Profile[]): void {
  const { spray, parameters } = scenario;
  if (spray === undefined) return;
  checkAbility(scenario, profiles, 'spray', `spray: ${spray}`);
  if (parameters.framing !== 'hpcc' || parameters.lossRecovery !== 'selective-repeat') {
    throw new InputError(
      `spray: ${spray} lets packets overtake each other: it needs framing: hpcc and lossRecovery: selective-repeat`,
    );
  }
  for (const name of ['balancing', 'paths'] as const) {
    if (!isActive(name, parameters)) continue;
    throw new InputError(
      `${name} chooses by what switches hash, and with spray: ${spray} they choose for each packet: give one`,
    );
  }
}

/** @throws InputError for trimming that no switch does, or whose headers hosts would not understand. */
function checkTrim(scenario: ScenarioDocument, profiles: readonly Profile[]): void {
  const { trim, coordination, flows, parameters } = scenario;
  if (trim === undefined) {
    if (!isActive('resends', parameters)) return;
    throw new InputError('parameters.resends is about data that was cut: it needs trim');
  }
  checkAbility(scenario, profiles, 'trimming', 'trim');
  if (coordination !== undefined) throw new InputError('trim needs switches without coordination');
  if (flows.some(({ dscp }) => dscp !== undefined)) {
    throw new InputError('trim gives data a DSCP of its own: flows must have none');
  }
}

const ANSWERING: ReadonlySet<Profile> = new Set(['hpcc-feedback', 'hpcc-feedback-signed']);

/**
 * Checks that the settings of a scenario go together, with each other and with its switches.
 * @throws InputError for a setting that would have no effect, or that makes another one pointless.
 */
export function checkSettings(scenario: ScenarioDocument): void {
  const { parameters, switchProfiles, fixedRateGbps } = scenario;
  const { feedback, ...others } = parameters;
  const { profile, telemetry } = dataPlaneFor(scenario);
  const profiles = [profile, ...Object.values(switchProfiles)];
  if (telemetry.relative !== undefined && !profiles.includes('hpcc-relative')) {
    throw new InputError(
      'telemetry.relative needs switches that show ratios: profile hpcc-relative',
    );
  }
  const switches = {
    answer: telemetry.feedback !== undefined && profiles.some((each) => ANSWERING.has(each)),
    answerReceivers: telemetry.feedback?.toReceiver === true,
    measureSojourn: profiles.includes('hpcc-queues'),
  };
  const settings = {
    ...others,
    ...(scenario.trim !== undefined && { trimming: 'on' as const }),
    carrier: carrierOf(scenario),
    // Its default leaves the way of telemetry to the three settings that it names.
    ...(feedback !== 'ack' && { feedback }),
    ...(coordinationOf(scenario)?.mode === 'coordinated' && { coordination: scenario.name }),
  };
  const route = routeOf(parameters);
  const { signals } = algorithmNamed(parameters.algorithm);
  const refusal = refusalOf({ settings, route, signals, switches }, asKey);
  if (refusal !== undefined) throw new InputError(refusal);
  checkSourceRouting(scenario, profiles);
  checkSpray(scenario, profiles);
  checkTrim(scenario, profiles);
  if (
    scenario.forgedTelemetry.length > 0 &&
    (parameters.framing !== 'hpcc' || settings.carrier !== 'int')
  ) {
    throw new InputError('forgedTelemetry forges INT: it needs framing: hpcc and carrier: int');
  }
  const [fixed] = Object.keys(fixedRateGbps);
  if (fixed !== undefined && route.algorithmAt === 'receiver') {
    throw new InputError(`fixedRateGbps of ${fixed} needs controlAt: sender, which has the rate`);
  }
}
