import { createHash } from 'node:crypto';
import { runScenario } from './shared-runs';
import { withParameters } from '../../emulator/io/inputs/scenario-files';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../emulator/scenario/schema';
import type { ScenarioSettingsInput, SettingName } from '../../host-agent/settings/settings';

/** A setting that asks for something, and what else a run needs for it to show. */
export interface Case {
  readonly asks: ScenarioSettingsInput;
  readonly beside?: ScenarioSettingsInput;
  readonly where?: Partial<ScenarioInput>;
}

/** So short that packets are lost. */
const LOSSY = { queueCapacityBytes: 8000 } as const;
const LONGER: Partial<ScenarioInput> = {
  flows: ['h1', 'h2'].map((from) => ({ from, to: 'h3', bytes: 900_000, startUs: 0 })),
  untilUs: 120,
};
const LYING: Partial<ScenarioInput> = {
  forgedTelemetry: [{ from: 's2', to: 'h3', oneIn: 4, forgeries: ['overfull', 'idle'] }],
};
/** A link that fails with all that is on its way, for longer than a window lasts, so that only timers go on. */
const INTERRUPTED: Partial<ScenarioInput> = {
  events: [
    { atUs: 8, between: ['s2', 'h3'], state: 'down' },
    { atUs: 28, between: ['s2', 'h3'], state: 'up' },
  ],
};
const TWO_PATHS: Partial<ScenarioInput> = {
  topology: {
    kind: 'leaf-spine',
    leaves: 2,
    spines: 2,
    hostsPerLeaf: 2,
    rateGbps: 100,
    delayNs: 500,
  },
};
const SELECTIVE = { lossRecovery: 'selective-repeat' } as const;
const ROCE = { framing: 'rocev2', mss: 1024 } as const;

export const CASES: Readonly<Partial<Record<SettingName, Case>>> = {
  framing: { asks: ROCE },
  operation: { asks: { operation: 'read' }, beside: ROCE },
  mss: { asks: { mss: 500 } },
  ipVersion: { asks: { ipVersion: 'ipv6' } },
  trailerBytes: { asks: { trailerBytes: 100 } },
  hopLimit: { asks: { hopLimit: 1 } },
  rtoMs: { asks: { rtoMs: 0.01 }, where: INTERRUPTED },
  lossRecovery: { asks: { lossRecovery: 'selective-repeat' }, beside: LOSSY },
  resends: {
    asks: { resends: 'at-once' },
    beside: { lossRecovery: 'selective-repeat' },
    where: {
      trim: { queueBytes: 10_000 },
      flows: ['h1', 'h2', 'h4'].map((from) => ({ from, to: 'h3', bytes: 300_000, startUs: 0 })),
    },
  },
  carrier: { asks: { carrier: 'ioam' } },
  roundsEndBy: { asks: { roundsEndBy: 'timer' } },
  collectEvery: { asks: { collectEvery: 4 } },
  samplesPerWindow: { asks: { samplesPerWindow: 2 } },
  ackEvery: { asks: { ackEvery: 4 } },
  ackDelayUs: { asks: { ackDelayUs: 0.5 }, beside: { ackEvery: 64 } },
  flowCount: { asks: { flowCount: 'receiver' } },
  links: { asks: { links: 'hidden' } },
  queueMeasure: { asks: { queueMeasure: 'sojourn' } },
  switchResponses: { asks: { switchResponses: 'on' } },
  authentication: { asks: { authentication: 'on' } },
  plausibility: { asks: { plausibility: 'on' }, where: LYING },
  queueCapacityBytes: { asks: { queueCapacityBytes: 20_000 } },
  baseRttUs: { asks: { baseRttUs: 12 } },
  baseRtt: { asks: { baseRtt: 'measured' }, where: LONGER },
  algorithm: { asks: { algorithm: 'powertcp' } },
  constants: { asks: { constants: { gamma: 0.5 } }, beside: { algorithm: 'powertcp' } },
  listing: { asks: { listing: 'averaged' }, where: LONGER },
  targetUtilization: { asks: { targetUtilization: 0.7 } },
  maxStage: { asks: { maxStage: 0 }, where: LONGER },
  waiBytes: { asks: { waiBytes: 500 } },
  expectedFlows: { asks: { expectedFlows: 3 } },
  paths: { asks: { paths: 2 } },
  balancing: { asks: { balancing: 'random' }, beside: SELECTIVE, where: TWO_PATHS },
  entropies: {
    asks: { entropies: 2 },
    beside: { ...SELECTIVE, balancing: 'random' },
    where: TWO_PATHS,
  },
  flowletGapUs: {
    asks: { flowletGapUs: 0.05 },
    beside: { ...SELECTIVE, balancing: 'flowlet' },
    where: TWO_PATHS,
  },
  sourceRerouting: { asks: { sourceRerouting: 'off' } },
  queueUnitBytes: { asks: { queueUnitBytes: 640 } },
  queueRounding: { asks: { queueRounding: 'packet' }, beside: { queueUnitBytes: 80 } },
  txUnitBytes: { asks: { txUnitBytes: 1024 } },
};

/** Settings that are the loop itself. */
export const LOOP: ReadonlySet<SettingName> = new Set([
  'feedback',
  'collect',
  'return',
  'controlAt',
]);

/** Switches that do what most do not. */
export const SWITCHES: Readonly<Partial<Record<SettingName, Partial<ScenarioInput>>>> = {
  queueMeasure: { profile: 'hpcc-queues' },
  switchResponses: {
    profile: 'hpcc-feedback',
    telemetry: { feedback: { queueBytes: 5000, interval: '2 us' } },
  },
};

const scenarioOf = (where: Partial<ScenarioInput>): ScenarioDocument =>
  scenarioSchema.parse({
    name: 'small',
    title: 'Two flows into one link for a moment',
    topology: { kind: 'dumbbell', left: 2, right: 2, rateGbps: 100, delayNs: 1000 },
    flows: [
      { from: 'h1', to: 'h3', bytes: 300_000, startUs: 0 },
      { from: 'h2', to: 'h3', bytes: 300_000, startUs: 0 },
    ],
    untilUs: 40,
    ...where,
  } satisfies ScenarioInput);

export const digestOf = (figures: object): string =>
  createHash('sha256').update(JSON.stringify(figures)).digest('hex');

/** Digest of all figures of a run without the settings that it repeats, or why it was refused. */
export async function outcomeOf(
  where: Partial<ScenarioInput>,
  parameters: ScenarioSettingsInput,
): Promise<{ readonly figures: string } | { readonly refused: string }> {
  try {
    const scenario = withParameters(scenarioOf(where), parameters);
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const { parameters: _, ...figures } = result;
    return { figures: digestOf(figures) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
