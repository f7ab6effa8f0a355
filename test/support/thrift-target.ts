import { InputError } from '../../common/errors';
import type {
  Copy,
  CounterTotals,
  MeterRates,
  MirroringSession,
  QueueSelection,
  ThriftTarget,
} from '../../switch/server/thrift/target';

/** What a fake switch has been told, for tests to look at. */
export interface FakeState {
  readonly cells: bigint[];
  readonly totals: CounterTotals[];
  readonly meters: (MeterRates | undefined)[];
  readonly values: bigint[];
  readonly queues: (readonly [string, QueueSelection, bigint | number])[];
  readonly sessions: Map<number, MirroringSession>;
  readonly groups: Map<number, readonly Copy[]>;
  readonly interfaces: Map<number, string>;
  json: string;
}

/** A switch with one register, counter, meter and value set, each called `it`, and ports below 4. */
export function fakeThriftTarget(): { readonly state: FakeState; readonly target: ThriftTarget } {
  const state: FakeState = {
    cells: [1n, 2n, 3n, 2n ** 63n],
    totals: [
      { bytes: 5n, packets: 1n },
      { bytes: 2n ** 40n, packets: 7n },
    ],
    meters: [undefined, undefined],
    values: [0x0800n],
    queues: [],
    sessions: new Map(),
    groups: new Map(),
    interfaces: new Map([[1, 'eth1']]),
    json: '{"program":"one"}',
  };
  const hasPort = ({ port = 0 }: QueueSelection): boolean => port < 4;
  const target: ThriftTarget = {
    deviceId: 7,
    register: only({
      size: state.cells.length,
      read: (index: number) => state.cells[index] ?? 0n,
      write: (index: number, value: bigint) => {
        state.cells[index] = value;
      },
    }),
    counter: only({
      size: state.totals.length,
      read: (index: number) => state.totals[index] ?? { bytes: 0n, packets: 0n },
      write: (index: number, totals: CounterTotals) => {
        state.totals[index] = totals;
      },
    }),
    meter: only({
      size: state.meters.length,
      read: (index: number) => state.meters[index],
      write: (index: number, rates: MeterRates) => {
        state.meters[index] = rates;
      },
    }),
    valueSet: only({
      width: 12,
      list: () => state.values,
      add: (value: bigint) => void state.values.push(value),
      remove: (value: bigint) => void state.values.splice(state.values.indexOf(value), 1),
      clear: () => void state.values.splice(0),
    }),
    queues: {
      setDepth: (selection, packets) => {
        state.queues.push(['depth', selection, packets]);
        return hasPort(selection);
      },
      setRate: (selection, rate) => {
        state.queues.push(['rate', selection, rate]);
        return hasPort(selection);
      },
    },
    mirroring: {
      get: (session) => state.sessions.get(session),
      set: (session, to) => void state.sessions.set(session, to),
      delete: (session) => state.sessions.delete(session),
    },
    multicast: {
      setGroup: (group, copies) => void state.groups.set(group, copies),
      deleteGroup: (group) => void state.groups.delete(group),
    },
    interfaces: {
      list: () => [...state.interfaces].map(([port, name]) => ({ port, name })),
      add: (port, name) => {
        if (name === 'none') throw new InputError('no such interface');
        state.interfaces.set(port, name);
      },
      remove: (port) => state.interfaces.delete(port),
    },
    program: {
      json: () => state.json,
      verify: (json) => {
        if (json === 'bad') throw new InputError('not a program');
      },
      load: (json) => {
        state.json = json;
      },
    },
    elapsedMicroseconds: () => 1234n,
    epochMicroseconds: () => 1_700_000_000_000_000n,
  };
  return { state, target };
}

const only =
  <T>(found: T) =>
  (name: string): T | undefined =>
    name === 'it' ? found : undefined;
