import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { readServerCredentials } from '../server/credentials';
import { startP4RuntimeServer } from '../server/server';
import { startThriftServer } from '../server/thrift/server';
import { LivePort } from './live/live-port';
import { LiveSwitch } from './live/live-switch';
import { startClock } from './live/monotonic-clock';
import { LiveDevice } from './live-device';
import { summarise } from './summary';
import { thriftTarget } from './thrift-target';
import type { ServedSwitch } from '../server/control-faces';
import type { P4RuntimeServer } from '../server/server';
import type { ThriftServer } from '../server/thrift/server';
import type { SwitchFlags, TlsFlags } from './flags/switch-flags';
import type { Log } from './live/log';
import type { SwitchSummary } from './summary';

export interface RunningSwitch {
  readonly grpcPort: number;
  /** Undefined when bmv2's default port was taken. */
  readonly thriftPort: number | undefined;
  /** Stops servers, then interfaces; may be called once. */
  stop(): Promise<SwitchSummary>;
}

export interface SwitchReports {
  readonly log: Log;
  /** Something that whoever started the switch should know. */
  warn(sentence: string): void;
  /** The switch has ended by itself. */
  failed(error: unknown): void;
}

/**
 * Starts a switch on real interfaces with its servers. What fails on the way takes back what has
 * been started.
 * @throws InputError naming the interface, file or address that cannot be used.
 */
export async function startSwitch(
  flags: SwitchFlags,
  reports: SwitchReports,
): Promise<RunningSwitch> {
  const live = new LiveSwitch({
    clock: startClock(),
    onFailure: (error) => reports.failed(error),
  });
  const device = new LiveDevice(flags, live, (text) => reports.log.write('info', text));
  const program = readProgramFile(flags.programFile);
  if (program !== undefined) device.loadProgram(program);
  let grpc: P4RuntimeServer | undefined;
  let thrift: ThriftServer | undefined;
  const stop = async (): Promise<SwitchSummary> => {
    await grpc?.stop();
    await thrift?.stop();
    await live.stop();
    return summarise(live, device.counters());
  };
  live.start(device);
  try {
    for (const [port, name] of flags.interfaces) {
      live.attach(new LivePort(port, name, flags.pcapFolder));
      reports.log.write('info', `Port ${port} is interface ${name}`);
    }
    grpc = await startGrpc(flags, { live, device });
    thrift = await startThrift(flags, { live, device }, reports);
    if (thrift !== undefined) reports.log.write('info', `Thrift listens on port ${thrift.port}`);
  } catch (error) {
    await stop();
    throw error;
  }
  reports.log.write('info', `P4Runtime listens on port ${grpc.port}`);
  return { grpcPort: grpc.port, thriftPort: thrift?.port, stop };
}

function readProgramFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`program ${file} cannot be read: ${(error as Error).message}`);
  }
}

interface Parts {
  readonly live: LiveSwitch;
  readonly device: LiveDevice;
}

function startGrpc(flags: SwitchFlags, { live, device }: Parts): Promise<P4RuntimeServer> {
  const served = flags.cpuPort === undefined ? device : withCpuPort(device, live);
  return startP4RuntimeServer({
    devices: new Map([[flags.deviceId, served]]),
    address: flags.grpcAddress,
    acceptDeviceZero: true,
    ...(flags.tls === undefined ? {} : { credentials: credentials(flags.tls) }),
  });
}

/** Packets to and from controllers. */
function withCpuPort(device: LiveDevice, live: LiveSwitch): ServedSwitch {
  return Object.assign(device, {
    controllerPort: {
      inject: (bytes: Uint8Array): void => {
        device.handlePacketOut(live.now(), { bytes, length: bytes.length });
      },
      onPacket: (receive: (bytes: Uint8Array) => void): void => live.onPacketIn(receive),
    },
  });
}

const credentials = (tls: TlsFlags): ReturnType<typeof readServerCredentials> =>
  readServerCredentials({
    certificate: tls.certificateFile,
    key: tls.keyFile,
    ...(tls.authorityFile === undefined ? {} : { clientAuthority: tls.authorityFile }),
    requireClientCertificate: tls.clientsNeedCertificate,
  });

async function startThrift(
  flags: SwitchFlags,
  parts: Parts,
  reports: SwitchReports,
): Promise<ThriftServer | undefined> {
  try {
    return await startThriftServer(thriftTarget({ ...parts, flags }), flags.thriftPort);
  } catch (error) {
    if (flags.thriftPortRequired || !(error instanceof InputError)) throw error;
    reports.warn(`${error.message}; without --thrift-port the switch goes on without it`);
    return undefined;
  }
}
