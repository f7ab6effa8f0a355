import type { KeyOutline } from './outline';

/** Why a text names nothing, or no single thing. */
export interface Unresolved {
  readonly problem: string;
}

export const isUnresolved = (found: object): found is Unresolved => 'problem' in found;

interface Named {
  readonly name: string;
}

/**
 * The object of exactly that name, otherwise the only one whose name ends with it.
 * @param what the kind of object, for the problem: "table".
 */
export function resolveName<T extends Named>(
  all: readonly T[],
  name: string,
  what: string,
): T | Unresolved {
  const exact = all.find((candidate) => candidate.name === name);
  if (exact !== undefined) return exact;
  const ending = all.filter((candidate) => candidate.name.endsWith(name));
  const [first, second] = ending;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) {
    const known = all.map((candidate) => candidate.name).join(', ') || 'none';
    return { problem: `wanted ${article(what)} ${what}, found '${name}'; there are: ${known}` };
  }
  const names = ending.map((candidate) => candidate.name).join(', ');
  return { problem: `wanted one ${what}, found that '${name}' could be any of ${names}` };
}

/**
 * Position of a key field in a table. Apart from its own name, a field may be written without the
 * `$` at its end, with `.valid` for the hidden `.$valid$`, without what comes before a dot (then
 * the last field that fits counts), and with `x$2y` for `x[2]y`.
 */
export function resolveKeyField(key: readonly KeyOutline[], text: string): number {
  const name = text.replace(/\$(\d+)/, '[$1]');
  const find = (wanted: string): number => key.findIndex((field) => field.name === wanted);
  const spellings = [name, `${name}$`, `${name}.$valid$`];
  if (name.endsWith('.valid')) spellings.push(`${name.slice(0, -'valid'.length)}$valid$`);
  const exact = spellings.map(find).find((position) => position >= 0);
  if (exact !== undefined) return exact;
  return key.findLastIndex((field) => endsWithPart(field.name, name));
}

function endsWithPart(field: string, name: string): boolean {
  if (field.endsWith(`.${name}`) || field.endsWith(`.${name}$`)) return true;
  return name === 'valid' && (field === '$valid$' || field.endsWith('.$valid$'));
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
