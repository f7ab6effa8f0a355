import { InputError } from '../../../common/errors';
import { parseNumber } from '../../../common/units/number-text';
import type { BitsPerSecond } from '../../../common/units/units';

/** An interface as a command line names it. */
export interface NamedInterface {
  readonly name: string;
  /** Rate of its link; undefined unless it was given. */
  readonly rate: BitsPerSecond | undefined;
}

/**
 * Reads `eth1`, or `eth1,eth2` of a host with several links, or `eth1=10M,eth2=40M` with their rates.
 * @throws InputError for rates that are none, and for an interface that is there twice.
 */
export function interfaceList(text: string): readonly [NamedInterface, ...NamedInterface[]] {
  const [first, ...others] = text.split(',').map(namedInterface);
  const all = [first as NamedInterface, ...others] as const;
  const twice = all.find(({ name }, i) => all.findIndex((each) => each.name === name) < i);
  if (twice !== undefined) throw new InputError(`--interface ${text} has ${twice.name} twice`);
  return [...all];
}

function namedInterface(part: string): NamedInterface {
  const at = part.lastIndexOf('=');
  if (at < 0) return { name: part, rate: undefined };
  const rate = parseNumber(part.slice(at + 1));
  if (rate !== undefined && rate > 0) return { name: part.slice(0, at), rate };
  throw new InputError(`--interface ${part}: wanted a rate as in ${part.slice(0, at)}=10M`);
}
