import { z } from 'zod';
import { unreachable } from '../../common/assert';
import type { Setting, Value } from '../../host-agent/settings/setting';
import { MSS } from '../../host-agent/host/host-config';
import { PATH_MTU } from '../../host-agent/roce/queue-pair/roce-config';
import { isActive, SETTINGS, settingsOn } from '../../host-agent/settings/settings';
import type {
  ScenarioSettings,
  ScenarioSettingsInput,
  SettingName,
} from '../../host-agent/settings/settings';

/** Parameters of algorithm, hosts and switches; what is absent has the default of its row in the table. */
export type Parameters = ScenarioSettings;

/** Documents that name settings as the last version did are understood. */
export const parametersSchema = z.preprocess(
  (given) => withPathMtu(withNamesOfToday(given)),
  z
    .strictObject(
      Object.fromEntries(settingsOn('scenario').map((name) => [name, schemaOf(SETTINGS[name])])),
    )
    .superRefine((parameters, context) => {
      for (const name of settingsOn('scenario')) {
        const needs = SETTINGS[name].needs as SettingName | undefined;
        if (needs === undefined || !isActive(name, parameters) || isActive(needs, parameters))
          continue;
        const message = `would have no effect: it needs ${needs}`;
        context.addIssue({ code: 'custom', message, path: [name] });
      }
    })
    .refine(
      ({ feedback, collect, return: back, controlAt }) =>
        feedback === 'ack' || [collect, back, controlAt].every((one) => one === undefined),
      'feedback is a name for collect, return and controlAt: give either',
    ),
) as unknown as z.ZodType<ScenarioSettings, ScenarioSettingsInput>;

/** Schema of one setting in a document that leaves the others open. */
export const settingSchema = <Name extends SettingName>(name: Name) =>
  valueSchema(SETTINGS[name].value) as z.ZodType<
    NonNullable<ScenarioSettingsInput[Name & keyof ScenarioSettingsInput]>
  >;

function schemaOf({ value, default: usual, about }: Setting): z.ZodType {
  const schema = valueSchema(value);
  const meaning = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
  return (usual === undefined ? schema.optional() : schema.default(usual)).describe(meaning);
}

function valueSchema(value: Value): z.ZodType {
  switch (value.kind) {
    case 'number': {
      const { min, max, isAbove, isWhole, isPowerOfTwo, word } = value;
      const from = isAbove === true ? z.number().gt(min) : z.number().min(min);
      const number = (isWhole === true ? from.int() : from).max(max);
      const checked =
        isPowerOfTwo === true
          ? number.refine((n) => Number.isInteger(Math.log2(n)), 'must be a power of two')
          : number;
      return word === undefined ? checked : z.union([checked, z.literal(word)]);
    }
    case 'choice':
      return z.enum(value.choices as [string, ...string[]]);
    case 'text':
      return z.string().refine((text) => value.accepts?.(text) !== false, value.must ?? '');
    case 'constants':
      return z.record(z.string(), z.number());
    // Kinds of values that only commands take.
    case 'csig':
    case 'flag':
    case 'ports':
    case 'soon':
      return z.never();
    default:
      return unreachable(value);
  }
}

/** Full packets of RoCEv2 have a path MTU of InfiniBand, which the usual payload of other segments is not. */
function withPathMtu(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('framing' in given)) return given;
  return given.framing === 'rocev2' ? { mss: PATH_MTU, ...given } : given;
}

/** Parameters of which changes replace some. The usual payload is left to the framing that they end with. */
export function changedParameters({ mss, ...own }: Parameters, changes: unknown): unknown {
  return { ...own, ...(mss !== MSS && { mss }), ...(withNamesOfToday(changes) as object) };
}

/** Parameters with old names replaced by those of today; anything else as it is. */
export function withNamesOfToday(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).map(([key, value]): [string, unknown] => {
    const [name, to] = OLD_NAMES.get(key) ?? [key];
    return [name, to === undefined ? value : to(value as never)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Old names among the parameters of a document, each with that of today. */
export const oldNamesIn = (given: unknown): [old: string, name: string][] =>
  Object.keys(given ?? {}).flatMap((key) => {
    const [name] = OLD_NAMES.get(key) ?? [];
    return name === undefined ? [] : [[key, name]];
  });

const OLD_NAMES: ReadonlyMap<string, readonly [SettingName, ((old: never) => unknown)?]> = new Map(
  settingsOn('scenario').flatMap((name) =>
    (SETTINGS[name].was ?? [])
      .filter(({ means }) => means === undefined)
      .map(({ name: old, to }) => [old, to === undefined ? [name] : [name, to]] as const),
  ),
);
