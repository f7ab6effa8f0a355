import type { ThriftTarget } from '../../switch/server/thrift/target';
import { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import { EXTERNS_PROGRAM } from '../support/p4runtime/externs-program';
import { soleServer } from '../support/thrift-target';

const PORTS = [0, 1, 2, 3];

/** A real switch with the program of the externs, as Thrift sees it; nothing leaves it. */
export function thriftDevice(): ThriftTarget {
  const ports = PORTS.map((port) => ({ port, rate: 1e10 }));
  const output = { transmit: () => undefined, schedulePort: () => undefined };
  const device = new V1ModelSwitch({ ports, output });
  device.loadProgram(EXTERNS_PROGRAM);
  const interfaces = new Map<number, string>([[1, 'eth1']]);
  let json = EXTERNS_PROGRAM;
  return {
    deviceId: 1,
    shared: soleServer(),
    get program() {
      return device.pipeline;
    },
    queues: device.queues,
    hasQueue: ({ port = 0, priority = 0 }) => PORTS.includes(port) && priority === 0,
    cloneSessions: device.cloneSessions,
    multicast: device.multicast,
    interfaces: {
      list: () => [...interfaces].map(([port, name]) => ({ port, name, up: true })),
      add: (port, name) => void interfaces.set(port, name),
      remove: (port) => interfaces.delete(port),
    },
    configuration: {
      json: () => json,
      verify: async (text) => {
        await Promise.resolve();
        device.verifyProgram(text);
      },
      load: (text) => {
        device.loadProgram(text);
        json = text;
      },
    },
    elapsedMicroseconds: () => 1234n,
    epochMicroseconds: () => 1_700_000_000_000_000n,
  };
}
