import { InputError } from '../../common/errors';
import { parseScenario } from '../../emulator/scenario/schema';
import { checkSettings } from '../../emulator/scenario/check-settings';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import type { CarrierName } from '../../host-agent/carrier/carriers';
import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import {
  COLLECTORS,
  CONTROL_PLACES,
  FEEDBACK_PRESETS,
  RETURNS,
} from '../../host-agent/feedback/feedback-plan';
import type { FeedbackRoute } from '../../host-agent/feedback/feedback-plan';
import { checkHostConfig } from '../../host-agent/host/host-config';
import { SwitchKeys } from '../../host-agent/feedback/switch-keys';
import { checkRoceConfig } from '../../host-agent/roce/queue-pair/roce-config';

/** Axes that are chosen independently of each other. */
export const FRAMINGS = ['udp', 'rocev2'] as const;
/** One data packet in so many; of probes there is one per round trip. */
const COLLECT_EVERY = [1, 4] as const;
export const COORDINATIONS = ['off', 'adaptive', 'coordinated'] as const;
export const INTEGRITIES = ['off', 'signed', 'plausible', 'both'] as const;

/** Route of the control of a flow, without the coordination with switches and the integrity of feedback. */
export interface Way extends FeedbackRoute {
  readonly framing: (typeof FRAMINGS)[number];
  readonly collectEvery: number;
  readonly carrier: CarrierName;
}

export interface Combination extends Way {
  readonly coordination: (typeof COORDINATIONS)[number];
  readonly integrity: (typeof INTEGRITIES)[number];
}

/** Telemetry in all data, returned by acknowledgements. */
const BASIC_WAY: Omit<Way, 'carrier'> = {
  framing: 'udp',
  collectBy: 'data',
  collectEvery: 1,
  returnBy: 'ack',
  algorithmAt: 'sender',
};

export const cross = <A, B>(many: readonly A[], more: readonly B[]): (readonly [A, B])[] =>
  many.flatMap((one) => more.map((other) => [one, other] as const));

/** An incast at one switch, which every combination has to control. */
const NETWORK = `
name: combination
title: Two flows to one host
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 800000, startUs: 0 }
  - { from: h2, to: h3, bytes: 800000, startUs: 0 }
giveUpAfterUs: 2000
record: { queueIntervalNs: 1000, flowIntervalNs: 10000 }
`;

const COORDINATION = `
profile: hpcc-ccm
coordination:
  highBytes: 60000
  lowBytes: 20000
  interval: 20 us
  releaseAfter: 100 us
  holdTime: 200 us
  key: { id: 1, bytes: 000102030405060708090a0b0c0d0e0f }
`;

export const WAYS: readonly Way[] = FRAMINGS.flatMap((framing) =>
  COLLECTORS.flatMap((collectBy) =>
    (collectBy === 'data' ? COLLECT_EVERY : [1]).flatMap((collectEvery) =>
      cross(RETURNS, CONTROL_PLACES).map(([returnBy, algorithmAt]) => ({
        framing,
        collectBy,
        collectEvery,
        returnBy,
        algorithmAt,
        carrier: 'int' as const,
      })),
    ),
  ),
);

/** The ways that work with INT alone, by every carrier. */
export const CARRIED_WAYS: readonly (readonly Way[])[] = WAYS.filter(
  (way) => refusalOf(way, 'off') === undefined,
).map((way) => CARRIERS.map((carrier) => ({ ...way, carrier })));

/** Why hosts refuse the way under this coordination, in their own words; undefined if it works. */
export function refusalOf(
  way: Way,
  coordination: Combination['coordination'],
  integrity: Combination['integrity'] = 'off',
): string | undefined {
  const { collectBy, returnBy, algorithmAt, collectEvery, framing, carrier } = way;
  const keys = new SwitchKeys(() => new Uint8Array(32));
  const config = {
    address: 1,
    mac: 1,
    linkRate: 100e9,
    baseRtt: 8e6,
    congestionControl: hpccppFactory(),
    feedback: { collectBy, returnBy, algorithmAt, collectEvery },
    carrier: { name: carrier },
    ...(coordination === 'coordinated' && { coordination: { keys } }),
  };
  try {
    if (framing === 'udp') checkHostConfig(config);
    else checkRoceConfig({ ...config, mss: 1024 });
    checkSettings(scenarioOf({ ...way, coordination, integrity }));
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replace(/ \((collectBy|parameters).*\)$/u, '');
  }
}

/** All that work. */
export const COMBINATIONS: readonly Combination[] = [
  ...WAYS,
  ...CARRIED_WAYS.flatMap((ways) => ways.filter(({ carrier }) => carrier !== 'int')),
].flatMap((way) =>
  cross(COORDINATIONS, INTEGRITIES).flatMap(([coordination, integrity]) =>
    refusalOf(way, coordination, integrity) === undefined
      ? [{ ...way, coordination, integrity }]
      : [],
  ),
);

/** A short run of the combination. */
export function scenarioOf(combination: Combination): ScenarioDocument {
  const { framing, coordination: mode, integrity, collectEvery, carrier } = combination;
  const text = mode === 'off' ? NETWORK : `${NETWORK}${COORDINATION}  mode: ${mode}\n`;
  const scenario = parseScenario(text, 'combination');
  const isSigned = integrity === 'signed' || integrity === 'both';
  const isPlausible = integrity === 'plausible' || integrity === 'both';
  return {
    ...scenario,
    parameters: {
      ...scenario.parameters,
      framing: framing === 'udp' ? 'hpcc' : framing,
      collectEvery,
      feedback: presetOf(combination),
      carrier,
      ...(framing === 'rocev2' && { mss: 1024 }),
      authentication: isSigned ? 'on' : 'off',
      plausibility: isPlausible ? 'on' : 'off',
    },
  };
}

function presetOf({ collectBy, returnBy, algorithmAt }: FeedbackRoute) {
  const names = Object.keys(FEEDBACK_PRESETS) as (keyof typeof FEEDBACK_PRESETS)[];
  const found = names.find((name) => {
    const route = FEEDBACK_PRESETS[name];
    return (
      route.collectBy === collectBy &&
      route.returnBy === returnBy &&
      route.algorithmAt === algorithmAt
    );
  });
  if (found === undefined) throw new Error('every way that works has a name');
  return found;
}

export const nameOfWay = ({ framing, collectBy, collectEvery, returnBy, algorithmAt }: Way) => {
  const collection = collectBy === 'probe' ? 'probes' : collectEvery === 1 ? 'all data' : '1 in 4';
  return [framing, collection, returnBy, algorithmAt] as const;
};

export const nameOf = (combination: Combination): string =>
  [
    ...nameOfWay(combination),
    combination.carrier,
    combination.coordination,
    combination.integrity,
  ].join(', ');

/**
 * Least utilisation of a combination: few samples of CSIG bring only every other time the signal that is
 * wanted most, and later where an acknowledgement of data has to come for them.
 */
export function leastUtilization(combination: Combination): number {
  const { carrier, collectBy, collectEvery, returnBy } = combination;
  if (carrier !== 'csig' || (collectBy === 'data' && collectEvery === 1)) return 0.85;
  return collectBy === 'probe' && returnBy === 'ack' ? 0.72 : 0.75;
}

/** The tables of docs/combinations.md, and the reasons that they refer to by number. */
export function combinationTables(): string {
  const reasons: string[] = [];
  const cellOf = (refusal: string | undefined): string => {
    if (refusal === undefined) return 'works';
    if (!reasons.includes(refusal)) reasons.push(refusal);
    return String(reasons.indexOf(refusal) + 1);
  };
  const header = ['framing', 'collected by', 'returned by', 'algorithm at', ...COORDINATIONS];
  const rows = WAYS.map((way) => [
    ...nameOfWay(way),
    ...COORDINATIONS.map((mode) => cellOf(refusalOf(way, mode))),
  ]);
  const table = [header, header.map(() => '---'), ...rows];
  const [wayHeader, underline] = [header.slice(0, -COORDINATIONS.length), () => '---'];
  const carried = CARRIED_WAYS.map((ways) => [
    ...nameOfWay(ways[0] as Way),
    ...ways.map((way) => cellOf(refusalOf(way, 'off'))),
  ]);
  const carrierHeader = [...wayHeader, ...CARRIERS];
  const carriers = [carrierHeader, carrierHeader.map(underline), ...carried];
  const modes = CARRIERS.map((carrier) => [
    carrier,
    ...COORDINATIONS.map((mode) => cellOf(refusalOf({ ...BASIC_WAY, carrier }, mode))),
    ...INTEGRITIES.slice(1).map((each) =>
      cellOf(refusalOf({ ...BASIC_WAY, carrier }, 'off', each)),
    ),
  ]);
  const modeHeader = ['carrier', ...COORDINATIONS, ...INTEGRITIES.slice(1)];
  const coordinated = [modeHeader, modeHeader.map(underline), ...modes];
  const notes = [['number', 'reason'], ['---', '---'], ...reasons.map((text, i) => [i + 1, text])];
  const text = (lines: readonly (readonly unknown[])[]): string =>
    lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
  return [table, carriers, coordinated, notes].map(text).join('\n\n');
}

/** Cells of the rows of all tables in a text, but for the lines under heads. */
export const tableCells = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.includes('---'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
