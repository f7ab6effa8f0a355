import { Random } from '../../../common/random/random';
import type { Claims, Finding, Law } from '../laws';
import type { Counterexample } from '../judgement';
import { LAWS } from '../laws';
import type { Trial } from '../trial';
import { FIXED_TRIALS, lengthOf, randomTrial, shorterTrials } from '../trial-space';

/** Runs trials; answers come in the order of the trials, undefined for one that was not run. */
export type Prober = (trials: readonly Trial[]) => Promise<readonly (Finding | undefined)[]>;

/** Outcome of a search. */
export interface SearchOutcome {
  readonly trials: number;
  /** One for each law that was broken, in the order of the laws. */
  readonly broken: readonly Counterexample[];
}

export interface SearchOptions {
  readonly seed: number;
  /** Trials by chance beside the fixed ones. */
  readonly tries: number;
  readonly claims: Claims;
  /** Runs that making counterexamples shorter may take for each law. */
  readonly shrinkRuns: number;
}

/** Looks for trials that break laws, and makes those that do shorter as long as they do. */
export async function searchCounterexamples(
  probe: Prober,
  options: SearchOptions,
): Promise<SearchOutcome> {
  const random = new Random(options.seed);
  const chance = Array.from({ length: options.tries }, () => randomTrial(random));
  const search = new Search(probe, options);
  await search.probe([...FIXED_TRIALS, ...chance]);
  const broken: Counterexample[] = [];
  for (const law of LAWS) {
    const shortest = search.shortestOf(law);
    if (shortest !== undefined) broken.push(await search.shrunk(law, shortest));
  }
  return { trials: search.count, broken };
}

/** Shorter trials that are run at a time. */
const TOGETHER = 2;

class Search {
  /** Everything that was run, by the text of its trial. */
  readonly #known = new Map<string, { readonly trial: Trial; readonly finding: Finding }>();
  /** Texts of all trials that were asked for, run or not. */
  readonly #asked = new Set<string>();

  constructor(
    private readonly prober: Prober,
    private readonly options: SearchOptions,
  ) {}

  get count(): number {
    return this.#known.size;
  }

  async probe(trials: readonly Trial[]): Promise<void> {
    const fresh = this.#fresh(trials);
    for (const trial of fresh) this.#asked.add(JSON.stringify(trial));
    const findings = await this.prober(fresh);
    fresh.forEach((trial, i) => {
      const finding = findings[i];
      if (finding !== undefined) this.#known.set(JSON.stringify(trial), { trial, finding });
    });
  }

  /** The shortest trial of all that were run that breaks a law. */
  shortestOf(law: Law): Counterexample | undefined {
    const breaking = [...this.#known.values()].flatMap(({ trial, finding }) => {
      const breach = law.breach(trial, finding, this.options.claims);
      return breach === undefined ? [] : [{ law: law.name, trial, breach }];
    });
    return breaking.reduce<Counterexample | undefined>(
      (best, each) =>
        best !== undefined && lengthOf(best.trial) <= lengthOf(each.trial) ? best : each,
      undefined,
    );
  }

  async shrunk(law: Law, from: Counterexample): Promise<Counterexample> {
    let best = from;
    const until = this.#asked.size + this.options.shrinkRuns;
    for (let next = this.#untried(best.trial); next.length > 0 && this.#asked.size < until;) {
      await this.probe(next);
      const shorter = this.shortestOf(law) ?? best;
      best = lengthOf(shorter.trial) < lengthOf(best.trial) ? shorter : best;
      next = this.#untried(best.trial);
    }
    return best;
  }

  /** The next trials that might be shorter: as many as are run beside each other. */
  #untried(trial: Trial): Trial[] {
    return this.#fresh(shorterTrials(trial)).slice(0, TOGETHER);
  }

  #fresh(trials: readonly Trial[]): Trial[] {
    return trials.filter((each) => !this.#asked.has(JSON.stringify(each)));
  }
}
