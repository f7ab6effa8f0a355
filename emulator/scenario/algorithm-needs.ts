import type { Duration } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { coordinatedSignals } from '../../host-agent/algorithm/signals';
import type { Signals } from '../../host-agent/algorithm/signals';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { algorithmOf } from '../../host-agent/settings/configuration';
import { carrierDataPlane } from './carrier-needs';
import { coordinationOf } from './data-plane-schema';
import type { Profile, TelemetryText } from './data-plane-schema';
import { abilitiesFor, profileWith } from './profile-abilities';
import type { ScenarioDocument } from './schema';

/** The rate of the ports that published thresholds are for. */
const MARKING_GBPS = 100;

/**
 * Program and telemetry of a scenario's switches, as its carrier, its settings and its algorithm need them: where the
 * scenario has the basic program, the first one that can what they ask for takes its place, for algorithms that want marks
 * with the published thresholds unless the scenario has its own.
 */
export function dataPlaneFor(scenario: ScenarioDocument): {
  readonly profile: Profile;
  readonly telemetry: TelemetryText;
} {
  const { profile, telemetry } = carrierDataPlane(scenario);
  if (profile !== 'hpcc') return { profile, telemetry };
  const { bySettings, byAlgorithm } = abilitiesFor(scenario);
  const asked = [...bySettings, ...byAlgorithm];
  // Where no program can all of it, checks of the settings say so.
  const own = profileWith(asked) ?? profileWith(byAlgorithm) ?? profile;
  const { signals, marking } = algorithmNamed(scenario.parameters.algorithm);
  const ecn = telemetry.ecn ?? (marking && { ...marking, forGbps: MARKING_GBPS });
  if (!signals.marks || ecn === undefined) return { profile: own, telemetry };
  return { profile: own, telemetry: { ...telemetry, ecn } };
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
