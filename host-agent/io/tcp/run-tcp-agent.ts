import { openLog, processLog } from '../../../common/io/log';
import type { Log } from '../../../common/io/log';
import { InputError } from '../../../common/errors';
import { startClock } from '../../../common/io/monotonic-clock';
import type { Clock } from '../../../common/io/monotonic-clock';
import { formatIpv4 } from '../../../common/topology/topology';
import { gigabitsPerSecond, microseconds, milliseconds } from '../../../common/units/units';
import { PROBED_QUEUE_FROM } from '../../algorithm/path-load';
import { hpccppFactory } from '../../algorithm/window-form';
import { connectionName } from '../../tcp/connection-key';
import { CONNECTIONS_MAX } from '../../tcp/tc-commands';
import { TcpControl } from '../../tcp/tcp-control';
import type { ConnectionSummary, TcpCounters } from '../../tcp/tcp-control';
import type { TcpOutputs, TcpSettings } from '../../tcp/tcp-settings';
import { endOfRun } from '../../../common/io/end-of-run';
import { OWN_PROCESS } from '../../../common/io/environment';
import type { Environment } from '../../../common/io/environment';
import { serveMetrics } from '../../../common/io/metrics-server';
import type { MetricsServer } from '../../../common/io/metrics-server';
import { interfaceFacts, ipv4Argument } from '../net/interface-facts';
import type { InterfaceFacts } from '../net/interface-facts';
import type { LiveLoop } from '../../../common/io/loop/live-loop';
import { becomeUser, wantedUser } from '../process/privileges';
import { LineFile } from '../process/line-file';
import { sampleLine } from '../../tcp/tcp-settings';
import { Shaper } from './shaper';
import { configurationOf } from '../../settings/configuration';
import type { HostSettings, Settings } from '../../settings/settings';
import { tcpDriver } from './tcp-driver';
import { tcpMetricsRegistry } from './tcp-metrics';
import { SocketTable } from './socket-table';
import { TcpPort } from './tcp-port';
import { WindowRewriter } from './window-rewriter';
import type { TcpPortCounters } from './tcp-port';

const MS_PER_SECOND = 1000;
const LINK_RATE = gigabitsPerSecond(10);
/** Time between two signs of life for what clamps windows in the kernel, in ms. */
const BEAT_MS = 250;

/** Headroom is shared by so many connections unless somebody says otherwise. */
const EXPECTED_FLOWS = 8;
/** Rounds of two probes are longer than those of acknowledgements: fewer of them may be additive. */
const MAX_STAGE = 1;
const HOP_LIMIT = 8;
const PROBE_INTERVAL_MS = 5;

/** Settings that were given; T is measured unless it is a number. */
type GivenHost = Settings & Pick<HostSettings, 'interface' | 'logLevel'>;

/** Figures of an agent that controlled the TCP connections of its host. */
export interface TcpAgentReport {
  readonly counters: TcpCounters & {
    readonly tcCommands: number;
    readonly tcErrors: number;
    readonly windowsLowered: number;
  };
  readonly port: TcpPortCounters;
  /** Processor time of the process since it was ready. */
  readonly cpuSeconds: number;
  readonly connections: readonly ConnectionSummary[];
}

/**
 * Controls the TCP connections of an interface until SIGTERM or SIGINT. Nothing of it is left behind,
 * however it ends.
 * @param environment what it has of the process, which it may share with other hosts.
 * @throws InputError for everything that whoever started it can mend.
 */
export async function runTcpAgent(
  options: GivenHost,
  environment: Environment = OWN_PROCESS,
): Promise<TcpAgentReport> {
  const { network } = environment;
  const { log, close } = openLog('hpcc-agent', processLog(options), environment);
  const user = wantedUser(options, environment);
  const session = await network.during(() => TcpSession.open(options, log));
  const ending = endOfRun(environment);
  try {
    if (user !== undefined) becomeUser(user);
    await network.during(() => session.start(options, ending.fail));
    await ending.promise;
  } finally {
    ending.release();
    await session.stop();
    close();
  }
  return session.report();
}

/** One run: what was opened, in the order in which it must be closed again. */
class TcpSession {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #port: TcpPort;
  readonly #sockets: SocketTable;
  readonly #shaper: Shaper;
  readonly #windows: WindowRewriter | undefined;
  #beat: NodeJS.Timeout | undefined;
  readonly #trace: LineFile | undefined;
  /** Unix time in seconds at instant 0. */
  readonly #origin: number;
  readonly #control: TcpControl;
  #driver: LiveLoop | undefined;
  #metrics: MetricsServer | undefined;
  #cpu = process.cpuUsage();
  #report: TcpAgentReport | undefined;

  static async open(options: GivenHost, log: Log): Promise<TcpSession> {
    const facts = interfaceFacts(options.interface);
    const address = ownAddress(options, facts);
    const port = new TcpPort(facts.name, address);
    let sockets: SocketTable | undefined;
    let shaper: Shaper | undefined;
    let windows: WindowRewriter | undefined;
    try {
      sockets = new SocketTable();
      if (options.rewriteWindow === true) windows = new WindowRewriter(facts.name);
      shaper = await Shaper.open({
        device: { name: facts.name, address, mtu: facts.mtu },
        shapes: options.tcpObserve !== true,
        onError: (line) => log.warn({ tc: line }, 'tc refused a command'),
      });
      const clock = startClock();
      const origin = (performance.timeOrigin + performance.now()) / MS_PER_SECOND;
      const trace = options.trace === undefined ? undefined : newTrace(options.trace, log);
      const where = { interface: facts.name, address: formatIpv4(address) };
      log.info(where, 'interface is open');
      const parts = { log, clock, origin, port, sockets, shaper, windows, trace };
      return new TcpSession({ ...parts, settings: settings(options, facts) });
    } catch (error) {
      port.close();
      sockets?.close();
      windows?.close();
      await shaper?.close();
      throw error;
    }
  }

  private constructor(parts: TcpParts) {
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.#port = parts.port;
    this.#sockets = parts.sockets;
    this.#shaper = parts.shaper;
    this.#windows = parts.windows;
    this.#trace = parts.trace;
    this.#origin = parts.origin;
    this.#control = new TcpControl(parts.settings, this.#outputs());
  }

  async start({ metrics }: GivenHost, fail: (error: unknown) => void): Promise<void> {
    if (metrics !== undefined) {
      const registry = tcpMetricsRegistry({
        counters: () => this.#counters(),
        connections: () => this.#control.current(),
      });
      this.#metrics = await serveMetrics(metrics, registry);
      this.#log.info({ port: this.#metrics.port }, 'metrics are served');
    }
    this.#driver = tcpDriver({
      clock: this.#clock,
      control: this.#control,
      port: this.#port,
      onRound: () => this.#shaper.flush(),
      onFailure: fail,
    });
    void this.#shaper.lost.then(() =>
      fail(new InputError('the tc that sets rates has ended: TCP is controlled no more')),
    );
    this.#cpu = process.cpuUsage();
    this.#driver.start();
    this.#beat = setInterval(() => this.#windows?.beat(), BEAT_MS);
    this.#log.info('ready');
  }

  async stop(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#cpu);
    clearInterval(this.#beat);
    await this.#metrics?.close();
    await this.#driver?.stop();
    const connections = this.#control.summaries();
    this.#control.endAll();
    this.#report = {
      counters: this.#counters(),
      port: this.#port.counters(),
      cpuSeconds: (user + system) / 1e6,
      connections,
    };
    this.#port.close();
    this.#sockets.close();
    this.#windows?.close();
    await this.#shaper.close();
    this.#trace?.close();
    this.#log.info('ended');
  }

  report(): TcpAgentReport {
    if (this.#report === undefined) throw new Error('Internal error: the session has not ended');
    return this.#report;
  }

  #counters(): TcpAgentReport['counters'] {
    const windowsLowered = this.#windows?.lowered ?? 0;
    return { ...this.#control.counters(), ...this.#shaper.counters, windowsLowered };
  }

  #outputs(): TcpOutputs {
    const shaper = this.#shaper;
    const log = this.#log;
    return {
      sendFrame: (frame) => this.#port.send(frame),
      classOf: (connection) => this.#sockets.classOf(connection),
      openClass: (connection, classId, rate) => {
        log.debug({ connection: connectionName(connection), classId, rate }, 'is controlled');
        shaper.openClass(connection, classId, rate);
      },
      setRate: (classId, rate) => shaper.setRate(classId, rate),
      closeClass: (connection, classId) => {
        log.debug({ connection: connectionName(connection), classId }, 'is left to the kernel');
        shaper.closeClass(connection, classId);
      },
      limitWindow: (connection, field) => this.#windows?.limit(connection, field),
      releaseWindow: (connection) => this.#windows?.release(connection),
      onSample: (sample) => this.#trace?.add(sampleLine(sample, this.#origin)),
    };
  }
}

const newTrace = (path: string, log: Log): LineFile =>
  new LineFile(path, (reason) => log.error({ reason }, 'trace loses lines'));

interface TcpParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly port: TcpPort;
  readonly sockets: SocketTable;
  readonly shaper: Shaper;
  readonly windows: WindowRewriter | undefined;
  readonly trace: LineFile | undefined;
  readonly origin: number;
  readonly settings: TcpSettings;
}

function ownAddress({ address, interface: name }: GivenHost, facts: InterfaceFacts): number {
  if (address !== undefined) return ipv4Argument('--address', address);
  if (facts.ipv4 !== undefined) return facts.ipv4.address;
  throw new InputError(`interface ${name} has no IPv4 address; give one with --address`);
}

function settings(options: GivenHost, facts: InterfaceFacts): TcpSettings {
  const { hopLimit = HOP_LIMIT, baseRttUs, probeIntervalMs = PROBE_INTERVAL_MS } = options;
  const isObserved = options.tcpObserve === true;
  return {
    linkRate: options.linkRateBps ?? facts.linkRate ?? LINK_RATE,
    ...(typeof baseRttUs === 'number' && { baseRtt: microseconds(baseRttUs) }),
    hopLimit,
    control: hpccppFactory({
      maxHops: hopLimit,
      maxStage: MAX_STAGE,
      expectedFlows: EXPECTED_FLOWS,
      ...configurationOf(options).tuning,
      // Samples are further apart than the network's round trip: the smaller queue would hide growth.
      latestQueueFrom: PROBED_QUEUE_FROM,
    }),
    ports: new Set(options.tcpPorts),
    ...(isObserved && { observeEvery: milliseconds(probeIntervalMs) }),
    rewritesWindows: options.rewriteWindow === true,
    connectionsMax: CONNECTIONS_MAX,
    // Another process at this host may have asked a moment ago.
    firstProbeId: Date.now() % 0x8000,
  };
}
