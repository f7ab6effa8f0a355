import { RpcError } from '../../../common/p4runtime/codes';
import type { NameIndex, NamedObject } from '../../../common/p4runtime/name-index';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { SizedInfo } from '../../../common/p4runtime/p4info';
import { chained, mapped } from '../turns/lazily';
import type { Pause } from '../turns/lazily';
import { requirePart } from '../errors/update-rules';

/** Entities of counters, meters and registers: all or one of the cells of an array. */
export interface IndexedEntry {
  readonly hasIndex: boolean;
  readonly index: p4.Index;
}

/**
 * The cells that an entry means: one, or all when the index is unset (P4Runtime 1.5.0, sections
 * "CounterEntry", "MeterEntry" and "RegisterEntry").
 * @throws RpcError INVALID_ARGUMENT for a negative index, OUT_OF_RANGE for one behind the last.
 */
export function cellsOf(entry: IndexedEntry, size: number, where: string): Iterable<number> {
  if (!entry.hasIndex) return numbersBelow(size);
  const index = BigInt(entry.index.index);
  if (index < 0n) throw new RpcError('INVALID_ARGUMENT', `${where}: index ${index} is negative`);
  if (index >= BigInt(size)) {
    throw new RpcError('OUT_OF_RANGE', `${where}: wanted an index below ${size}, found ${index}`);
  }
  return [Number(index)];
}

/** The object with that number. @throws RpcError INVALID_ARGUMENT naming what exists. */
export function objectOf<T extends NamedObject>(objects: NameIndex<T>, id: number): T {
  const found = objects.byNumber(id);
  if (found !== undefined) return found;
  const names = objects.all.map((each) => each.name).join(', ') || 'none';
  throw new RpcError('INVALID_ARGUMENT', `no ${objects.kind} ${id}; the program has: ${names}`);
}

/** The objects that a filter means: one, or all for number 0. @throws RpcError likewise. */
export function objectsOf<T extends NamedObject>(objects: NameIndex<T>, id: number): readonly T[] {
  return id === 0 ? objects.all : [objectOf(objects, id)];
}

/**
 * The cells that a filter means, of one array or of all, as messages that are made when they are
 * asked for. @throws RpcError likewise.
 */
export function readCells<Info extends SizedInfo, State, Message>(
  objects: NameIndex<Info>,
  states: ReadonlyMap<string, State> | undefined,
  { id, filter }: { readonly id: number; readonly filter: IndexedEntry },
  encode: (info: Info, state: State, cell: number) => Message,
): Iterable<Message | Pause> {
  const parts = objectsOf(objects, id).map((info) => {
    const state = stateOf(states, info);
    const cells = cellsOf(filter, info.size, `${objects.kind} '${info.name}'`);
    return mapped(cells, (cell) => encode(info, state, cell));
  });
  return chained(parts);
}

/** The message of the place of a cell. */
export const indexOf = (cell: number): p4.Index => new p4.Index({ index: String(cell) });

/**
 * The state of an object that P4Info names, which the check of P4Info has promised.
 * @throws RpcError UNIMPLEMENTED when the switch keeps no such state at all.
 */
export function stateOf<T>(states: ReadonlyMap<string, T> | undefined, { name }: NamedObject): T {
  const state = requirePart(states, `state for '${name}'`).get(name);
  if (state !== undefined) return state;
  throw new RpcError('INTERNAL', `the switch does not know '${name}'`);
}

/**
 * A 64-bit integer of a message as the data plane counts.
 * @throws RpcError INVALID_ARGUMENT when negative, OUT_OF_RANGE above 2^53 - 1.
 */
export function exactNumber(text: string, where: string): number {
  const value = Number(text);
  if (value < 0) throw new RpcError('INVALID_ARGUMENT', `${where}: ${text} is negative`);
  if (Number.isSafeInteger(value)) return value;
  throw new RpcError('OUT_OF_RANGE', `${where}: ${text} is above ${Number.MAX_SAFE_INTEGER}`);
}

function* numbersBelow(size: number): Iterable<number> {
  for (let i = 0; i < size; i++) yield i;
}
