import type { PageData, Session } from '../../view/data/page-data';

/** Input of a run: a scenario, its seed, and an algorithm that it may name. */
export interface Wanted {
  /** The scenario, YAML or JSON. */
  readonly text: string;
  readonly seed: number;
  /** Text of the module that a scenario's `algorithm` names by a path. */
  readonly algorithm: string | undefined;
}

/** Messages of the playground's page to its worker; `id` comes back with the answer. */
export type ToWorker =
  | { readonly kind: 'files'; readonly files: Readonly<Record<string, string>> }
  /** Answered by {@link Choices}. */
  | { readonly kind: 'choices'; readonly id: number }
  /** Answered by the names of the P4 programs that the run needs. */
  | ({ readonly kind: 'programs'; readonly id: number } & Wanted)
  | ({ readonly kind: 'run'; readonly id: number } & Wanted)
  | { readonly kind: 'ask'; readonly id: number; readonly path: string }
  /** Ends a question, or the run without an id; the run then shows what there is. */
  | { readonly kind: 'stop'; readonly id?: number };

/** Messages of the worker to the page. */
export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly found: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly text: string }
  | { readonly kind: 'progress'; readonly fraction: number; readonly virtualUs: number }
  | { readonly kind: 'note'; readonly text: string };

/** Names that a scenario may have, as of this build. */
export interface Choices {
  readonly algorithms: readonly string[];
  readonly profiles: readonly string[];
}

/** Answer to a run. */
export interface RunAnswer {
  readonly page: PageData;
  readonly ability: Session;
  readonly wallSeconds: number;
  /** Contents of `result.json`. */
  readonly resultText: string;
}
