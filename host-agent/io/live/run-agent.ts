import { openLog, processLog } from '../../../common/io/log';
import type { Log } from '../../../common/io/log';
import { formatIpv4, formatMac } from '../../../common/topology/topology';
import { PS_PER_SECOND } from '../../../common/units/units';
import type { CoordinationCounters } from '../../coordination/host-coordination';
import type { FlowInterval, FlowTotal, TrafficTotal } from '../../traffic/traffic-report';
import type { HostCounters, HostEvent } from '../../host/host-events';
import type { HostPauses } from '../../host/pausable-agent';
import { loadAlgorithm } from '../options/load-algorithm';
import { withHostDefaults } from '../../settings/settings';
import type { HostSettings, Settings } from '../../settings/settings';
import type { SendOptions } from '../options/send-options';
import { endOfRun } from '../../../common/io/end-of-run';
import type { Ending } from '../../../common/io/end-of-run';
import { OWN_PROCESS } from '../../../common/io/environment';
import type { Environment } from '../../../common/io/environment';
import { ReceivedFlows } from './flow-payload';
import type { ReceivedFlow } from './flow-payload';
import type { FlowTraces } from './traffic';
import { differenceText } from '../../settings/agreement';
import type { SettingDifference } from '../../settings/agreement';
import { damageAdvice } from '../../traffic/damage-advice';
import { keysAdvice } from '../../traffic/keys-advice';
import { settingsAdvice } from '../../traffic/settings-advice';
import type { ReceivedFigures } from '../../traffic/flow-meters';
import { ControlTrace } from '../../traffic/control-trace';
import { LineFile } from '../process/line-file';
import { startTraffic } from './start-traffic';
import type { RunningTraffic, TrafficRun } from './start-traffic';
import { InterfaceWatch } from './interface-watch';
import type { HostDriver } from './live-host';
import { readKeyFile, rotate } from '../keys/key-file';
import { serveMetrics } from '../../../common/io/metrics-server';
import type { MetricsServer } from '../../../common/io/metrics-server';
import { metricsRegistry } from '../process/metrics';
import type { PausedCounts } from '../process/metrics';
import type { PortCounters } from '../net/frame-port';
import { PacketPort } from '../net/packet-port';
import { differingPeers, openHost } from './open-host';
import type { OpenHost, SourcePathsOf } from './open-host';
import { becomeUser, wantedUser } from '../process/privileges';
import type { User } from '../process/privileges';
import type { Duration } from '../../../common/units/units';

const MS_PER_SECOND = 1000;
const BYTES_PER_KB = 1024;
/** Drops the intervals of a warm-up flow. */
const DROP_INTERVALS = (): void => undefined;

/** Figures of an agent from its start to its end. */
export interface AgentReport {
  readonly host: HostCounters;
  readonly port: PortCounters;
  /** Counters of a host that obeys notifications. */
  readonly coordination?: CoordinationCounters;
  /** Pauses of the host by the switch, if there were any. */
  readonly paused?: PausedCounts;
  /** Advice when hosts have other keys or settings that both need alike, or when packets come damaged. */
  readonly advice?: string;
  /** Hosts with which flows ran or were to run, and what they have otherwise. */
  readonly settingsDiffer?: readonly PeerSettings[];
  /** Lines of `--trace` that the disk has refused. */
  readonly traceLinesLost?: number;
  /** Processor time of the process since it was ready. */
  readonly cpuSeconds: number;
  /** The most memory that the process has had at a time. */
  readonly memoryPeakBytes: number;
  /** Flows that were received whole, the last ones of many. */
  readonly received: readonly ReceivedFlow[];
  /** Flows whose algorithm ran here, at their receiver, the last ones of many. */
  readonly controlled?: readonly ReceivedFigures[];
  readonly sent?: { readonly flows: readonly FlowTotal[]; readonly total: TrafficTotal };
}

/** Settings that both ends need alike, and that a peer has otherwise. */
export interface PeerSettings {
  /** Its IPv4 address. */
  readonly peer: string;
  readonly differences: readonly SettingDifference[];
}

/** Settings that were given of a host; the rest has defaults. */
export type GivenHost = Settings & Pick<HostSettings, 'interface' | 'logLevel'>;

export interface AgentRun {
  readonly agent: GivenHost;
  /** Absent: the agent only receives. */
  readonly send?: SendOptions;
  /** Paths by which it sends, with `sourceRouting` among the settings. */
  readonly sourcePaths?: SourcePathsOf | undefined;
  /** Goes on when all flows are sent, until a signal. */
  readonly staysOn: boolean;
  /** True if an algorithm of a file has all rights of the process; otherwise it runs in a compartment. */
  readonly trust?: boolean | undefined;
  readonly onInterval?: (flows: readonly FlowInterval[]) => void;
}

/**
 * Runs a host on a real interface until SIGTERM, SIGINT or, unless it stays on, the end of its
 * flows. Nothing of it is left behind, however it ends.
 * @param environment what it has of the process, which it may share with other hosts.
 * @throws InputError for everything that whoever started it can mend.
 */
export async function runAgent(
  run: AgentRun,
  environment: Environment = OWN_PROCESS,
): Promise<AgentReport> {
  const options = withHostDefaults(run.agent);
  const { log, close } = openLog('hpcc-agent', processLog(options), environment);
  // A signal that comes while it starts ends it, too.
  const ending = endOfRun(environment);
  try {
    const user = wantedUser(options, environment);
    await loadAlgorithm(options.algorithm, { trust: run.trust });
    const host = environment.network.run(() =>
      openHost(
        options,
        { rateMax: run.send?.rate, sourcePaths: run.sourcePaths },
        environment.network,
      ),
    );
    return await runHost(run, host, { log, ending, environment, ...(user && { user }) });
  } finally {
    ending.release();
    close();
  }
}

async function runHost(
  run: AgentRun,
  host: OpenHost,
  { user, ...parts }: SessionParts & { readonly user?: User },
): Promise<AgentReport> {
  const { keys } = run.agent;
  const { ending, environment } = parts;
  const session = new Session(host, parts);
  try {
    await environment.network.during(() => session.start(run));
    if (keys !== undefined) session.watchKeys(keys);
    if (user !== undefined) becomeUser(user);
    await session.send(run);
    await ending.promise;
  } finally {
    await session.stop();
  }
  return session.report();
}

interface SessionParts {
  readonly log: Log;
  readonly ending: Ending;
  readonly environment: Environment;
}

/** One run: what was started, in the order in which it must be stopped again. */
class Session {
  readonly #host: OpenHost;
  readonly #log: Log;
  readonly #ending: Ending;
  readonly #environment: Environment;
  readonly #live: HostDriver;
  readonly #received: ReceivedFlows;
  #metrics: MetricsServer | undefined;
  #traffic: RunningTraffic | undefined;
  /** The warm-up traffic, until it has ended. */
  #warmUp: RunningTraffic | undefined;
  #trace: LineFile | undefined;
  #traces: FlowTraces | undefined;
  #ignoreHangUp: (() => void) | undefined;
  #beginning: NodeJS.Timeout | undefined;
  #watches: readonly InterfaceWatch[] = [];
  #port: PortCounters;
  #isDamageTold = false;
  #cpu = process.cpuUsage();

  constructor(host: OpenHost, { log, ending, environment }: SessionParts) {
    this.#host = host;
    this.#log = log;
    this.#ending = ending;
    this.#environment = environment;
    this.#port = host.portCounters();
    this.#received = new ReceivedFlows(host.deliveries);
    this.#live = host.drive({
      onEvent: (event) => this.#handle(event),
      onFailure: (error) => ending.fail(error),
    });
  }

  async start({ agent: { metrics, trace, transport = 'packet' } }: AgentRun): Promise<void> {
    const { nics, address } = this.#host;
    if (trace !== undefined) this.#openTrace(trace);
    if (metrics !== undefined) {
      const registry = metricsRegistry({
        host: () => this.#host.counters(),
        port: () => this.#host.portCounters(),
        flows: () => this.#traffic?.samples() ?? [],
        controlled: () => this.#host.meters.received(),
        differing: () => this.#differing(),
        paused: () => this.#paused(),
      });
      this.#metrics = await serveMetrics(metrics, registry);
      this.#log.info({ port: this.#metrics.port }, 'metrics are served');
    }
    for (const { facts, mac, linkRate } of nics) {
      const where = { interface: facts.name, transport, address: formatIpv4(address) };
      this.#log.info({ ...where, mac: formatMac(mac), mtu: facts.mtu, linkRate }, 'host is open');
    }
    this.#watches = nics.flatMap(({ port }) =>
      port instanceof PacketPort ? [this.#watchInterface(port)] : [],
    );
  }

  #watchInterface(port: PacketPort): InterfaceWatch {
    const [log, what] = [this.#log, { interface: port.interfaceName }];
    return new InterfaceWatch({
      port,
      network: this.#environment.network,
      onRenewed: (before) => {
        this.#live.interfaceRenewed(before, port);
        log.info(what, 'interface was made again');
      },
      onRefused: ({ message }) =>
        log.error({ ...what, reason: message }, 'interface was made again and cannot be opened'),
    });
  }

  /** Starts to drive the host, and its flows if it has any to send. */
  async send({ send, staysOn, onInterval }: AgentRun): Promise<void> {
    const fail = (error: unknown): void => this.#ending.fail(error);
    const plan = send && { send, traces: this.#traces, fail };
    // The interface's namespace holds for what startTraffic looks up at once; later look-ups go by the
    // host.
    const { network } = this.#environment;
    const prepare = (run: TrafficRun): Promise<RunningTraffic> =>
      network.run(() => startTraffic(this.#host, this.#live, run));
    const traffic = plan && (await prepare(plan));
    const seconds = send?.warmUpSeconds;
    if (plan && seconds !== undefined)
      this.#warmUp = await prepare(warmUpFlow(plan, seconds, this.#host));
    this.#host.warmUp();
    this.#cpu = process.cpuUsage();
    this.#live.start();
    this.#log.info('ready');
    if (traffic === undefined) return;
    this.#traffic = traffic;
    const begin = (): void =>
      traffic.begin(onInterval ?? ((flows) => this.#log.info({ flows }, 'interval')), () => {
        this.#log.info(traffic.totals().total, 'all flows are sent');
        if (!staysOn) this.#ending.end();
      });
    // Processes of several hosts that are told the same instant begin together.
    const beginOnTime = (): void => {
      const at = (send?.startAt ?? 0) * MS_PER_SECOND;
      const wait = at - performance.timeOrigin - performance.now();
      if (wait > 0) this.#beginning = setTimeout(begin, wait);
      else begin();
    };
    if (this.#warmUp === undefined) beginOnTime();
    else {
      this.#warmUp.begin(DROP_INTERVALS, () => {
        this.#warmUp = undefined;
        beginOnTime();
      });
    }
  }

  async stop(): Promise<void> {
    this.#ending.release();
    this.#ignoreHangUp?.();
    clearTimeout(this.#beginning);
    this.#warmUp?.stop();
    this.#traffic?.stop();
    await this.#metrics?.close();
    this.#port = this.#host.portCounters();
    for (const each of this.#watches) each.close();
    await this.#live.stop();
    this.#host.release();
    this.#trace?.close();
    this.#log.info('ended');
  }

  /** SIGHUP brings other keys; a file that cannot be used changes nothing. */
  watchKeys(path: string): void {
    const { keyRing } = this.#host;
    if (keyRing === undefined) return;
    this.#ignoreHangUp = this.#environment.onSignal('SIGHUP', () => {
      try {
        rotate(keyRing, readKeyFile(path));
        this.#log.info({ signing: keyRing.signing }, 'keys are read again');
      } catch (error) {
        this.#log.error({ reason: String(error) }, 'keys stay as they were');
      }
    });
  }

  #openTrace(path: string): void {
    const { baseRtt } = this.#host;
    const now = this.#live.act((_agent, present) => present);
    const unixMs = performance.timeOrigin + performance.now();
    const timing = { origin: unixMs / MS_PER_SECOND - now / PS_PER_SECOND, baseRtt };
    const file = new LineFile(path, (reason) => this.#log.error({ reason }, 'trace loses lines'));
    this.#trace = file;
    const traces: FlowTraces = (flow, source) => {
      const from = source === undefined ? {} : { source };
      const trace = new ControlTrace(flow, { ...timing, ...from });
      return (update) => file.add(trace.line(update));
    };
    this.#traces = traces;
    this.#host.meters.traceReceived(traces);
  }

  report(): AgentReport {
    const counters = this.#host.counters();
    const advice =
      keysAdvice(counters) ??
      settingsAdvice(differingPeers(this.#host.nics)) ??
      damageAdvice(counters);
    const differing = this.#differing();
    const sent = this.#traffic?.totals();
    const controlled = this.#host.meters.received();
    const { user, system } = process.cpuUsage(this.#cpu);
    const coordination = this.#host.nics[0].agent.coordination();
    const paused = this.#paused();
    return {
      host: counters,
      port: this.#port,
      ...(coordination && { coordination }),
      ...(paused !== undefined && paused.pauses > 0 && { paused }),
      cpuSeconds: (user + system) / 1e6,
      memoryPeakBytes: process.resourceUsage().maxRSS * BYTES_PER_KB,
      ...(this.#trace !== undefined && { traceLinesLost: this.#trace.linesLost }),
      ...(advice !== undefined && { advice }),
      ...(differing.length > 0 && { settingsDiffer: differing }),
      received: this.#received.latest,
      ...(controlled.length > 0 && { controlled }),
      ...(sent && { sent }),
    };
  }

  #differing(): readonly PeerSettings[] {
    return differingPeers(this.#host.nics).map(({ peerAddress, differences }) => ({
      peer: formatIpv4(peerAddress),
      differences,
    }));
  }

  /** Up to now, also of a pause that goes on. */
  #paused(): PausedCounts | undefined {
    const all = this.#host.nics.flatMap(({ pausable }) => pausable ?? []);
    if (all.length === 0) return undefined;
    this.#live.act((_agent, now) => all.forEach((each) => each.settle(now)));
    const sum = (of: (each: HostPauses) => number): number =>
      all.reduce((total, { pauses }) => total + of(pauses), 0);
    return {
      pauses: sum(({ pauses }) => pauses),
      resumes: sum(({ resumes }) => resumes),
      storms: sum(({ storms }) => storms),
      seconds: sum(({ duration }) => duration) / PS_PER_SECOND,
    };
  }

  #handle(event: HostEvent): void {
    (this.#warmUp ?? this.#traffic)?.handleEvent(event);
    if (event.kind === 'flow-received') {
      const flow = this.#received.note(event);
      this.#log.info(flow, 'flow is received');
    } else if (event.kind === 'settings-differ') {
      const peer = formatIpv4(event.peerAddress);
      const { differences } = event;
      this.#log.warn({ peer, differences }, differenceText(differences, peer));
    } else if (event.kind === 'pause-storm') {
      const what = { priority: event.priority };
      if (event.isStorm)
        this.#log.warn(what, 'pauses let nothing go: storm, sending in spite of them');
      else this.#log.info(what, 'storm of pauses is over');
    } else if (event.kind === 'packet-rejected') {
      const { reason, detail } = event;
      this.#log.debug({ reason, detail }, 'packet is dropped');
      if (reason === 'malformed') this.#warnOfDamage(detail);
    }
  }

  /** Says once that most packets come damaged. */
  #warnOfDamage(detail: string): void {
    if (this.#isDamageTold) return;
    const advice = damageAdvice(this.#host.counters());
    if (advice === undefined) return;
    this.#isDamageTold = true;
    this.#log.warn({ detail }, advice);
  }
}

/**
 * A flow to the same destination before the measured ones: with it, this host, the other one
 * and the switches between them compile what they need, over their real interfaces. It ends before the
 * first flow of the run begins, and is in no trace and no total.
 * @param seconds how long it sends.
 */
function warmUpFlow(
  { send, fail, traces }: TrafficRun,
  seconds: number,
  { baseRtt, flowIds }: OpenHost,
): TrafficRun {
  const { admission: _, firstFlow, ...same } = send;
  const warmUp: SendOptions = {
    ...same,
    amount: { kind: 'time', seconds },
    parallel: 1,
    // Its id is none of those that the run takes.
    ...(firstFlow !== undefined && { firstFlow: (firstFlow + send.parallel) % flowIds }),
  };
  return { send: warmUp, fail, traces: traces && droppedTraces(baseRtt) };
}

/** Makes lines as traces do, and keeps none. */
const droppedTraces =
  (baseRtt: Duration): FlowTraces =>
  (flow) => {
    const trace = new ControlTrace(flow, { origin: 0, baseRtt });
    return (update) => void trace.line(update);
  };
