import { LOG_LEVELS } from '../../common/log-levels';
import { FLOW_IDS } from '../../common/wire/hpcc/hpcc-transport';
import { PAUSE_CLASSES } from '../../common/wire/ip/mac-control';
import { choice, flag, number, section, special, text, whole } from './setting';

/** Sockets by which frames of `hpcc agent` and `send` reach the wire; docs/agent.md says what `udp` cannot do. */
const TRANSPORTS = ['packet', 'udp'] as const;

/** From 1 kb/s to 100 Tb/s. */
export const [RATE_MIN, RATE_MAX] = [1000, 1e14];
export const [TIMEOUT_MIN_MS, TIMEOUT_MAX_MS] = [0.01, 3_600_000];
/**
 * Five times what switches wait: a storm further on is the affair of the switch before it, whose watchdog lets the
 * host go on.
 */
const PFC_WATCHDOG_MS = 1000;
/** Flows of one process; each has timers, a window and a place in every report. */
const FLOWS_MAX = 10_000;
/** Flows one after the other, whose ids need not be used twice. */
const FLOWS_IN_ALL_MAX = 10_000_000;
const DAY_SECONDS = 86_400;
/** Longest time that a timer can wait. */
const RUN_MAX_SECONDS = 10_000_000;

export const HOSTS = ['agent', 'send'] as const;
const AGENT = ['agent'] as const;

/** An interface of this machine. */
export const INTERFACE = section('Interface:', {
  interface: text('network interface; several and their rates: `eth1=10M,eth2=40M`', {
    on: HOSTS,
    side: 'each',
    arg: 'name',
    short: '-i',
    isRequired: true,
    tcp: 'reads',
  }),
  transport: choice(TRANSPORTS, 'raw frames, or datagrams of a UDP socket without rights', {
    on: HOSTS,
    side: 'each',
    default: 'packet',
  }),
  address: text('own IPv4 address', {
    on: HOSTS,
    side: 'each',
    arg: 'ipv4',
    otherwise: 'that of the interface',
    tcp: 'reads',
  }),
  mac: text('own MAC address', {
    on: HOSTS,
    side: 'each',
    arg: 'mac',
    otherwise: 'that of the interface',
  }),
  linkRateBps: number(RATE_MIN, RATE_MAX, 'rate of the own link', {
    on: HOSTS,
    side: 'each',
    otherwise: 'what the interface says',
    tcp: 'reads',
  }),
  pfcPriority: whole(0, PAUSE_CLASSES - 1, 'obey pauses of this queue of the switch', {
    on: HOSTS,
    side: 'each',
    default: 0,
  }),
  pfcWatchdogMs: whole(
    0,
    TIMEOUT_MAX_MS,
    'go on in spite of pauses that let nothing go for so long; 0: obey',
    {
      on: HOSTS,
      side: 'each',
      default: PFC_WATCHDOG_MS,
    },
  ),
});

export const FLOWS = section('Flows that are sent:', {
  send: text('send flows to that host too', { on: AGENT, side: 'starter', arg: 'ipv4' }),
  bytes: whole(1, Number.MAX_SAFE_INTEGER, 'payload per flow, such as 5M', {
    on: HOSTS,
    side: 'starter',
    short: '-n',
  }),
  time: number(0.001, RUN_MAX_SECONDS, 'send for so long', {
    on: HOSTS,
    side: 'starter',
    arg: 'seconds',
    short: '-t',
    otherwise: '10',
  }),
  parallel: whole(1, FLOWS_MAX, 'flows at the same time', {
    on: HOSTS,
    side: 'starter',
    short: '-P',
    default: 1,
  }),
  flows: whole(1, FLOWS_IN_ALL_MAX, 'flows in all: as one ends, another begins', {
    on: HOSTS,
    side: 'starter',
    needs: 'bytes',
    arg: 'count',
    otherwise: 'as --parallel',
  }),
  rate: number(RATE_MIN, RATE_MAX, 'limit of each flow on the wire, such as 100M', {
    on: HOSTS,
    side: 'starter',
    arg: 'bps',
    short: '-b',
  }),
  dscp: whole(0, 63, 'class of the flows: their DSCP', {
    on: HOSTS,
    side: 'starter',
    idle: 0,
  }),
  admitBelow: number(0.01, 1, 'begin a flow once its path has a load below that', {
    on: HOSTS,
    side: 'starter',
    arg: 'U',
    framing: 'hpcc',
  }),
  admitWithinMs: number(0.001, TIMEOUT_MAX_MS, 'begin it then in any case', {
    needs: 'admitBelow',
    on: HOSTS,
    side: 'starter',
    otherwise: '1000 T',
  }),
  peerMac: text('MAC address of the next hop, instead of looking it up', {
    on: HOSTS,
    side: 'starter',
    arg: 'mac',
  }),
  firstFlow: whole(0, FLOW_IDS - 1, 'id of the first flow; with RoCEv2 below 65,536', {
    on: HOSTS,
    side: 'starter',
    arg: 'id',
    otherwise: 'random',
  }),
  timeout: number(0.001, DAY_SECONDS, 'give up when nothing is acknowledged so long', {
    on: HOSTS,
    side: 'starter',
    arg: 'seconds',
    default: 5,
  }),
  interval: number(0.001, DAY_SECONDS, 'between reports', {
    on: HOSTS,
    side: 'starter',
    arg: 'seconds',
    default: 1,
  }),
  trace: text('write a line of JSON for each update of a window', {
    on: HOSTS,
    side: 'each',
    arg: 'file',
    tcp: 'reads',
  }),
  startAt: special({ kind: 'soon' }, 'begin at that Unix time in seconds, not at once', {
    on: HOSTS,
    side: 'starter',
    arg: 'unix',
  }),
  warmUp: number(
    0.001,
    DAY_SECONDS,
    'send a flow that does not count before, so that code is compiled',
    {
      on: HOSTS,
      side: 'starter',
      arg: 'seconds',
      was: [{ name: 'rehearse' }],
    },
  ),
});

export const TCP = section("The kernel's TCP connections (docs/tcp.md):", {
  tcp: flag('control them instead of the own transport', {
    on: AGENT,
    side: 'each',
    tcp: 'reads',
  }),
  tcpPorts: special({ kind: 'ports' }, 'only connections with one of these ports', {
    on: AGENT,
    side: 'each',
    arg: 'list',
    tcp: 'needed',
  }),
  tcpObserve: flag('measure queues and control nothing', {
    on: AGENT,
    side: 'each',
    tcp: 'needed',
  }),
  probeIntervalMs: number(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, 'with --tcp-observe: between probes', {
    needs: 'tcpObserve',
    on: AGENT,
    side: 'each',
    otherwise: '5',
    tcp: 'needed',
  }),
  rewriteWindow: flag('lower the window in acknowledgements too', {
    on: AGENT,
    side: 'each',
    tcp: 'needed',
  }),
});

export const PROCESS = section('Process:', {
  user: text('become this user once the sockets are open', {
    on: HOSTS,
    side: 'each',
    arg: 'name',
    tcp: 'reads',
  }),
  metrics: text('serve metrics at HOST:PORT, or PORT of loopback', {
    on: HOSTS,
    side: 'each',
    arg: 'address',
    tcp: 'reads',
  }),
  logLevel: choice(LOG_LEVELS, 'of the log', {
    on: HOSTS,
    side: 'each',
    arg: 'level',
    otherwise: 'info of hpcc agent, warn of hpcc send',
    tcp: 'reads',
  }),
  logFile: text('append the log to a file instead of standard error', {
    on: HOSTS,
    side: 'each',
    arg: 'file',
    tcp: 'reads',
  }),
});
