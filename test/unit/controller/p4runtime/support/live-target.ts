import { startP4RuntimeServer } from '../../../../../switch/server/server';
import { bmv2Available, startBmv2 } from '../../../../support/bmv2-process';
import { Bmv2Dataplane } from '../../../../support/bmv2-dataplane';
import { CPU_PORT } from '../../../../support/p4runtime/externs-program';
import { startedSwitch } from '../../../../support/started-switch';
import { ServedV1Model } from '../../../../support/p4runtime/served-v1model';

/** A switch with a CPU port and no program yet, and its packets. */
export interface LiveTarget {
  readonly address: string;
  /** A packet arrives at a port. */
  send(port: number, bytes: Uint8Array): void;
  stop(): Promise<void>;
}

/** The switches that the client is tested with; bmv2 leaves some entities out. */
export interface TargetKind {
  readonly name: string;
  readonly available: boolean;
  readonly start: () => Promise<LiveTarget>;
  /** True if it has registers and value sets over P4Runtime. */
  readonly wholeSpecification: boolean;
}

export const TARGETS: readonly TargetKind[] = [
  { name: 'our server', available: true, start: startOurs, wholeSpecification: true },
  { name: 'hpcc switch', available: true, start: startProcess, wholeSpecification: true },
  { name: 'bmv2', available: bmv2Available(), start: startTheirs, wholeSpecification: false },
];

async function startOurs(): Promise<LiveTarget> {
  const device = new ServedV1Model();
  const options = { devices: new Map([[1, device]]), address: '127.0.0.1:0' };
  const server = await startP4RuntimeServer(options);
  return {
    address: `127.0.0.1:${server.port}`,
    send: (port, bytes) => device.arrive(port, bytes),
    stop: () => server.stop(),
  };
}

/** The switch with all its servers, packets over gRPC as bmv2 has them. */
async function startProcess(): Promise<LiveTarget> {
  const flags = ['--no-p4', '--device-id', '1', '--dp-grpc-server-addr', '127.0.0.1:0'];
  const running = await startedSwitch([...flags, '--cpu-port', String(CPU_PORT)]);
  const dataplane = new Bmv2Dataplane(`127.0.0.1:${running.dataplanePort ?? 0}`, 1);
  return {
    address: `127.0.0.1:${running.grpcPort}`,
    send: (port, bytes) => dataplane.send({ port, bytes }),
    stop: async () => {
      dataplane.close();
      await running.stop();
    },
  };
}

async function startTheirs(): Promise<LiveTarget> {
  const bmv2 = await startBmv2(1, undefined, ['--cpu-port', String(CPU_PORT)]);
  // bmv2 refuses the stream of packets until it has a program.
  let dataplane: Bmv2Dataplane | undefined;
  return {
    address: bmv2.p4runtime,
    send: (port, bytes) => {
      dataplane ??= new Bmv2Dataplane(bmv2.dataplane, 1);
      dataplane.send({ port, bytes });
    },
    stop: async () => {
      dataplane?.close();
      await bmv2.stop();
    },
  };
}
