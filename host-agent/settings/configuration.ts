import { microseconds } from '../../common/units/units';
import type { Bytes, Duration } from '../../common/units/units';
import { withResponsesAlone } from '../algorithm/response-control';
import { SIGNALS_OF_RESPONSES } from '../algorithm/signals';
import { algorithmNamed } from '../algorithm/library/algorithms';
import { tuningFromOverrides } from '../algorithm/library/tuning-overrides';
import type { Algorithm, AlgorithmTuning } from '../algorithm/library/algorithms';
import { latestQueueFrom } from '../algorithm/path-load';
import { TARGET_UTILIZATION } from '../algorithm/window-form';
import type { CoordinationOptions } from '../coordination/coordination-options';
import { checkRoute, FEEDBACK_PRESETS } from '../feedback/feedback-plan';
import type { FeedbackOptions, FeedbackRoute } from '../feedback/feedback-plan';
import type { BalancingOptions } from '../path/entropy/balancing';
import type { PathSelectionOptions } from '../path/path-selector';
import type { LossRecovery } from '../transport/recovery/loss-recovery';
import { SETTING_NAMES, SETTINGS } from './settings';
import type { RoceOperation, Settings } from './settings';

/** Configuration that follows from the settings alone, in the parts that a host takes. */
export interface Configuration {
  readonly host: {
    readonly mss?: Bytes;
    readonly trailerBytes?: Bytes;
    readonly intHopLimit?: number;
    readonly retransmissionTimeout?: Duration;
    readonly lossRecovery?: LossRecovery;
    readonly trimming?: boolean;
    readonly resends?: NonNullable<Settings['resends']>;
    readonly pathSelection?: PathSelectionOptions;
    readonly balancing?: BalancingOptions;
    readonly operation?: RoceOperation;
  };
  readonly feedback: FeedbackOptions & FeedbackRoute;
  readonly coordination: Pick<CoordinationOptions, 'holdTime' | 'reroutes'>;
  readonly tuning: AlgorithmTuning;
}

/**
 * Puts each setting where its row says. Settings that are left open are left open.
 * @throws InputError for a way of telemetry that is none, and for what the algorithm has no constant for.
 */
export function configurationOf(settings: Settings): Configuration {
  const parts: Record<string, Record<string, unknown>> = {};
  for (const name of SETTING_NAMES) {
    for (const [path, to] of Object.entries(SETTINGS[name].target ?? {})) {
      const value = settings[name];
      const [part = '', field = ''] = path.includes('.') ? path.split('.') : ['host', path];
      const made = value === undefined ? undefined : to(value as never);
      if (made !== undefined) parts[part] = { ...parts[part], [field]: made };
    }
  }
  const { host = {}, feedback = {}, coordination = {}, tuning = {}, balancing = {} } = parts;
  const route = routeOf(settings);
  const { collectEvery = 1, constants } = settings;
  return {
    host: { ...host, ...(isBalancing(balancing) && { balancing }) },
    feedback: { ...route, ...feedback },
    coordination,
    tuning: {
      ...(tuning as AlgorithmTuning),
      ...(constants && { constants }),
      latestQueueFrom: latestQueueFrom(route.collectBy, collectEvery),
    },
  };
}

const isBalancing = (part: object): part is BalancingOptions => 'policy' in part;

/**
 * The way of telemetry by its name, or by its three settings, of which those left open follow.
 * @throws InputError with the reason for a combination that is refused.
 */
export function routeOf(settings: Settings): FeedbackRoute {
  const { feedback = 'ack', collect, return: back, controlAt } = settings;
  if (collect === undefined && back === undefined && controlAt === undefined) {
    return FEEDBACK_PRESETS[feedback];
  }
  return checkRoute({
    ...(collect !== undefined && { collectBy: collect }),
    ...(back !== undefined && { returnBy: back }),
    ...(controlAt !== undefined && { algorithmAt: controlAt }),
  });
}

/** True if flows measure T. */
export const measuresBaseRtt = ({ baseRttUs, baseRtt }: Settings): boolean =>
  baseRttUs === 'auto' || baseRtt === 'measured';

/** True if data carries no telemetry, and responses of switches control flows alone. */
export const hasResponsesAlone = ({ switchResponses }: Settings): boolean =>
  switchResponses === 'only';

/**
 * The algorithm of flows, with the signals that their packets carry or request.
 * @throws InputError for a name that is none.
 */
export function algorithmOf(settings: Settings): Algorithm {
  const algorithm = algorithmNamed(settings.algorithm ?? 'hpccpp');
  if (!hasResponsesAlone(settings)) return algorithm;
  return {
    ...algorithm,
    signals: SIGNALS_OF_RESPONSES,
    // Rounds are those of the responses.
    factory: ({ roundsLastT: _, targetUtilization = TARGET_UTILIZATION, ...tuning }) =>
      withResponsesAlone(algorithm.factory({ ...tuning, targetUtilization }), targetUtilization),
  };
}

/** T as given; undefined where it is to be found out. */
export const givenBaseRtt = ({ baseRttUs }: Settings): Duration | undefined =>
  typeof baseRttUs === 'number' ? microseconds(baseRttUs) : undefined;

/**
 * The tuning of an algorithm as commands ask for it: what HPCC++ has a name for, any other algorithm takes as
 * a constant of that name.
 * @throws InputError naming what the algorithm has no constant for.
 */
export function tuningGiven(settings: Settings): AlgorithmTuning {
  const { targetUtilization, maxStage, expectedFlows, additiveIncreaseBytes, constants, ...rest } =
    configurationOf(settings).tuning;
  const asked = tuningFromOverrides(settings.algorithm ?? 'hpccpp', {
    targetUtilization,
    maxStage,
    expectedFlows,
    additiveIncreaseBytes,
  });
  return { ...rest, ...asked, constants: { ...asked.constants, ...constants } };
}
