import { PS_PER_US } from '../../common/units/units';
import { LivePort } from './live/live-port';
import type { ThriftTarget } from '../server/thrift/target';
import type { SwitchFlags } from './flags/switch-flags';
import type { LiveDevice } from './live-device';
import type { LiveSwitch } from './live/live-switch';

export interface ThriftParts {
  readonly live: LiveSwitch;
  readonly device: LiveDevice;
  readonly flags: SwitchFlags;
}

/** What the Thrift services see of a running switch. */
export function thriftTarget({ live, device, flags }: ThriftParts): ThriftTarget {
  const startedAt = BigInt(Date.now()) * 1000n - elapsed(live);
  return {
    deviceId: flags.deviceId,
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
      list: () => [...live.ports.values()].map(({ port, interfaceName: name }) => ({ port, name })),
      add: (port, name) => live.attach(new LivePort(port, name, flags.pcapFolder)),
      remove: (port) => live.detach(port),
    },
    configuration: {
      json: () => device.json,
      verify: (json) => device.verifyProgram(json),
      load: (json) => device.loadProgram(json),
    },
    elapsedMicroseconds: () => elapsed(live),
    epochMicroseconds: () => startedAt + elapsed(live),
  };
}

const elapsed = (live: LiveSwitch): bigint => BigInt(Math.floor(live.now() / PS_PER_US));
