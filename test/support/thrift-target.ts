import { InputError } from '../../common/errors';
import { createCalculation } from '../../switch/runtime/calculation-unit';
import { CounterArray } from '../../switch/runtime/counter-array';
import { MeterArray } from '../../switch/runtime/meter';
import { RegisterArray } from '../../switch/runtime/register-array';
import { ValueSet } from '../../switch/runtime/value-set';
import { CloneSessions } from '../../switch/v1model/packet-flow';
import { MulticastGroups } from '../../switch/state/multicast-groups';
import type { QueueSelection } from '../../switch/control/packet-control';
import type { SharedState } from '../../switch/server/state/running-pipeline';
import type { ThriftTarget } from '../../switch/server/thrift/target';

/** Parts of a switch that never sees a packet, for tests to look at. */
export function fakeSwitch() {
  const registers = new RegisterArray('it', 4, 64);
  const counters = new CounterArray('it', 2);
  const meters = new MeterArray('it', 2, 'bytes');
  const valueSet = new ValueSet('it', 4, [4, 8]);
  const crc = createCalculation('crc', 'crc16_custom');
  const toeplitz = createCalculation('toeplitz', 'toeplitz');
  const queueSettings: (readonly [string, QueueSelection, number])[] = [];
  const interfaces = new Map([[1, 'eth1']]);
  const configuration = { text: '{"program":"one"}' };
  const cloneSessions = new CloneSessions();
  const multicast = new MulticastGroups();
  const target: ThriftTarget = {
    deviceId: 7,
    program: {
      tables: new Map(),
      actionProfiles: new Map(),
      entryResources: new Map(),
      tableAction: () => undefined,
      profileAction: () => undefined,
      action: () => undefined,
      registers: new Map([['it', registers]]),
      counters: new Map([['it', counters]]),
      meters: new Map([['it', meters]]),
      valueSets: new Map([['it', valueSet]]),
      hashes: new Map([
        ['crc', crc],
        ['toeplitz', toeplitz],
      ]),
    },
    queues: {
      setDepth: (packets, selection = {}) => queueSettings.push(['depth', selection, packets]),
      setRate: (rate, selection = {}) => queueSettings.push(['rate', selection, rate]),
      setWeight: () => false,
    },
    hasQueue: ({ port = 0 }) => port < 4,
    cloneSessions,
    multicast,
    shared: soleServer(),
    interfaces: {
      list: () => [...interfaces].map(([port, name]) => ({ port, name, up: port !== 2 })),
      add: (port, name) => {
        if (name === 'none') throw new InputError('no such interface');
        interfaces.set(port, name);
      },
      remove: (port) => interfaces.delete(port),
    },
    configuration: {
      json: () => configuration.text,
      verify: (json) => {
        if (json === 'bad') return Promise.reject(new InputError('not a program'));
        return Promise.resolve();
      },
      load: (json) => {
        configuration.text = json;
      },
    },
    elapsedMicroseconds: () => 1234n,
    epochMicroseconds: () => 1_700_000_000_000_000n,
  };
  return {
    target,
    registers,
    counters,
    meters,
    valueSet,
    crc,
    queueSettings,
    interfaces,
    configuration,
    cloneSessions,
    multicast,
  };
}

/** Nobody else serves the switch. */
export const soleServer = (): SharedState => ({
  ownsProgram: () => false,
  ownsProfile: () => false,
  entryChanged: () => undefined,
  defaultChanged: () => undefined,
  stateReset: () => undefined,
  changed: () => undefined,
});

export type FakeSwitch = ReturnType<typeof fakeSwitch>;
