import type { CsigDomain } from '../../common/wire/csig/csig-domain';

/** Range of a value. Bounds are allowed themselves unless `isAbove` leaves out the lower one. */
export type Value =
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly isAbove?: true;
      readonly isWhole?: true;
      readonly isPowerOfTwo?: true;
      /** The word that may stand in the place of a number. */
      readonly word?: 'auto';
    }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly bare?: string }
  | { readonly kind: 'text'; readonly accepts?: (text: string) => boolean; readonly must?: string }
  /** `soon` is a Unix time in seconds. */
  | { readonly kind: 'flag' | 'ports' | 'csig' | 'constants' | 'soon' };

/**
 * Places that take a setting: scenario documents with `hpcc run` and `compare`, `hpcc agent`, `hpcc send`.
 */
export const PLACES = ['scenario', 'agent', 'send'] as const;
export type Place = (typeof PLACES)[number];

/**
 * When both hosts of a flow need the same value: always, over RoCEv2, where the receiver makes more of telemetry
 * than an echo (its algorithm, the load of hidden links, a count of flows), or never.
 */
export type Agreement = 'always' | 'rocev2' | 'receiver-computes' | 'never';

type Scalar = string | number | boolean;

/** A name that a setting had, for one version more. */
export interface OldName {
  readonly name: string;
  /** Value that it stands for, where it is a switch without a value. */
  readonly means?: string;
  /** The value of today for one of then. */
  readonly to?: (value: never) => unknown;
  /** Only documents have it. */
  readonly isKeyOnly?: true;
}

/** Where a setting goes in a host's configuration, and what it becomes there; undefined: nothing. */
export type Target = Readonly<Record<string, (value: never) => unknown>>;

/**
 * A row of the table of settings. Its name is the key of documents and, in kebab case, the option of
 * commands; everything else about it follows from the row.
 */
export interface Setting {
  readonly section: string;
  readonly value: Value;
  /** Meaning in a line; units stand here or in the name. */
  readonly about: string;
  readonly on: readonly Place[];
  /**
   * Which host of a flow it belongs to: `starter` starts the flow, `control` runs the algorithm, `both` need
   * the same, `each` has its own.
   */
  readonly side: 'starter' | 'sender' | 'receiver' | 'control' | 'both' | 'each' | 'network';
  /** Default: `always` where the side is `both`, else `never`. */
  readonly agree?: Agreement;
  /** Placeholder of the value in `--help`. */
  readonly arg?: string;
  readonly short?: string;
  readonly default?: Scalar;
  /** The default of `hpcc agent` and `hpcc send`, where it is another one; null: it is left open. */
  readonly hostDefault?: Scalar | null;
  /** Rule from which the default follows, in words. */
  readonly otherwise?: string;
  /** A constant of HPCC++, which another algorithm has only if it is in its table. */
  readonly isTuning?: true;
  /** A value that asks for nothing. Default: the default. */
  readonly idle?: Scalar | null;
  /** Effect with `--tcp`; absent: none, the setting is about the own transport. */
  readonly tcp?: 'reads' | 'needed';
  /** The only framing that has it. */
  readonly framing?: 'hpcc' | 'rocev2';
  /** The setting without which it would have no effect. */
  readonly needs?: string;
  readonly isRequired?: true;
  readonly was?: readonly OldName[];
  readonly target?: Target;
}

/** The type of a value. */
export type ValueOf<V> = V extends { readonly kind: 'number'; readonly word: infer Word }
  ? number | Word
  : V extends { readonly kind: 'number' | 'soon' }
    ? number
    : V extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : V extends { readonly kind: 'flag' }
        ? boolean
        : V extends { readonly kind: 'ports' }
          ? readonly number[]
          : V extends { readonly kind: 'csig' }
            ? CsigDomain
            : V extends { readonly kind: 'constants' }
              ? Readonly<Record<string, number>>
              : string;

type More = Omit<Setting, 'section' | 'value' | 'about'>;

const row = <const V extends Value, const M extends More>(value: V, about: string, more: M) => ({
  value,
  about,
  ...more,
});

export const whole = <const M extends More>(min: number, max: number, about: string, more: M) =>
  row({ kind: 'number', min, max, isWhole: true }, about, more);

export const number = <const M extends More>(min: number, max: number, about: string, more: M) =>
  row({ kind: 'number', min, max }, about, more);

/** A number above 0. */
export const share = <const M extends More>(max: number, about: string, more: M) =>
  row({ kind: 'number', min: 0, max, isAbove: true }, about, more);

export const choice = <const C extends string, const M extends More>(
  choices: readonly C[],
  about: string,
  more: M,
) => row({ kind: 'choice', choices }, about, more);

/** `off` or `on`; the option alone means `on`. */
export const state = <const M extends More>(about: string, more: M) =>
  row({ kind: 'choice', choices: ['off', 'on'], bare: 'on' }, about, more);

export const text = <const M extends More>(about: string, more: M) =>
  row({ kind: 'text' }, about, more);

export const flag = <const M extends More>(about: string, more: M) =>
  row({ kind: 'flag' }, about, { default: false, ...more });

export const special = row;

/** The rows of a section of the help text. */
export const section = <const Rows extends Readonly<Record<string, Omit<Setting, 'section'>>>>(
  name: string,
  rows: Rows,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([key, each]) => [key, { section: name, ...each }]),
  ) as { readonly [Name in keyof Rows]: Rows[Name] & { readonly section: string } };

/** Puts a value where the target says, as it is. */
export const same = (value: unknown): unknown => value;
/** True for one value, false for others. */
export const is =
  (wanted: string) =>
  (value: string): boolean =>
    value === wanted;

/** The option of a setting: `--max-stage` for `maxStage`. */
export const optionOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
