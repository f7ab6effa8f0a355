import { InputError } from '../../common/errors';
import type { ScenarioDocument } from './schema';

/** HPCC++ with ECMP, with adaptive routing that knows nothing of it, and with both coordinated. */
export const COORDINATION_MODES = ['ecmp', 'adaptive', 'coordinated'] as const;

export type CoordinationMode = (typeof COORDINATION_MODES)[number];

/** The scenario with its switches, and so its hosts, in that mode. */
export function scenarioInMode(
  scenario: ScenarioDocument,
  mode: CoordinationMode,
): ScenarioDocument {
  const { coordination, name, profile } = scenario;
  if (coordination === undefined || profile !== 'hpcc-ccm') {
    throw new InputError(
      `${name} has no coordination: it needs 'profile: hpcc-ccm' and a section 'coordination'`,
    );
  }
  return { ...scenario, coordination: { ...coordination, mode } };
}
