import { readTextFile } from '../../common/io/bounded-file';
import { InputError, placed } from '../../common/errors';
import { startP4RuntimeServer } from '../server/server';
import { startThriftServer } from '../server/thrift/server';
import { listenInThread } from '../server/thread/door-thread-client';
import { startDataplaneServer } from './dataplane/dataplane-server';
import { LiveSwitch } from './live/live-switch';
import { serveMetrics } from '../../common/io/metrics-server';
import type { MetricsServer } from '../../common/io/metrics-server';
import { startClock } from '../../common/io/monotonic-clock';
import { addLateness } from '../../common/io/net/lateness';
import type { LatenessCounts } from '../../common/io/net/lateness';
import { ONLY_PLACE } from '../../common/io/net/network-place';
import type { NetworkPlace } from '../../common/io/net/network-place';
import type { CompiledTexts } from '../codegen/compile';
import { LiveDevice } from './live-device';
import { losslessSummary } from './pause-report';
import type { LosslessSummary } from './pause-report';
import { portSource } from './port-source';
import { SwitchWarming } from './warm-switch';
import { switchMetrics } from './switch-metrics';
import { thriftTarget } from './thrift-target';
import type { PortNumber } from '../../common/units/units';
import type { DataplaneServer } from './dataplane/dataplane-server';
import type { PortSource } from './port-source';
import type { ServedSwitch } from '../server/state/served-switch';
import type { Listen, TlsMaterial } from '../server/listener';
import type { P4RuntimeServer } from '../server/server';
import { Limits } from '../server/limits/limits';
import type { ThriftServer } from '../server/thrift/server';
import type { SwitchFlags, TlsFlags } from './flags/switch-flags';
import type { ThriftParts } from './thrift-target';
import type { StormNotice } from '../v1model/pause-watch';
import type { SwitchCounters } from '../v1model/switch-counters';
import { readPemFile } from '../../common/io/pem-file';
import type { Log } from '../../common/io/log';

/** A switch that runs, and where its servers listen. */
export interface RunningSwitch {
  readonly grpcPort: number;
  /** Undefined when bmv2's default port was taken, or clients must authenticate. */
  readonly thriftPort: number | undefined;
  /** Undefined unless packets come over gRPC. */
  readonly dataplanePort: number | undefined;
  /** Stops servers, then interfaces; may be called once. */
  stop(): Promise<SwitchSummary>;
}

export interface SwitchReports {
  readonly log: Log;
  /** Reports a problem that does not stop the switch. */
  warn(sentence: string): void;
  /** The switch has ended by itself. */
  failed(error: unknown): void;
}

/** Resources of a switch that shares its process with others. */
export interface SwitchSharing {
  /** Network of its interfaces; the caller is in it while the switch starts. */
  readonly network: NetworkPlace;
  /** Compiled code that switches with equal programs share. */
  readonly compiled?: CompiledTexts;
  /** Listener for calls of controllers; TCP, in a thread of its own, unless given. */
  readonly listen?: Listen;
}

/**
 * Starts a switch on its interfaces, or what stands in for them, with its servers. What fails on the
 * way takes back what has been started.
 * @throws InputError naming the interface, file or address that cannot be used.
 */
export async function startSwitch(
  flags: SwitchFlags,
  reports: SwitchReports,
  sharing: SwitchSharing = { network: ONLY_PLACE },
): Promise<RunningSwitch> {
  const live = new LiveSwitch({
    clock: startClock(),
    linkRates: flags.linkRates,
    onFailure: (error) => reports.failed(error),
  });
  const log = (text: string): void => reports.log.info({ source: 'program' }, text);
  const pauseStormed = (notice: StormNotice): void => logStorm(reports.log, notice);
  const reach = { output: live, log, pauseStormed };
  const device = new LiveDevice(flags, reach, sharing.compiled);
  const source = portSource(flags, live, sharing.network);
  const limits = new Limits(flags.limits);
  const { network, listen = listenInThread(network) } = sharing;
  const parts: Parts = { limits, flags, reports, live, device, source, listen };
  const program = readProgramFile(flags.programFile);
  if (program !== undefined) {
    try {
      await device.prepareProgram(program);
      device.loadProgram(program);
    } catch (error) {
      throw placed(flags.programFile ?? 'the program', error);
    }
  }
  const servers: Servers = {};
  const states = new PortStates(
    (name) => source.wasUp(name),
    (port, up) => setPortUp(parts, servers, port, up),
  );
  const warming = new SwitchWarming({
    flags,
    live,
    device,
    log: reports.log,
    compiled: sharing.compiled,
  });
  let hasFailed = false;
  const look = (): void => {
    if (hasFailed) return;
    try {
      followInterfaces(parts);
      states.look(live.ports.values());
    } catch (error) {
      hasFailed = true;
      reports.failed(error);
    }
  };
  const stop = async (): Promise<SwitchSummary> => {
    source.watch(() => undefined);
    warming.stop();
    await servers.dataplane?.stop();
    await servers.metrics?.close();
    await servers.grpc?.stop();
    await servers.thrift?.stop();
    const lossless = losslessOf(device, live);
    await live.stop();
    source.close();
    const limited = limits.counts();
    return {
      ...summarise(live, device.counters()),
      ...(lossless && { lossless }),
      ...(Object.keys(limited).length > 0 && { limited }),
    };
  };
  try {
    live.start(device);
    for (const [port, name] of flags.interfaces) {
      live.attach(source.open(port, name));
      reports.log.info({ port, interface: name }, `Port ${port} is interface ${name}`);
    }
    const { port } = await startServers(parts, servers);
    // Servers have to know of links that are down from the start.
    source.watch(look);
    return {
      grpcPort: port,
      thriftPort: servers.thrift?.port,
      dataplanePort: servers.dataplane?.port,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function logStorm(log: Log, { isStorm, ...queue }: StormNotice): void {
  if (isStorm) log.warn(queue, 'pauses let nothing of a queue go: storm, the watchdog acts');
  else log.info({ port: queue.port, priority: queue.priority }, 'storm of pauses is over');
}

/** Lossless counters; valid as long as the switch has its ports. */
const losslessOf = ({ pauses }: LiveDevice, live: LiveSwitch): LosslessSummary | undefined =>
  pauses && losslessSummary(pauses, live.ports.keys(), live.now());

interface Parts {
  readonly limits: Limits;
  readonly flags: SwitchFlags;
  readonly reports: SwitchReports;
  readonly live: LiveSwitch;
  readonly device: LiveDevice;
  readonly source: PortSource;
  readonly listen: Listen;
}

/** Servers that have been started; they are to be stopped, also when a later one fails. */
interface Servers {
  grpc?: P4RuntimeServer;
  thrift?: ThriftServer | undefined;
  dataplane?: DataplaneServer;
  metrics?: MetricsServer;
}

async function startServers(parts: Parts, servers: Servers): Promise<P4RuntimeServer> {
  const { limits, flags, reports, live, device, source } = parts;
  const grpc = await startGrpc(parts);
  servers.grpc = grpc;
  if (flags.dataplaneAddress !== undefined) {
    servers.dataplane = await startDataplaneServer({
      address: flags.dataplaneAddress,
      deviceId: flags.deviceId,
      live,
      listen: parts.listen,
      failed: (error) => reports.failed(error),
      setPortUp: (port, up) => setPortUp(parts, servers, port, up),
    });
    reports.log.info(`Packets come over gRPC on port ${servers.dataplane.port}`);
  }
  if (flags.metrics !== undefined) {
    const registry = switchMetrics(live, device, flags.linkRates);
    servers.metrics = await serveMetrics(flags.metrics, registry);
    reports.log.info(`Metrics are served on port ${servers.metrics.port}`);
  }
  const shared = grpc.shared(flags.deviceId);
  const thrift = await startThrift({ live, device, flags, shared, source }, reports, limits);
  servers.thrift = thrift;
  if (thrift !== undefined)
    reports.log.info({ port: thrift.port }, `Thrift listens on port ${thrift.port}`);
  reports.log.info({ port: grpc.port }, `P4Runtime listens on port ${grpc.port}`);
  return grpc;
}

function followInterfaces({ source, live, reports }: Parts): void {
  source.follow(({ port, interfaceName, fd }, before) => {
    live.interfaceRenewed(before, fd);
    reports.log.info(
      { port, interface: interfaceName },
      `Port ${port}: interface ${interfaceName} was made again`,
    );
  });
}

/** A link has been lost or found: members that watch it and backup replicas depend on it. */
function setPortUp(parts: Parts, { grpc }: Servers, port: PortNumber, up: boolean): void {
  parts.device.setPortUp(port, up);
  grpc?.setPortUp(parts.flags.deviceId, port, up);
  parts.reports.log.info({ port, up }, `Port ${port} is ${up ? 'up' : 'down'}`);
}

function readProgramFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readTextFile(file);
  } catch (error) {
    throw new InputError(`program ${file} cannot be read: ${(error as Error).message}`);
  }
}

function startGrpc({
  limits,
  flags,
  reports,
  live,
  device,
  listen,
}: Parts): Promise<P4RuntimeServer> {
  const served = flags.cpuPort === undefined ? device : withCpuPort(device, live);
  return startP4RuntimeServer({
    devices: new Map([[flags.deviceId, served]]),
    address: flags.grpcAddress,
    acceptDeviceZero: true,
    compatible: flags.compatible,
    limits,
    log: (sentence) => {
      reports.log.warn(sentence);
      // Who keeps no log would lose messages without a word.
      if (!flags.logToConsole) reports.warn(sentence);
    },
    listen,
    failed: (error) => reports.failed(error),
    ...(flags.tls === undefined ? {} : { tls: tlsMaterial(flags.tls) }),
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

const tlsMaterial = (tls: TlsFlags): TlsMaterial =>
  readTlsMaterial({
    certificate: tls.certificateFile,
    key: tls.keyFile,
    ...(tls.authorityFile === undefined ? {} : { clientAuthority: tls.authorityFile }),
    requireClientCertificate: tls.clientsNeedCertificate,
  });

async function startThrift(
  parts: ThriftParts,
  reports: SwitchReports,
  limits: Limits,
): Promise<ThriftServer | undefined> {
  const { thriftPort: port, thriftAddress: host, thriftPortRequired } = parts.flags;
  if (port === undefined) {
    reports.log.info('No Thrift, because clients must authenticate');
    return undefined;
  }
  try {
    return await startThriftServer(thriftTarget(parts), port, { host, limits });
  } catch (error) {
    if (thriftPortRequired || !(error instanceof InputError)) throw error;
    reports.warn(`${error.message}; without --thrift-port the switch goes on without it`);
    return undefined;
  }
}

/** Counts of a switch from its start to its end. */
export interface SwitchSummary {
  /** Frames that interfaces handed to the switch. */
  readonly received: number;
  /** Frames that interfaces took from the switch. */
  readonly sent: number;
  /** Frames that were lost, by cause; causes without a loss are left out. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Lateness of fetched frames, if any waited for a millisecond. */
  readonly late?: LatenessCounts;
  /** Memory that ports share, where they share any. */
  readonly lossless?: LosslessSummary;
  /**
   * Number of times that limits of the servers were met, by name, if any was; see docs/limits.md.
   */
  readonly limited?: Readonly<Record<string, number>>;
}

export function summarise(live: LiveSwitch, { drops }: SwitchCounters): SwitchSummary {
  const ports = live.counters();
  const sum = (count: (port: (typeof ports)[number]) => number): number =>
    ports.reduce((total, port) => total + count(port), 0);
  const late = addLateness(ports.flatMap((port) => port.late ?? []));
  const causes: Record<string, number> = {
    ...drops,
    'receive-overflow': sum(({ overflowed }) => overflowed),
    'receive-oversized': sum(({ oversized }) => oversized),
    'send-refused': sum(({ sendFailed }) => sendFailed),
    'no-interface': live.unattached,
    'not-captured': sum(({ uncaptured = 0 }) => uncaptured),
  };
  return {
    received: sum(({ received }) => received),
    sent: sum(({ sent }) => sent),
    dropped: Object.fromEntries(Object.entries(causes).filter(([, count]) => count > 0)),
    ...(Object.keys(late.waited).length > 0 && { late }),
  };
}

/** An interface as a port. */
interface NamedPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
}

/** Remembers which ports are up, and reports changes. All begin as up. */
export class PortStates {
  readonly #down = new Set<PortNumber>();

  /**
   * @param changed called for each port whose link has come up or gone down since the last look; a
   * port without interface counts as up, because nothing is known of it.
   */
  constructor(
    private readonly isUp: (interfaceName: string) => boolean | undefined,
    private readonly changed: (port: PortNumber, up: boolean) => void,
  ) {}

  look(ports: Iterable<NamedPort>): void {
    const gone = new Set(this.#down);
    for (const { port, interfaceName } of ports) {
      gone.delete(port);
      // Without an answer the state stays: a machine without resources has not lost its links.
      this.#set(port, this.isUp(interfaceName) ?? this.up(port));
    }
    for (const port of gone) this.#set(port, true);
  }

  /** True if the port was up at the last look. */
  up(port: PortNumber): boolean {
    return !this.#down.has(port);
  }

  #set(port: PortNumber, up: boolean): void {
    if (up === this.up(port)) return;
    if (up) this.#down.delete(port);
    else this.#down.add(port);
    this.changed(port, up);
  }
}

/** Certificate files of the server; every file is PEM. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  /** Authority of clients' certificates; present for mutual TLS. */
  readonly clientAuthority?: string;
  /** Refuse clients that show no certificate of `clientAuthority`. */
  readonly requireClientCertificate?: boolean;
}

/**
 * Reads the certificates of a server that is reached by TLS, and by mutual TLS when clients must show
 * certificates too.
 * @throws InputError naming the file that cannot be read or is not PEM.
 */
export function readTlsMaterial(files: TlsFiles): TlsMaterial {
  const requireClientCertificate = files.requireClientCertificate === true;
  if (requireClientCertificate && files.clientAuthority === undefined) {
    throw new InputError('TLS: client certificates are wanted, but no authority to check them by');
  }
  return {
    certificate: readPemFile(files.certificate, 'CERTIFICATE', 'the server certificate'),
    key: readPemFile(files.key, 'PRIVATE KEY', 'the server key'),
    ...(files.clientAuthority !== undefined && {
      clientAuthority: readPemFile(files.clientAuthority, 'CERTIFICATE', 'the client authority'),
    }),
    requireClientCertificate,
  };
}
