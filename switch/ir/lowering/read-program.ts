import { InputError } from '../../../common/errors';
import { checked, lookUp, Place, malformed, refuse, parseHex } from './checked';
import { programSchema } from './json-schema';
import { lowerActions, lowerStraightPrimitive } from './lower-action';
import {
  lowerAlgorithm,
  lowerCalculations,
  lowerChecksums,
  lowerHashInputs,
} from './lower-calculation';
import { lowerControl } from './lower-control';
import { lowerHeaders } from './lower-headers';
import { lowerParser } from './lower-parser';
import { z } from 'zod';
import type { JsonActionProfile, JsonPipeline, JsonProgram, JsonFieldList } from './json-schema';
import type { LoweredHeaders } from './lower-headers';
import type { TableContext } from './lower-table';
import type {
  ActionProfileLayout,
  Program,
  FieldListElement,
  FieldListLayout,
  MeterArrayLayout,
  ValueSetLayout,
} from '../nodes';
import type { Scope } from './scope';
import { resolveRealField } from './scope';
import type { ParserState } from '../parser-nodes';
import { withFormOfToday } from './old-json';
import { rememberedProgram, rememberProgram } from '../remembered-program';

const ROOT = new Place('');
const SUPPORTED_MAJOR_VERSION = 2;

/**
 * Reads the BMv2 JSON of p4c into a program that is ready to run.
 * @throws InputError when the text is no JSON, is not what p4c writes, or needs a construct that
 * this switch does not have; the message names the construct and its place.
 */
export function readProgram(text: string): Program {
  const known = rememberedProgram(text);
  if (known !== undefined) return known;
  const program = readText(text);
  rememberProgram(text, program);
  return program;
}

function readText(text: string): Program {
  const parsed = parseJson(text);
  checkVersion(parsed);
  const json = checked(programSchema, withFormOfToday(parsed), ROOT);
  refuseExterns(json);
  checkStateSize(json, ROOT);
  const headers = lowerHeaders(json, ROOT);
  const scope = createScope(json, headers);
  const actions = lowerActions(scope, json.actions, ROOT.child('actions'));
  const parser = lowerParser(scope, json.parsers, ROOT.child('parsers'));
  const checksums = lowerChecksums(scope, json.checksums, ROOT.child('checksums'));
  return {
    name: json.program,
    headers: headers.headers,
    stacks: headers.stacks,
    unions: headers.unions,
    unionStacks: headers.unionStacks,
    slots: headers.slots,
    fields: headers.fields,
    errors: new Map(json.errors),
    parserStart: parser.start,
    parserStates: parser.states,
    ...lowerDeparser(json, headers, scope),
    actions,
    registers: json.register_arrays.map(({ name, size, bitwidth }) => ({
      name,
      size,
      width: bitwidth,
    })),
    counters: indirectCounters(json),
    meters: lowerMeters(json),
    valueSets: lowerValueSets(json, parser.states),
    fieldLists: lowerFieldLists(scope, json.field_lists, ROOT.child('field_lists')),
    digests: lowerFieldLists(scope, json.learn_lists, ROOT.child('learn_lists')),
    calculations: lowerCalculations(scope, json.calculations, ROOT.child('calculations')),
    verifiedChecksums: checksums.verified,
    updatedChecksums: checksums.updated,
    ...lowerPipelines(json, scope, actions),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`wanted the BMv2 JSON of a P4 program, found no JSON: ${reason}`);
  }
}

const metaSchema = z.object({
  /** Older compilers wrote none; bmv2 then takes the file for its own. */
  __meta__: z.object({ version: z.tuple([z.number(), z.number()]) }).optional(),
});

/** The version comes first: with another format, every other message would mislead. */
function checkVersion(json: unknown): void {
  const meta = checked(metaSchema, json, ROOT).__meta__;
  if (meta === undefined || meta.version[0] === SUPPORTED_MAJOR_VERSION) return;
  const found = meta.version.join('.');
  throw new InputError(`wanted BMv2 JSON of version ${SUPPORTED_MAJOR_VERSION}.x, found ${found}`);
}

/** Externs belong to other architectures; v1model has none that are instances. */
function refuseExterns(json: JsonProgram): void {
  json.extern_instances.forEach((declaration, i) => {
    const place = ROOT.child('extern_instances').child(i).in(declaration.source_info);
    refuse(`extern '${declaration.name ?? ''}'`, place);
  });
}

const positionsByName = (list: readonly { readonly name: string }[]): Map<string, number> =>
  new Map(list.map(({ name }, i) => [name, i]));

function createScope(json: JsonProgram, headers: LoweredHeaders): Scope {
  return {
    headers: headers.byName,
    headerList: headers.headers,
    stacks: new Map(headers.stacks.map((stack) => [stack.name, stack])),
    unions: new Map(headers.unions.map((union) => [union.name, union])),
    unionStacks: new Map(headers.unionStacks.map((stack) => [stack.name, stack])),
    fields: headers.fields,
    registers: positionsByName(json.register_arrays),
    counters: positionsByName(indirectCounters(json)),
    meters: positionsByName(json.meter_arrays),
    valueSets: positionsByName(json.parse_vsets),
    fieldListIds: new Set(json.field_lists.map(({ id }) => id)),
    digestIds: new Set(json.learn_lists.map(({ id }) => id)),
    calculations: positionsByName(json.calculations),
    parameterCount: 0,
  };
}

/** Direct counters live in their table's entries, not in an array. */
function indirectCounters(json: JsonProgram): { name: string; size: number }[] {
  return json.counter_arrays
    .filter((counter) => !counter.is_direct)
    .map(({ name, size }) => ({ name, size: size ?? 0 }));
}

function lowerDeparser(
  json: JsonProgram,
  headers: LoweredHeaders,
  scope: Scope,
): Pick<Program, 'deparserOrder' | 'deparserStatements'> {
  const place = ROOT.child('deparsers');
  const [deparser, second] = json.deparsers;
  if (second !== undefined) refuse(`the second deparser '${second.name}'`, place.child(1));
  if (deparser === undefined) return malformed('the program has no deparser', place);
  const at = place.child(0).in(deparser.source_info);
  return {
    deparserOrder: deparser.order.flatMap((name) => emitted(headers, name, at)),
    deparserStatements: deparser.primitives.map((primitive, i) =>
      lowerStraightPrimitive(scope, primitive, at.child('primitives').child(i)),
    ),
  };
}

/** The headers behind a name in the deparser's order. */
function emitted(headers: LoweredHeaders, name: string, place: Place): readonly number[] {
  const membersOf = (union: number): readonly number[] => headers.unions[union]?.headers ?? [];
  const named = <T extends { readonly name: string }>(list: readonly T[]): T | undefined =>
    list.find((candidate) => candidate.name === name);
  return (
    named(headers.stacks)?.headers ??
    named(headers.unions)?.headers ??
    named(headers.unionStacks)?.unions.flatMap(membersOf) ?? [
      lookUp(headers.byName, name, 'header', place).index,
    ]
  );
}

function lowerPipelines(
  json: JsonProgram,
  scope: Scope,
  actions: TableContext['actions'],
): Pick<Program, 'ingress' | 'egress' | 'tables' | 'actionProfiles'> {
  const profiles = json.pipelines.flatMap((pipeline) => pipeline.action_profiles);
  const meters = json.meter_arrays;
  const context: TableContext = { scope, actions, profiles: positionsByName(profiles), meters };
  const [ingressJson, ingressPlace] = findPipeline(json, 'ingress');
  const [egressJson, egressPlace] = findPipeline(json, 'egress');
  const ingress = lowerControl(context, ingressJson, 0, ingressPlace);
  const egress = lowerControl(context, egressJson, ingress.tables.length, egressPlace);
  return {
    ingress: ingress.control,
    egress: egress.control,
    tables: [...ingress.tables, ...egress.tables],
    actionProfiles: profiles.map((profile) => lowerProfile(scope, profile)),
  };
}

function findPipeline(json: JsonProgram, name: string): [JsonPipeline, Place] {
  const i = json.pipelines.findIndex((pipeline) => pipeline.name === name);
  const place = ROOT.child('pipelines');
  const pipeline = json.pipelines[i] ?? malformed(`the program has no pipeline '${name}'`, place);
  return [pipeline, place.child(i)];
}

function lowerProfile(scope: Scope, json: JsonActionProfile): ActionProfileLayout {
  const place = new Place(`action profile '${json.name}'`).in(json.source_info);
  if (json.selector === undefined) {
    return { name: json.name, size: json.max_size, selector: undefined };
  }
  const algorithm = lowerAlgorithm(json.selector.algo, place);
  const inputs = lowerHashInputs(scope, json.selector.input, place.child('selector'));
  return { name: json.name, size: json.max_size, selector: { algorithm, inputs } };
}

/** Meters of P4-16 have two rates, and so do those of bmv2 for which nothing else is declared. */
function lowerMeters(json: JsonProgram): MeterArrayLayout[] {
  return json.meter_arrays.map(({ name, size, type, is_direct }) => ({
    name,
    size: size ?? 0,
    unit: type,
    direct: is_direct,
  }));
}

/** A value set has the parts of the key that it is compared with. */
function lowerValueSets(json: JsonProgram, states: readonly ParserState[]): ValueSetLayout[] {
  return json.parse_vsets.map(({ name, compressed_bitwidth: width, max_size: size }, index) => {
    const user = states.find(({ transitions }) =>
      transitions.some((each) => each.kind === 'value-set' && each.valueSet === index),
    );
    const widths = user?.key.map((part) => part.width) ?? [width];
    return { name, size: size ?? Infinity, fieldWidths: widths };
  });
}

function lowerFieldLists(
  scope: Scope,
  json: readonly JsonFieldList[],
  outer: Place,
): ReadonlyMap<number, FieldListLayout> {
  const lists = json.map(({ id, name, elements, source_info }, i): [number, FieldListLayout] => {
    const place = outer.child(i).in(source_info);
    const lowered = elements.map((element, k) =>
      lowerElement(scope, element, place.child('elements').child(k)),
    );
    return [id, { id, name, elements: lowered }];
  });
  return new Map(lists);
}

function lowerElement(
  scope: Scope,
  { type, value }: JsonFieldList['elements'][number],
  place: Place,
): FieldListElement {
  switch (type) {
    case 'field':
      return { kind: 'field', field: resolveRealField(scope, value, place) };
    case 'hexstr':
      return { kind: 'constant', value: parseHex(value, place) };
    default:
      return refuse(`a '${type}' in a field list`, place);
  }
}

/** Bytes of all registers, counters and meters of a program: what a switch has room for. */
const STATE_BYTES_MAX = 2 ** 30;
const COUNTER_BYTES = 16;
const METER_BYTES = 128;

interface StateArray {
  readonly kind: string;
  readonly place: Place;
  readonly name: string;
  readonly size: number;
  readonly cellBytes: number;
}

/**
 * Cells are made when a program is loaded, so their number is looked at before.
 * @throws InputError naming the array with which the state outgrows what a switch has room for.
 */
function checkStateSize(json: JsonProgram, root: Place): void {
  let bytes = 0;
  for (const { kind, place, name, size, cellBytes } of stateArrays(json, root)) {
    bytes += size * cellBytes;
    if (bytes <= STATE_BYTES_MAX) continue;
    throw new InputError(
      `${kind} '${name}' at ${place.toString()} has ${size} cells of ${cellBytes} bytes: ` +
        `wanted at most ${STATE_BYTES_MAX} bytes in all registers, counters and meters`,
    );
  }
}

function stateArrays(json: JsonProgram, root: Place): StateArray[] {
  const registers = json.register_arrays.map(({ name, size, bitwidth, source_info }, i) => ({
    kind: 'register',
    place: root.child('register_arrays').child(i).in(source_info),
    name,
    size,
    cellBytes: Math.max(8, Math.ceil(bitwidth / 8)),
  }));
  const counters = json.counter_arrays.map(({ name, size = 0, source_info }, i) => ({
    kind: 'counter',
    place: root.child('counter_arrays').child(i).in(source_info),
    name,
    size,
    cellBytes: COUNTER_BYTES,
  }));
  const meters = json.meter_arrays.map(({ name, size = 0, source_info }, i) => ({
    kind: 'meter',
    place: root.child('meter_arrays').child(i).in(source_info),
    name,
    size,
    cellBytes: METER_BYTES,
  }));
  return [...registers, ...counters, ...meters];
}
