import { lookUp, parseHex, malformed, refuse } from './checked';
import { lowerBoolean } from './lower-expression';
import { resolveHeader, resolveRealField } from './scope';
import type { JsonCalculation, JsonProgram } from './json-schema';
import type { Calculation, Checksum, HashAlgorithm, HashInput } from '../nodes';
import type { Place } from './checked';
import type { Scope } from './scope';

/** Names of bmv2; `cksum16` and `bmv2_hash` are second names. */
const ALGORITHMS = new Map<string, HashAlgorithm>([
  ...(['crc16', 'crc16_custom', 'crc32', 'crc32_custom'] as const).map(same),
  ...(['crcCCITT', 'crc8_custom', 'crc64_custom', 'csum16'] as const).map(same),
  ...(['xor16', 'xor32', 'identity', 'xxh64', 'hash_ex'] as const).map(same),
  ...(['toeplitz', 'round_robin', 'round_robin_consistent'] as const).map(same),
  ['cksum16', 'csum16'],
  ['bmv2_hash', 'xxh64'],
]);

function same(name: HashAlgorithm): readonly [string, HashAlgorithm] {
  return [name, name];
}

export function lowerAlgorithm(name: string, place: Place): HashAlgorithm {
  return ALGORITHMS.get(name) ?? refuse(`hash algorithm '${name}'`, place);
}

export function lowerCalculations(
  scope: Scope,
  json: readonly JsonCalculation[],
  outer: Place,
): Calculation[] {
  return json.map((calculation, i) => {
    const place = outer.child(i).in(calculation.source_info);
    const algorithm = lowerAlgorithm(calculation.algo, place);
    const inputs = lowerHashInputs(scope, calculation.input, place.child('input'));
    return { name: calculation.name, source: place.source, algorithm, inputs };
  });
}

/** The parts of the bit string that is hashed, in order; the payload can only be last. */
export function lowerHashInputs(
  scope: Scope,
  json: JsonCalculation['input'],
  place: Place,
): HashInput[] {
  const inputs = json.map((input, i) => lowerHashInput(scope, input, place.child(i)));
  const payload = inputs.findIndex((input) => input.kind === 'payload');
  if (payload >= 0 && payload !== inputs.length - 1) {
    refuse('a calculation with fields behind the payload', place.child(payload));
  }
  return inputs;
}

function lowerHashInput(
  scope: Scope,
  json: JsonCalculation['input'][number],
  place: Place,
): HashInput {
  switch (json.type) {
    case 'field':
      return { kind: 'field', field: resolveRealField(scope, json.value, place) };
    case 'hexstr': {
      const width = json.bitwidth ?? malformed('a constant needs a bit width', place);
      const value = BigInt.asUintN(width, parseHex(json.value, place));
      return { kind: 'constant', value, width };
    }
    case 'header':
      return { kind: 'header', header: resolveHeader(scope, json.value, place).index };
    case 'payload':
      return { kind: 'payload' };
    default:
      return refuse(`a calculation over a '${json.type}'`, place);
  }
}

interface LoweredChecksums {
  readonly verified: readonly Checksum[];
  readonly updated: readonly Checksum[];
}

export function lowerChecksums(
  scope: Scope,
  json: JsonProgram['checksums'],
  outer: Place,
): LoweredChecksums {
  const verified: Checksum[] = [];
  const updated: Checksum[] = [];
  json.forEach((checksum, i) => {
    const place = outer.child(i).in(checksum.source_info);
    if (checksum.type !== 'generic') refuse(`a checksum of type '${checksum.type}'`, place);
    const condition = checksum.if_cond ?? { type: 'bool', value: true };
    const lowered: Checksum = {
      name: checksum.name,
      target: resolveRealField(scope, checksum.target, place.child('target')),
      calculation: lookUp(scope.calculations, checksum.calculation, 'calculation', place),
      condition: lowerBoolean(scope, condition, place.child('if_cond')),
    };
    if (checksum.verify) verified.push(lowered);
    if (checksum.update) updated.push(lowered);
  });
  return { verified, updated };
}
