import { InputError } from '../../../common/errors';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import type { SizedInfo } from '../../../common/p4runtime/p4info';

/**
 * The place of a cell in a counter, meter or register; without an index, all cells.
 * @throws InputError naming the array and its size.
 */
export function encodeIndex(
  kind: string,
  { name, size }: SizedInfo,
  index: number | undefined,
): p4.Index | undefined {
  if (index === undefined) return undefined;
  const inside = Number.isSafeInteger(index) && index >= 0 && (size <= 0 || index < size);
  if (inside) return new p4.Index({ index: String(index) });
  const wanted = `an index from 0 to ${size - 1}`;
  throw new InputError(`${kind} '${name}': wanted ${wanted}, found ${index}`);
}

/** The index of a cell that a switch has sent; undefined when it has none. */
export function decodeIndex(message: {
  readonly hasIndex: boolean;
  readonly index: p4.Index;
}): number | undefined {
  return message.hasIndex ? Number(message.index.index) : undefined;
}

/** The object of P4Info that a switch means. @throws InputError when P4Info lacks it. */
export function sentObject<T extends NamedObject>(objects: NameIndex<T>, id: number): T {
  const found = objects.byNumber(id);
  if (found !== undefined) return found;
  throw new InputError(`from the switch: P4Info has no ${objects.kind} ${id}`);
}
