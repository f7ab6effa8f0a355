import { InputError } from '../../common/errors';
import { PS_PER_US } from '../../common/units/units';
import type { ThriftTarget } from '../server/thrift/target';
import type { SharedState } from '../server/state/running-pipeline';
import type { SwitchFlags } from './flags/switch-flags';
import type { LiveDevice } from './live-device';
import type { LiveSwitch } from './live/live-switch';
import type { PortSource } from './port-source';

export interface ThriftParts {
  readonly live: LiveSwitch;
  readonly device: LiveDevice;
  readonly flags: SwitchFlags;
  readonly shared: SharedState;
  readonly source: PortSource;
}

/** Interface of a running switch for the Thrift services. */
export function thriftTarget(parts: ThriftParts): ThriftTarget {
  const { live, device, flags, shared, source } = parts;
  const startedAt = BigInt(Date.now()) * 1000n - elapsed(live);
  return {
    deviceId: flags.deviceId,
    shared,
    get program() {
      return device.pipeline;
    },
    queues: device.queues,
    hasQueue: ({ port, priority = 0 }) =>
      (port === undefined || device.hasPort(port)) &&
      priority >= 0 &&
      priority < flags.priorityQueues,
    cloneSessions: device.cloneSessions,
    multicast: device.multicast,
    interfaces: {
      list: () =>
        [...live.ports.values()].map(({ port, interfaceName: name }) => ({
          port,
          name,
          up: source.isUp(name) === true,
        })),
      add: (port, name) => {
        refuseTwice(live, name);
        live.attach(source.open(port, name));
      },
      remove: (port) => source.removable && live.detach(port),
    },
    configuration: {
      json: () => device.json,
      verify: async (json) => {
        await device.prepareProgram(json);
        device.verifyProgram(json);
      },
      load: (json) => device.loadProgram(json),
    },
    elapsedMicroseconds: () => elapsed(live),
    epochMicroseconds: () => startedAt + elapsed(live),
  };
}

/** Two ports would each get all frames of the interface. @throws InputError */
function refuseTwice(live: LiveSwitch, name: string): void {
  for (const { interfaceName, port } of live.ports.values()) {
    if (interfaceName !== name) continue;
    throw new InputError(`${name} is the interface of port ${port} already`);
  }
}

const elapsed = (live: LiveSwitch): bigint => BigInt(Math.floor(live.now() / PS_PER_US));
