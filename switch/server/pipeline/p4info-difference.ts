import { InputError } from '../../../common/errors';

type Fact = string | number | boolean | undefined;

/** @throws InputError with both values when what P4Info says is not what the program has. */
export function same(what: string, inP4Info: Fact, inProgram: Fact): void {
  if (inP4Info === inProgram) return;
  throw new InputError(`${what}: ${String(inP4Info)} in P4Info, ${String(inProgram)} in program`);
}

/**
 * The object of the program that P4Info names. `what` names kind and object for the message.
 * @throws InputError listing what there is when it is missing.
 */
export function byName<T extends { readonly name: string }>(
  what: string,
  name: string,
  found: readonly T[],
): T {
  const match = found.find((each) => each.name === name);
  if (match !== undefined) return match;
  const names = found.map((each) => each.name).join(', ') || 'none';
  throw new InputError(`${what} is not in the program, which has: ${names}`);
}
