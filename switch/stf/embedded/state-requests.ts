import { assert } from '../../../common/assert';
import { StateError } from '../../control/table-control';
import { DONE } from './virtual-switch';
import { findTable } from './table-requests';
import type { Count, CounterArray } from '../../runtime/counter-array';
import type { RegisterArray } from '../../runtime/register-array';
import type { MeterControl, MeterSettings } from '../../control/program-control';
import type { HandlersOf, VirtualSwitch } from './virtual-switch';
import type { MeterRate } from '../text/statements';
import type { StfReply } from '../run/requests';

/** Requests to counters, registers, meters and value sets. */
export const STATE_REQUESTS: HandlersOf<
  | 'counter-read'
  | 'read-direct-counter'
  | 'counter-write'
  | 'register-read'
  | 'register-write'
  | 'register-reset'
  | 'meter-set-rates'
  | 'set-direct-meter'
  | 'value-set-add'
> = {
  'counter-read': (target, { counter, index }) => countReply(cell(target, counter, index)),
  'read-direct-counter': (target, { entry: { table, key, priority } }) =>
    countReply(findTable(target, table).directCounter(key, priority)),
  'counter-write': (target, { counter, index, bytes, packets }) => {
    cell(target, counter, index);
    findCounter(target, counter).write(index, { packets: Number(packets), bytes: Number(bytes) });
    return DONE;
  },
  'register-read': (target, { register, index }) => {
    const value = findRegister(target, register).read(index);
    return { kind: 'value', value: value ?? outside(register, index) };
  },
  'register-write': (target, { register, index, value }) => {
    const array = findRegister(target, register);
    if (index >= array.size) outside(register, index);
    array.write(index, value);
    return DONE;
  },
  'register-reset': (target, { register }) => {
    const array = findRegister(target, register);
    for (let index = 0; index < array.size; index++) array.write(index, 0n);
    return DONE;
  },
  'meter-set-rates': (target, { meter, index, rates }) => {
    const array = findMeter(target, meter);
    const last = index ?? array.size - 1;
    if (last >= array.size) outside(meter, last);
    for (let i = index ?? 0; i <= last; i++) array.configure(i, meterSettings(meter, rates));
    return DONE;
  },
  'set-direct-meter': (target, { meter, entry, rates }) => {
    findTable(target, entry.table).configureMeter(entry, meterSettings(meter, rates));
    return DONE;
  },
  'value-set-add': ({ state }, { valueSet, value }) => {
    const found = state.valueSets.get(valueSet);
    assert(found !== undefined, `the program has the value set '${valueSet}'`);
    found.add(value);
    return DONE;
  },
};

const countReply = ({ packets, bytes }: Readonly<Count>): StfReply => ({
  kind: 'count',
  packets: BigInt(packets),
  bytes: BigInt(bytes),
});

function cell(target: VirtualSwitch, name: string, index: number): Count {
  return findCounter(target, name).read(index) ?? outside(name, index);
}

function findCounter({ state }: VirtualSwitch, name: string): CounterArray {
  const counter = state.counters.get(name);
  if (counter !== undefined) return counter;
  throw new StateError('invalid', `counter '${name}' belongs to entries: wanted NAME($ENTRY)`);
}

function findRegister({ state }: VirtualSwitch, name: string): RegisterArray {
  const register = state.registers.get(name);
  assert(register !== undefined, `the program has the register '${name}'`);
  return register;
}

function findMeter({ state }: VirtualSwitch, name: string): MeterControl {
  const meter = state.meters.get(name);
  if (meter !== undefined) return meter;
  throw new StateError('invalid', `meter '${name}' belongs to entries: wanted NAME $ENTRY`);
}

/** The lower rate comes first, as in bmv2's commands. */
function meterSettings(name: string, rates: readonly MeterRate[]): MeterSettings {
  const [committed, peak, third] = rates;
  if (committed === undefined || peak === undefined || third !== undefined) {
    throw new StateError('invalid', `meter '${name}' wants two rates, found ${rates.length}`);
  }
  return {
    committedRate: committed.perMicrosecond * MICROSECONDS_PER_SECOND,
    committedBurst: committed.burst,
    peakRate: peak.perMicrosecond * MICROSECONDS_PER_SECOND,
    peakBurst: peak.burst,
  };
}

const MICROSECONDS_PER_SECOND = 1e6;

function outside(name: string, index: number): never {
  throw new StateError('not-found', `'${name}' has no cell ${index}`);
}
