import { InputError } from '../../../common/errors';
import {
  MatchFieldMatchType,
  P4Info,
} from '../../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { named } from '../../../common/p4runtime/p4info-externs';
import type { Action, Program } from '../../ir/nodes';

/** A key field, parameter or metadata field, as messages have it. */
interface TypedField {
  readonly name: string;
  readonly bitwidth: number;
  readonly hasTypeName: boolean;
  readonly typeName: { readonly name: string };
}

type Translation = 'none' | 'bits';

/** The latest index of a program, and the P4Info that it was made of. Nobody changes either. */
const LATEST = new WeakMap<Program, { readonly bytes: Uint8Array; readonly index: P4InfoIndex }>();

/**
 * The index of a P4Info with the widths that the switch keeps values in, where P4Info has others: of types that
 * are translated to more or fewer bits (P4Runtime 1.5.0, section "User-defined types"), whose values
 * this switch takes for the data plane's own; and of keys that are errors, which P4Info gives no
 * width. A value too wide for the data plane is then refused like any other. Only exact and optional
 * matches mean the same in another width.
 * PERF: the switches of a fabric share one.
 * @throws InputError naming the field of a type that is translated to text: there is no table of
 * names here that could translate it; and when the P4Info contradicts itself.
 */
export function dataPlaneIndex(p4info: P4Info, program: Program): P4InfoIndex {
  const bytes = p4info.serialize();
  const latest = LATEST.get(program);
  if (latest !== undefined && Buffer.compare(latest.bytes, bytes) === 0) return latest.index;
  const adapted = P4Info.deserialize(bytes);
  adaptWidths(adapted, program);
  const index = new P4InfoIndex(adapted);
  LATEST.set(program, { bytes, index });
  return index;
}

function adaptWidths(adapted: P4Info, program: Program): void {
  requireNames(adapted);
  const translation = translations(adapted);
  for (const table of adapted.tables) {
    const key = program.tables.find(({ name }) => name === table.preamble.name)?.key ?? [];
    table.matchFields.forEach((field, i) => {
      const where = `table '${table.preamble.name}', key field '${field.name}'`;
      const kind = translation(where, field);
      const { EXACT, OPTIONAL } = MatchFieldMatchType;
      const isWhole = field.matchType === EXACT || field.matchType === OPTIONAL;
      const isError = kind === 'none' && field.bitwidth === 0;
      if (isError || (kind === 'bits' && isWhole)) field.bitwidth = key[i]?.width ?? field.bitwidth;
    });
  }
  for (const action of adapted.actions) {
    const found = [...program.actions.values()].find(({ name }) => name === action.preamble.name);
    adaptParameters(action, found, translation);
  }
  checkOthers(adapted, translation);
}

/** @throws InputError for an object without number and name. */
function requireNames({ tables, actions, valueSets, controllerPacketMetadata }: P4Info): void {
  for (const object of [...tables, ...actions, ...valueSets, ...controllerPacketMetadata]) {
    named(object);
  }
}

type Translate = (where: string, field: TypedField) => Translation;

function adaptParameters(
  action: P4Info['actions'][number],
  found: Action | undefined,
  translation: Translate,
): void {
  action.params.forEach((parameter, i) => {
    const where = `action '${action.preamble.name}', parameter '${parameter.name}'`;
    if (translation(where, parameter) !== 'bits') return;
    parameter.bitwidth = found?.parameters[i]?.width ?? parameter.bitwidth;
  });
}

/** Value sets and controller headers say nothing of the data plane's widths. */
function checkOthers({ valueSets, controllerPacketMetadata }: P4Info, translate: Translate): void {
  for (const { preamble, match } of valueSets) {
    for (const field of match)
      translate(`value set '${preamble.name}', field '${field.name}'`, field);
  }
  for (const { preamble, metadata } of controllerPacketMetadata) {
    const where = `controller header '${preamble.name}'`;
    const kinds = metadata.map((each) => translate(`${where}, field '${each.name}'`, each));
    const bits = metadata.reduce((sum, { bitwidth }) => sum + bitwidth, 0);
    if (!kinds.includes('bits') || bits % 8 === 0) continue;
    const found = `${bits} bits with those of translated types`;
    throw new InputError(`${where}: wanted the whole bytes of the data plane, found ${found}`);
  }
}

function translations(p4info: P4Info): Translate {
  const types = p4info.hasTypeInfo ? p4info.typeInfo.newTypes : undefined;
  return (where, { hasTypeName, typeName }) => {
    const type = hasTypeName ? types?.get(typeName.name) : undefined;
    if (type?.hasTranslatedType !== true) return 'none';
    if (!type.translatedType.hasSdnString) return 'bits';
    const reason = 'this switch has no names for values; translate it to bits, or not at all';
    throw new InputError(`${where}: type '${typeName.name}' is translated to strings: ${reason}`);
  };
}
