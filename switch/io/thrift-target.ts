import { PS_PER_US } from '../../common/units/units';
import { LivePort } from './live/live-port';
import type { ProgramState } from '../state/program-state';
import type { CounterAccess, RegisterAccess, ThriftTarget } from '../server/thrift/target';
import type { SwitchFlags } from './flags/switch-flags';
import type { LiveSwitch } from './live/live-switch';
import type { RecordedSwitch } from './recorded-switch';

export interface ThriftParts {
  readonly live: LiveSwitch;
  readonly device: RecordedSwitch;
  readonly flags: SwitchFlags;
}

/** What the Thrift services see of a running switch. */
export function thriftTarget({ live, device, flags }: ThriftParts): ThriftTarget {
  const startedAt = BigInt(Date.now()) * 1000n - elapsed(live);
  return {
    deviceId: flags.deviceId,
    register: (name) => register(device.pipeline, name),
    counter: (name) => counter(device.pipeline, name),
    meter: () => undefined,
    valueSet: () => undefined,
    queues: { setDepth: () => false, setRate: () => false },
    mirroring: { get: () => undefined, set: () => undefined, delete: () => false },
    multicast: { setGroup: () => undefined, deleteGroup: () => undefined },
    interfaces: {
      list: () => [...live.ports.values()].map(({ port, interfaceName: name }) => ({ port, name })),
      add: (port, name) => live.attach(new LivePort(port, name, flags.pcapFolder)),
      remove: (port) => live.detach(port),
    },
    program: {
      json: () => device.json,
      verify: (json) => device.verifyProgram(json),
      load: (json) => device.loadProgram(json),
    },
    elapsedMicroseconds: () => elapsed(live),
    epochMicroseconds: () => startedAt + elapsed(live),
  };
}

const elapsed = (live: LiveSwitch): bigint => BigInt(Math.floor(live.now() / PS_PER_US));

function register(state: ProgramState | undefined, name: string): RegisterAccess | undefined {
  const array = state?.registers.get(name);
  if (array === undefined) return undefined;
  return {
    size: array.size,
    read: (index) => array.read(index) ?? 0n,
    write: (index, value) => array.write(index, value),
  };
}

function counter(state: ProgramState | undefined, name: string): CounterAccess | undefined {
  const array = state?.counters.get(name);
  if (array === undefined) return undefined;
  return {
    size: array.size,
    read: (index) => {
      const { bytes, packets } = array.read(index) ?? { bytes: 0, packets: 0 };
      return { bytes: BigInt(bytes), packets: BigInt(packets) };
    },
    write: (index, { bytes, packets }) =>
      array.write(index, { bytes: Number(bytes), packets: Number(packets) }),
  };
}
