import { InputError } from '../../../common/errors';
import { headOf, textOf } from './reader';
import type { TraceFile } from './reader';

/** True for a JSON object of lists of ranks, which astra-sim calls a communicator group. */
export const isGroupFile = (file: TraceFile): boolean =>
  /^\s*\{\s*(?:\}|"[^"]*"\s*:\s*\[\s*\d)/.test(headOf(file));

/** Groups of ranks by name, of all such files. */
export function groupsIn(files: readonly TraceFile[]): Record<string, number[]> {
  const groups: Record<string, number[]> = {};
  for (const file of files.filter(isGroupFile)) {
    for (const [name, ranks] of Object.entries(groupsOf(file))) groups[name] = ranks;
  }
  return groups;
}

function groupsOf(file: TraceFile): Record<string, number[]> {
  let content: unknown;
  try {
    content = JSON.parse(textOf(file));
  } catch (error) {
    throw new InputError(`${file.name}: ${(error as Error).message}`);
  }
  for (const [name, ranks] of Object.entries(content as object)) {
    if (Array.isArray(ranks) && ranks.every((rank) => Number.isSafeInteger(rank) && rank >= 0))
      continue;
    throw new InputError(`${file.name}: group ${name}: wanted a list of ranks`);
  }
  return content as Record<string, number[]>;
}
