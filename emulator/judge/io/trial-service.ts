import { failureText } from '../../../common/errors';
import { endWithParent } from '../../../common/io/end-with-parent';
import { loadAlgorithm } from '../../../host-agent/io/options/load-algorithm';
import { runScenario } from '../../io/run-scenario';
import { SharedWork } from '../../io/shared-work';
import type { ScenarioDocument } from '../../scenario/schema';
import { evidenceOf } from '../evidence';
import type { Evidence } from '../evidence';
import { contestFigures } from '../standing';
import type { ContestRow } from '../standing';

/** Order to run one scenario. */
export interface TrialQuestion {
  readonly scenario: ScenarioDocument;
  readonly seed: number;
  readonly trust: boolean;
  /** Part of the result that is wanted. */
  readonly wants: 'evidence' | 'figures';
}

export type TrialAnswer =
  | { readonly evidence: Evidence }
  | { readonly figures: ContestRow['figures'] }
  | {
      readonly failure: string;
      /** True if it has taken long to come to this. */
      readonly isCostly?: boolean;
    };

/** Steps of some thousand events after which a run is stopped: several times what sound algorithms need. */
const STEPS_MAX = { evidence: 60, figures: 300 };
const STOPPED = 'virtual time hardly goes on: the run was stopped for its number of events';

const shared = new SharedWork();

async function answerTo({ scenario, seed, trust, wants }: TrialQuestion): Promise<TrialAnswer> {
  try {
    const { algorithm } = scenario.parameters;
    await loadAlgorithm(algorithm, { trust });
    const enough = new AbortController();
    let steps = 0;
    const { result } = await runScenario({
      scenario,
      seed,
      checkInvariants: false,
      shared,
      signal: enough.signal,
      onStep: () => {
        if (++steps >= STEPS_MAX[wants]) enough.abort();
        return undefined;
      },
    });
    if (result.interruptedAtUs !== undefined) return { failure: STOPPED, isCostly: true };
    return wants === 'evidence'
      ? { evidence: evidenceOf(result) }
      : { figures: contestFigures(result) };
  } catch (error) {
    return { failure: failureText(error) };
  }
}

/** Answers what the parent of this process asks, until it lets go of it. */
export function serveTrials(): void {
  endWithParent();
  process.on('message', (question: TrialQuestion) => {
    void answerTo(question).then((answer) => process.send?.(answer));
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => undefined);
}
