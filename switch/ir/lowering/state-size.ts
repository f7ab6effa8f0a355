import { InputError } from '../../../common/errors';
import type { JsonProgram } from './json-schema';
import type { Place } from './checked';

/** Bytes of all registers, counters and meters of a program: what a switch has room for. */
const STATE_BYTES_MAX = 2 ** 30;
const COUNTER_BYTES = 16;
const METER_BYTES = 128;

interface StateArray {
  readonly kind: string;
  readonly place: Place;
  readonly name: string;
  readonly size: number;
  readonly cellBytes: number;
}

/**
 * Cells are made when a program is loaded, so their number is looked at before.
 * @throws InputError naming the array with which the state outgrows what a switch has room for.
 */
export function checkStateSize(json: JsonProgram, root: Place): void {
  let bytes = 0;
  for (const { kind, place, name, size, cellBytes } of stateArrays(json, root)) {
    bytes += size * cellBytes;
    if (bytes <= STATE_BYTES_MAX) continue;
    throw new InputError(
      `${kind} '${name}' at ${place.toString()} has ${size} cells of ${cellBytes} bytes: ` +
        `wanted at most ${STATE_BYTES_MAX} bytes in all registers, counters and meters`,
    );
  }
}

function stateArrays(json: JsonProgram, root: Place): StateArray[] {
  const registers = json.register_arrays.map(({ name, size, bitwidth, source_info }, i) => ({
    kind: 'register',
    place: root.child('register_arrays').child(i).in(source_info),
    ...{ name, size, cellBytes: Math.max(8, Math.ceil(bitwidth / 8)) },
  }));
  const counters = json.counter_arrays.map(({ name, size = 0, source_info }, i) => ({
    kind: 'counter',
    place: root.child('counter_arrays').child(i).in(source_info),
    ...{ name, size, cellBytes: COUNTER_BYTES },
  }));
  const meters = json.meter_arrays.map(({ name, size = 0, source_info }, i) => ({
    kind: 'meter',
    place: root.child('meter_arrays').child(i).in(source_info),
    ...{ name, size, cellBytes: METER_BYTES },
  }));
  return [...registers, ...counters, ...meters];
}
