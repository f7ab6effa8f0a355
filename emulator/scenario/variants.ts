import type { ScenarioInput, ScenarioDocument } from './schema';
import type { CoordinationDocument } from '../../controller/document/coordination';
import { InputError } from '../../common/errors';
import { CARRIERS } from '../../host-agent/carrier/carriers';

type ParameterInput = NonNullable<ScenarioInput['parameters']>;

/** Ways to carry telemetry and its consequences that are compared with each other, by name. */
export const FEEDBACK_VARIANTS: Readonly<Record<string, ParameterInput>> = {
  'per-ack': {},
  'one-in-16': { collectEvery: 16 },
  'delayed-ack': { ackEvery: 4 },
  notification: { feedback: 'notification' },
  probe: { feedback: 'probe' },
  'probe-ack': { feedback: 'probe-ack' },
  receiver: { feedback: 'receiver' },
  'receiver-timer': { feedback: 'receiver', roundsEndBy: 'timer' },
  'receiver-probe': { feedback: 'receiver-probe' },
  'hidden-links': { links: 'hidden' },
  'counted-flows': { flowCount: 'receiver' },
};

/** Whole cells of 80 bytes for each packet, and bytes sent exactly. */
const TOFINO_UNITS = { queueUnitBytes: 80, queueRounding: 'packet', txUnitBytes: 1 } as const;

/** Switches that count in the units of hardware, by name. */
export const TARGET_VARIANTS: Readonly<Record<string, Partial<ScenarioInput>>> = {
  /** Bytes sent in 32 bits, which wrap every 86 ms at 400 Gb/s. */
  'tofino-units': { profile: 'hpcc-counter32', parameters: TOFINO_UNITS },
  /** The same but for counters of 64 bits: what the wrapping alone changes. */
  'wide-counters': { profile: 'hpcc', parameters: TOFINO_UNITS },
};

/**
 * Carriers of telemetry, by name, and some in frames of another's length. The differences are those
 * behind one switch, where INT has added 32 bytes to 1074 with 1000 of payload.
 */
export const CARRIER_VARIANTS: Readonly<Record<string, ParameterInput>> = {
  ...Object.fromEntries(CARRIERS.map((carrier) => [carrier, { carrier }])),
  'int-as-ioam': { carrier: 'int', trailerBytes: 148 },
  'ifa-as-int': { carrier: 'ifa', trailerBytes: 8 },
  'padding-as-int': { carrier: 'padding', trailerBytes: 38 },
  'csig-as-int': { carrier: 'csig', trailerBytes: 44 },
};

/** HPCC++ with ECMP, with adaptive routing that knows nothing of it, and with both coordinated. */
export const COORDINATION_MODES = ['ecmp', 'adaptive', 'coordinated'] as const;

export type CoordinationMode = (typeof COORDINATION_MODES)[number];

/** Behaviour of switches in that mode, in words. */
export function coordinationTitle(
  mode: CoordinationMode,
  balancing: CoordinationDocument['balancing'] | undefined,
): string {
  if (balancing !== 'spray' || mode === 'ecmp') return mode;
  return mode === 'adaptive' ? 'spray' : 'coordinated spray';
}

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
