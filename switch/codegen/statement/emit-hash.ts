import { code, Identifier, operand } from '../text/code';
import { toBigint, wrapUnsigned } from '../value/convert';
import { emitArithmetic } from '../value/emit-arithmetic';
import { emitFunction } from '../value/scope';
import { packedBits, placeFields, placeWords } from '../expression/emit-bits';
import { emitComparison } from '../value/emit-comparison';
import { emitData } from '../expression/emit-expression';
import { demandOf, readField, validity } from '../expression/emit-fields';
import { writeTarget } from '../expression/emit-write';
import { PAIR_BITS } from '../layout/representation';
import { bigint, constant, constantOf, literal, ranged, unsigned } from '../value/value';
import { HASH_BYTES } from '../runtime/runtime';
import type { FieldLayout, HashAlgorithm, HashInput } from '../../ir/nodes';
import type { Statement } from '../../ir/statements';
import type { Code } from '../text/code';
import type { PlacedWord } from '../expression/emit-bits';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';
import type { Layout } from '../layout/layout';

/** Algorithm, inputs and state of a hash. */
interface HashSource {
  readonly algorithm: HashAlgorithm;
  readonly inputs: readonly HashInput[];
  /** The object that keeps the settings and state of the hash. */
  readonly unit: Code;
}

/** A function of the packet that returns the hash. Invalid fields and headers contribute nothing. */
export function emitHashFunction(name: Identifier, source: HashSource, outer: Scope): void {
  emitFunction(name, outer, (scope) => {
    const groups = groupInputs(source.inputs, scope.layout);
    const { algorithm } = source;
    if (algorithm === 'csum16' && isWholeUnits(groups, 16)) emitWordSum(groups, scope);
    else if (isCrc(algorithm) && isWholeUnits(groups, 8)) emitBytes(algorithm, groups, scope);
    else emitBitString(source, groups, scope);
  });
}

/** Widths of the hashes that come as numbers. */
const NUMBER_HASHES: ReadonlyMap<HashAlgorithm, number> = new Map([
  ['crc16', 16],
  ['crcCCITT', 16],
  ['csum16', 16],
  ['xor16', 16],
  ['crc32', 32],
  ['xor32', 32],
  ['hash_ex', 32],
]);

/** The value that the function of {@link emitHashFunction} returns. */
export function hashValue(name: Identifier, algorithm: HashAlgorithm): Value {
  const call = code`${name}(packet)`;
  const width = NUMBER_HASHES.get(algorithm);
  return width === undefined ? bigint(call) : unsigned(call, width);
}

/** `target = base + hash mod max`, in 64-bit arithmetic; a maximum of 0 counts as 1. */
export function emitHashStatement(
  statement: Extract<Statement, { kind: 'hash' }>,
  scope: Scope,
): void {
  const calculation = scope.program.calculations[statement.calculation];
  if (calculation === undefined) return;
  const bits = Math.min(PAIR_BITS, demandOf(statement.target.format));
  const base = emitData(statement.base, scope, bits);
  const name = scope.globals.calculation(statement.calculation);
  const left = hashValue(name, calculation.algorithm);
  const right = positive(wrapUnsigned(emitData(statement.max, scope), PAIR_BITS, scope), scope);
  const offset = emitArithmetic('%', { left, right, bits: Infinity }, scope);
  const sum = emitArithmetic('+', { left: base, right: offset, bits }, scope);
  writeTarget(statement.target, wrapUnsigned(sum, PAIR_BITS, scope), scope);
}

/** The condition that a field does not hold the checksum that the function computes. */
export function emitMismatch(field: Value, computed: Value, scope: Scope): Code {
  return emitComparison('!=', field, computed, scope);
}

function positive(max: Value, scope: Scope): Value {
  const known = constantOf(max);
  if (known !== undefined) return known === 0 ? literal(1) : max;
  if (max.kind !== 'number') return bigint(code`atLeastOne(${toBigint(max)})`);
  const kept = scope.bind(max.code, 'max');
  return ranged(code`${kept} === 0 ? 1 : ${kept}`, 1, Math.max(1, max.high));
}

/**
 * PERF: an IPv4 header's checksum is ten additions of fields, without any bytes. Headers are short
 * enough for sums of 31 bits, which the compiler of JavaScript would not know by itself.
 */
function emitWordSum(groups: readonly InputGroup[], scope: Scope): void {
  const { writer } = scope;
  writer.line(code`let sum = 0;`);
  for (const group of groups) {
    emitIfValid(group, scope, () => {
      const { words, width } = placeGroup(group, scope);
      for (let at = 0; at < width; at += 16) {
        const straddles = words.some(
          (word) => word.bitOffset < at && word.bitOffset + word.width > at,
        );
        const packed = packedBits(words, at, 16);
        const unit = straddles ? code`(${operand(packed)} & 65535)` : operand(packed);
        writer.line(code`sum = (sum + ${unit}) | 0;`);
      }
    });
  }
  writer.line(code`return finishChecksum(sum);`);
}

/** PERF: whole bytes go to fixed places, without the bookkeeping of a string of bits. */
function emitBytes(algorithm: HashAlgorithm, groups: readonly InputGroup[], scope: Scope): void {
  const { writer } = scope;
  writer.line(code`let at = 0;`);
  for (const group of groups) {
    emitIfValid(group, scope, () => {
      const { words, width } = placeGroup(group, scope);
      for (let byte = 0; byte * 8 < width; byte++) {
        writer.line(code`hashBytes[at + ${byte}] = ${packedBits(words, byte * 8, 8)};`);
      }
      writer.line(code`at += ${width / 8};`);
    });
  }
  const name = algorithm === 'crcCCITT' ? code`crcCcitt` : new Identifier(algorithm);
  writer.line(code`return ${name}(hashBytes, at);`);
}

function isCrc(algorithm: HashAlgorithm): boolean {
  return algorithm === 'crc16' || algorithm === 'crcCCITT' || algorithm === 'crc32';
}

/** The inputs of a group behind each other. */
function placeGroup(
  group: InputGroup,
  scope: Scope,
): { readonly words: readonly PlacedWord[]; readonly width: number } {
  const words: PlacedWord[] = [];
  let width = 0;
  let fields: FieldLayout[] = [];
  let first = 0;
  const end = (): void => {
    words.push(...placeFields(fields, first, scope));
    fields = [];
  };
  for (const input of group.inputs) {
    if (input.field === undefined) {
      end();
      words.push(
        ...placeWords(input.value(scope), { bitOffset: width, width: input.width }, scope),
      );
    } else {
      if (fields.length === 0) first = width;
      fields.push(input.field);
    }
    width += input.width;
  }
  end();
  return { words, width };
}

function emitBitString(source: HashSource, groups: readonly InputGroup[], scope: Scope): void {
  const { writer } = scope;
  writer.line(code`hashInput.clear();`);
  for (const group of groups) {
    emitIfValid(group, scope, () => {
      if (group.isPayload)
        writer.line(code`appendPayload(hashInput, packet, ${source.algorithm});`);
      for (const input of group.inputs) emitAppend(input, scope);
    });
  }
  writer.line(code`return ${algorithmCall(source)};`);
}

/** PERF: what keeps no settings and fits a number is called as a number. */
function algorithmCall({ algorithm, unit }: HashSource): Code {
  return NUMBER_HASHES.has(algorithm)
    ? code`hashNumber(${algorithm}, hashInput.view())`
    : code`${unit}.compute(hashInput.view())`;
}

function emitAppend({ value: read, width, varbitOf }: SizedInput, scope: Scope): void {
  const value = read(scope);
  if (value.kind === 'bigint') {
    const bits = varbitOf === undefined ? width : code`widths[${scope.globals.header(varbitOf)}]`;
    scope.writer.line(code`hashInput.append(${value.code}, ${bits});`);
    return;
  }
  for (const word of placeWords(value, { bitOffset: 0, width }, scope)) {
    scope.writer.line(code`hashInput.appendNumber(${word.code}, ${word.width});`);
  }
}

function emitIfValid(group: InputGroup, scope: Scope, body: () => void): void {
  if (group.header === undefined) {
    scope.writer.block(code``, body);
  } else {
    scope.writer.block(code`if (${validity(group.header, scope)})`, body);
  }
}

/** Inputs of a hash that follow each other and count under the same condition. */
interface InputGroup {
  /** The header that has to be valid; undefined where nothing has to. */
  readonly header: number | undefined;
  readonly isPayload: boolean;
  readonly inputs: SizedInput[];
}

interface SizedInput {
  readonly value: (scope: Scope) => Value;
  /** Width in bits; for a varbit field the largest one. */
  readonly width: number;
  /** The header whose varbit field it is. */
  readonly varbitOf: number | undefined;
  /** Undefined for a constant. */
  readonly field?: FieldLayout;
}

function groupInputs(inputs: readonly HashInput[], layout: Layout): InputGroup[] {
  const groups: InputGroup[] = [];
  for (const input of inputs) {
    const header = headerOf(input, layout);
    const isPayload = input.kind === 'payload';
    const last = groups.at(-1);
    if (last !== undefined && !isPayload && !last.isPayload && last.header === header) {
      last.inputs.push(...sized(input, layout));
    } else {
      groups.push({ header, isPayload, inputs: sized(input, layout) });
    }
  }
  return groups;
}

/** Every group consists of whole units of so many bits, and no input is wider than 64 bits. */
function isWholeUnits(groups: readonly InputGroup[], unit: 8 | 16): boolean {
  const inputs = groups.flatMap((group) => group.inputs);
  const total = inputs.reduce((sum, { width }) => sum + width, 0);
  return (
    total <= HASH_BYTES * 8 &&
    groups.every(({ isPayload }) => !isPayload) &&
    groups.every((group) => group.inputs.reduce((sum, { width }) => sum + width, 0) % unit === 0) &&
    inputs.every(({ width, varbitOf }) => width <= 64 && varbitOf === undefined)
  );
}

function headerOf(input: HashInput, layout: Layout): number | undefined {
  const header =
    input.kind === 'field'
      ? input.field.header
      : input.kind === 'header'
        ? input.header
        : undefined;
  return header === undefined || layout.header(header).metadata ? undefined : header;
}

function sized(input: HashInput, layout: Layout): SizedInput[] {
  switch (input.kind) {
    case 'field': {
      const { field } = input;
      return [sizedField(field)];
    }
    case 'constant': {
      const bits = BigInt.asUintN(input.width, input.value);
      return [{ value: () => constant(bits), width: input.width, varbitOf: undefined }];
    }
    case 'header':
      return layout.header(input.header).fields.map(sizedField);
    case 'payload':
      return [];
  }
}

function sizedField(field: FieldLayout): SizedInput {
  const { width, variable, header } = field;
  const value = (scope: Scope): Value => readField(field, scope);
  return { value, width, varbitOf: variable ? header : undefined, field };
}
