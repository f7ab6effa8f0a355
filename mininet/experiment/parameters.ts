import { parseNumber } from '../../common/units/number-text';
import { z } from 'zod';
import { readYaml } from '../../common/document/yaml-text';
import { schemaFaults } from '../../common/document/schema-faults';
import { InputError } from '../../common/errors';
import { didYouMean } from '../../common/nearest-word';
import { defaultOf, parameterSchema } from './experiment';
import type { ParameterDocument, ParameterValue } from './experiment';
import type { SwitchKind } from './switch-kinds';

/** Capacity of one machine, as the doctor has measured it. */
export interface MachineCapacity {
  /** Frames of `frameBytes` that one switch forwards in a second, by kind. */
  readonly packetsPerSecond: Readonly<Partial<Record<SwitchKind, number>>>;
  readonly frameBytes: number;
}

export interface ParameterChoice {
  readonly kind: SwitchKind;
  /** Texts of `--set`: `rate=20`. */
  readonly set: readonly string[];
  readonly capacity?: MachineCapacity | undefined;
}

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

const declaring = z.looseObject({
  parameters: z
    .record(z.string(), parameterSchema)
    .default({})
    .superRefine((parameters, context) => {
      for (const [name, { follows }] of Object.entries(parameters)) {
        if (follows === undefined || follows.parameter in parameters) continue;
        const message = `there is no parameter ${follows.parameter}`;
        context.addIssue({ code: 'custom', message, path: [name, 'follows'] });
      }
    }),
});

/** The parameters that a text of an experiment declares. Faults elsewhere are not looked at. */
export function declaredParameters(
  text: string,
  file: string,
): Readonly<Record<string, ParameterDocument>> {
  const result = declaring.safeParse(readYaml(text, file).value);
  if (result.success) return result.data.parameters;
  throw new InputError(`${file}: ${schemaFaults(result.error).join('\n')}`);
}

/**
 * Values of all parameters: what was set, or the default for the kind of switch, lowered to what
 * this machine carries, or following another one.
 * @throws InputError for a name that is not declared, and for values out of their range.
 */
export function parameterValues(
  declared: Readonly<Record<string, ParameterDocument>>,
  choice: ParameterChoice,
): ParameterValues {
  const values: Record<string, ParameterValue> = {};
  for (const [name, parameter] of Object.entries(declared)) {
    values[name] = carriedDefault(parameter, choice);
  }
  const given = new Set<string>();
  for (const text of choice.set) {
    const [name, value] = assignment(text);
    given.add(name);
    const parameter = declared[name];
    if (parameter === undefined) throw unknownParameter(name, Object.keys(declared));
    values[name] = checked(name, value, { parameter, kind: choice.kind });
  }
  for (const name of Object.keys(declared)) {
    if (!given.has(name)) values[name] = followed(name, { declared, values, kind: choice.kind });
  }
  return values;
}

/**
 * Puts values in the place of `$name` and `${name}`.
 * @throws InputError naming file and line of a name without a value.
 */
export function substitute(text: string, file: string, values: ParameterValues): string {
  const replace = (all: string, bare: string, braced: string, at: number): string => {
    const value = values[bare] ?? values[braced];
    if (value !== undefined) return String(value);
    const line = text.slice(0, at).split('\n').length;
    throw new InputError(`${file}:${line}: ${all} is none of the parameters`);
  };
  return text.replaceAll(/\$(?:([A-Za-z]\w*)|\{([A-Za-z]\w*)\})/g, replace);
}

const BITS_PER_MEGABIT = 1e6;

function carriedDefault(
  parameter: ParameterDocument,
  { kind, capacity }: ParameterChoice,
): ParameterValue {
  const given = defaultOf(parameter, kind);
  const packets = capacity?.packetsPerSecond[kind];
  const { capacityShare, min = 1 } = parameter;
  if (capacity === undefined || packets === undefined) return given;
  if (capacityShare === undefined || typeof given !== 'number') return given;
  const carried = (packets * capacityShare * capacity.frameBytes * 8) / BITS_PER_MEGABIT;
  return Math.max(min, Math.min(given, Math.floor(carried)));
}

interface Following {
  readonly declared: Readonly<Record<string, ParameterDocument>>;
  readonly values: ParameterValues;
  readonly kind: SwitchKind;
}

/** The default of a parameter after that which it follows. */
function followed(name: string, { declared, values, kind }: Following): ParameterValue {
  const own = values[name] ?? '';
  const follows = declared[name]?.follows;
  const followedOne = declared[follows?.parameter ?? ''];
  if (follows === undefined || followedOne === undefined || typeof own !== 'number') return own;
  const factor = Number(values[follows.parameter]) / Number(defaultOf(followedOne, kind));
  if (follows.by === 'factor') return Math.max(1, Math.round(own * factor));
  // T is as long as the processes of a machine need, whatever the rate.
  return factor < 1 ? Math.round(own / factor) : own;
}

function assignment(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new InputError(`--set ${text}: wanted NAME=VALUE, such as --set seconds=10`);
}

function unknownParameter(name: string, known: readonly string[]): InputError {
  const hint = didYouMean(name, known);
  const all = known.length === 0 ? 'this experiment has none' : `there are ${known.join(', ')}`;
  return new InputError(`--set ${name}: no such parameter${hint}; ${all}`);
}

function checked(
  name: string,
  text: string,
  { parameter, kind }: { readonly parameter: ParameterDocument; readonly kind: SwitchKind },
): ParameterValue {
  if (typeof defaultOf(parameter, kind) === 'string') return text;
  const value = parseNumber(text);
  const { min = 0, max = Infinity } = parameter;
  if (value !== undefined && value >= min && value <= max) return value;
  const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new InputError(`--set ${name}=${text}: wanted a number ${range} (${parameter.about})`);
}
