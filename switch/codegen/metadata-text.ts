import type { FilledField, MetadataWriter } from '../executor/executor';
import type { GeneratedPacket, StateShape } from './runtime/generated-packet';

const WORD = 2 ** 32;
const WRITERS = new Map<string, MetadataWriter<GeneratedPacket>>();

/**
 * A writer of metadata as JavaScript: one assignment per field, whose place is a constant.
 * PERF: switches with one program share it, so that the engine has one function to compile.
 */
export function generatedWriter(
  fields: readonly (FilledField | undefined)[],
  { slots }: StateShape,
): MetadataWriter<GeneratedPacket> {
  const lines = fields.map((field, i) => field && assignment(field, slots[field.slot], i));
  const text = lines.filter((line) => line !== undefined).join('\n');
  const known = WRITERS.get(text);
  if (known !== undefined) return known;
  const body = `'use strict';\nconst { words, numbers } = packet;\n${text}`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- numbers and fixed text alone
  const write = new Function('packet', 'values', body) as MetadataWriter<GeneratedPacket>['write'];
  const writer = { write };
  WRITERS.set(text, writer);
  return writer;
}

function assignment(
  { modulus, saturates }: FilledField,
  cell: number | undefined,
  i: number,
): string | undefined {
  if (cell === undefined) return undefined;
  const target = cell >= 0 ? `words[${cell}]` : `numbers[${~cell}]`;
  // Words wrap by themselves.
  if (cell >= 0 && modulus === WORD && saturates !== true) return `${target} = values[${i}];`;
  const rest = saturates === true ? `${modulus - 1}` : `values[${i}] % ${modulus}`;
  return `${target} = values[${i}] < ${modulus} ? values[${i}] : ${rest};`;
}
