import type { Duration } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { coordinatedSignals } from '../../host-agent/algorithm/signals';
import type { Signals } from '../../host-agent/algorithm/signals';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { algorithmOf } from '../../host-agent/settings/configuration';
import { carrierDataPlane } from './carrier-needs';
import { coordinationOf } from './data-plane-schema';
import type { Profile, TelemetryText } from './data-plane-schema';
import type { ScenarioDocument } from './schema';

/** The rate of the ports that published thresholds are for. */
const MARKING_GBPS = 100;

/**
 * Program and telemetry of a scenario's switches, as its carrier and its algorithm need them: where the scenario has
 * the basic program, one that sprays, trims or ends uSIDs takes its place where switches shall, or one that marks or writes
 * digests for algorithms that want those,
 * with the published thresholds unless the scenario has its own.
 */
export function dataPlaneFor(scenario: ScenarioDocument): {
  readonly profile: Profile;
  readonly telemetry: TelemetryText;
} {
  const { profile, telemetry } = carrierDataPlane(scenario);
  const { signals, marking } = algorithmNamed(scenario.parameters.algorithm);
  if (profile !== 'hpcc') return { profile, telemetry };
  if (scenario.spray !== undefined) return { profile: 'hpcc-spray', telemetry };
  if (signals.telemetry === 'digest') return { profile: 'hpcc-pint', telemetry };
  const trimming = scenario.trim === undefined ? undefined : 'hpcc-trim';
  const own = scenario.sourceRouting === undefined ? trimming : 'hpcc-usid';
  if (!signals.marks) return { profile: own ?? profile, telemetry };
  const ecn = telemetry.ecn ?? (marking && { ...marking, forGbps: MARKING_GBPS });
  const marks = { ...telemetry, ...(ecn && { ecn }) };
  return { profile: own ?? 'hpcc-queues', telemetry: marks };
}

/** Signals of a scenario's flows. */
export function signalsOf(scenario: ScenarioDocument): Signals {
  const { signals } = algorithmOf(scenario.parameters);
  const isCoordinated = coordinationOf(scenario)?.mode === 'coordinated';
  return isCoordinated ? coordinatedSignals(signals) : signals;
}

/** Switches that filter the load themselves need T; the scenario with it, where they do not have it. */
export function withBaseRtt(scenario: ScenarioDocument, baseRtt: Duration): ScenarioDocument {
  const { telemetry, parameters } = scenario;
  const isFiltered = algorithmNamed(parameters.algorithm).signals.telemetry === 'digest';
  if (!isFiltered || telemetry.digest !== undefined) return scenario;
  const digest = { baseRtt: `${Math.ceil(baseRtt / PS_PER_NS)} ns` };
  return { ...scenario, telemetry: { ...telemetry, digest } };
}
