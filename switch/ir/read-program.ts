import { InputError } from '../../common/errors';
import { checked, lookUp } from './checked';
import { programSchema } from './json-schema';
import { lowerActions } from './lower-action';
import {
  lowerAlgorithm,
  lowerCalculations,
  lowerChecksums,
  lowerHashInputs,
} from './lower-calculation';
import { lowerControl } from './lower-control';
import { lowerHeaders } from './lower-headers';
import { lowerParser } from './lower-parser';
import { Place, malformed, refuse } from './place';
import { z } from 'zod';
import type { JsonActionProfile, JsonPipeline, JsonProgram } from './json-schema';
import type { LoweredHeaders } from './lower-headers';
import type { TableContext } from './lower-table';
import type { ActionProfileLayout, Program } from './nodes';
import type { Scope } from './scope';

const ROOT = new Place('');
const SUPPORTED_MAJOR_VERSION = 2;

/**
 * Reads the BMv2 JSON of p4c into a program that is ready to run.
 * @throws InputError when the text is no JSON, is not what p4c writes, or needs a construct that
 * this switch does not have; the message names the construct and its place.
 */
export function readProgram(text: string): Program {
  const parsed = parseJson(text);
  checkVersion(parsed);
  const json = checked(programSchema, parsed, ROOT);
  refuseDeclarations(json);
  const headers = lowerHeaders(json, ROOT);
  const scope = createScope(json, headers);
  const actions = lowerActions(scope, json.actions, ROOT.child('actions'));
  const parser = lowerParser(scope, json.parsers, ROOT.child('parsers'));
  const checksums = lowerChecksums(scope, json.checksums, ROOT.child('checksums'));
  return {
    name: json.program,
    headers: headers.headers,
    stacks: headers.stacks,
    slots: headers.slots,
    fields: headers.fields,
    errors: new Map(json.errors),
    parserStart: parser.start,
    parserStates: parser.states,
    deparserOrder: lowerDeparser(json, headers),
    actions,
    registers: json.register_arrays.map(({ name, size, bitwidth }) => ({
      name,
      size,
      width: bitwidth,
    })),
    counters: indirectCounters(json),
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
  __meta__: z.object({ version: z.tuple([z.number(), z.number()]) }),
});

/** The version comes first: with another format, every other message would mislead. */
function checkVersion(json: unknown): void {
  const { version } = checked(metaSchema, json, ROOT).__meta__;
  if (version[0] === SUPPORTED_MAJOR_VERSION) return;
  const found = version.join('.');
  throw new InputError(`wanted BMv2 JSON of version ${SUPPORTED_MAJOR_VERSION}.x, found ${found}`);
}

/** Declaring one of these already needs machinery that the switch does not have. */
function refuseDeclarations(json: JsonProgram): void {
  const kinds = [
    ['parse_vsets', 'parser value set'],
    ['meter_arrays', 'meter'],
    ['learn_lists', 'digest'],
    ['extern_instances', 'extern'],
  ] as const;
  for (const [key, construct] of kinds) {
    json[key].forEach((declaration, i) => {
      const place = ROOT.child(key).child(i).in(declaration.source_info);
      refuse(`${construct} '${declaration.name ?? ''}'`, place);
    });
  }
}

const positionsByName = (list: readonly { readonly name: string }[]): Map<string, number> =>
  new Map(list.map(({ name }, i) => [name, i]));

function createScope(json: JsonProgram, headers: LoweredHeaders): Scope {
  return {
    headers: headers.byName,
    headerList: headers.headers,
    stacks: new Map(headers.stacks.map((stack) => [stack.name, stack])),
    fields: headers.fields,
    registers: positionsByName(json.register_arrays),
    counters: positionsByName(indirectCounters(json)),
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

function lowerDeparser(json: JsonProgram, headers: LoweredHeaders): number[] {
  const place = ROOT.child('deparsers');
  const [deparser, second] = json.deparsers;
  if (second !== undefined) refuse(`the second deparser '${second.name}'`, place.child(1));
  if (deparser === undefined) return malformed('the program has no deparser', place);
  const at = place.child(0).in(deparser.source_info);
  if (deparser.primitives.length > 0) refuse('statements in the deparser', at);
  return deparser.order.flatMap((name) => {
    const stack = headers.stacks.find((candidate) => candidate.name === name);
    return stack?.headers ?? [lookUp(headers.byName, name, 'header', at).index];
  });
}

function lowerPipelines(
  json: JsonProgram,
  scope: Scope,
  actions: TableContext['actions'],
): Pick<Program, 'ingress' | 'egress' | 'tables' | 'actionProfiles'> {
  const profiles = json.pipelines.flatMap((pipeline) => pipeline.action_profiles);
  const context: TableContext = { scope, actions, profiles: positionsByName(profiles) };
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
