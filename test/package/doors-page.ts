import * as fs from 'node:fs';
import * as path from 'node:path';
import { deadlineOption } from '../../cli/controller/options';
import { RECEIVE_BYTES } from '../../cli/int/report-socket';
import { DOCUMENT_BYTES_MAX, PIPE_MS } from '../../common/io/bounded-file';
import { HTTP_BOUNDS } from '../../common/io/bounded-http';
import { CODE_BYTES_MAX } from '../../common/io/code/module-text';
import { CALL_MS } from '../../common/io/code/watchdog';
import { LOG_BYTES_WAITING } from '../../common/io/log';
import { RING_BYTES } from '../../common/io/net/packet-ring';
import { METRICS_CONNECTIONS } from '../../common/io/metrics-server';
import { SITE_CONNECTIONS } from '../../common/io/site-server';
import { HOPS_MAX } from '../../common/telemetry/collect/hop-rows';
import { FLOW_MAX } from '../../common/telemetry/collect/report-flows';
import { PATIENCE } from '../../emulator/study/io/database/database';
import { INPUT_MAX } from '../../emulator/study/io/database/task-fault';
import { JUDGE_MS } from '../../emulator/study/io/judge';
import { KEPT_BYTES_MAX, STORE_MS } from '../../emulator/study/io/kept-results';
import { FOLLOWERS_MAX, VIEW_CONNECTIONS } from '../../emulator/view/server/view-server';
import { withHostDefaults } from '../../host-agent/settings/settings';
import { DATAPLANE_LIMITS } from '../../switch/io/dataplane/dataplane-server';
import { Limits } from '../../switch/server/limits/limits';
import { ROOT } from '../support/paths';

/** A listener of a process: who may use it, and its bounds. */
export interface Door {
  readonly name: string;
  readonly of: string;
  readonly at: string;
  readonly who: string;
  readonly connections: number;
  /** Seconds after which a connection ends that says nothing from its beginning on. */
  readonly silentSeconds: number;
  readonly requestBytes: number;
  readonly beyond: string;
}

const switchLimits = new Limits();
const packetLimits = new Limits(DATAPLANE_LIMITS);
const NEWCOMER = 'the oldest without call gives way, else the new one';
const HALF_OPEN = 'the one that waits longest gives way';
const ANYBODY = 'who reaches it';

/** The listeners for connections, with the bounds that the code keeps. */
export const DOORS = {
  p4runtime: {
    name: 'P4Runtime',
    of: '`hpcc switch`, `group`; `hpcc run` while it sets switches up',
    at: '127.0.0.1, `--grpc-server-addr`, also `unix:PATH`',
    who: `${ANYBODY}; with client certificates, who has one`,
    connections: switchLimits.of('p4runtime-connections'),
    silentSeconds: switchLimits.of('p4runtime-opening-seconds'),
    requestBytes: switchLimits.of('message-bytes'),
    beyond: NEWCOMER,
  },
  packets: {
    name: 'packets over gRPC',
    of: '`hpcc switch`',
    at: 'nowhere, `--dp-grpc-server-addr`',
    who: `${ANYBODY}, one at a time`,
    connections: packetLimits.of('p4runtime-connections'),
    silentSeconds: packetLimits.of('p4runtime-opening-seconds'),
    requestBytes: packetLimits.of('message-bytes'),
    beyond: NEWCOMER,
  },
  thrift: {
    name: 'Thrift',
    of: '`hpcc switch`',
    at: '127.0.0.1, `--thrift-addr`',
    who: `${ANYBODY}; off where P4Runtime wants certificates`,
    connections: switchLimits.of('thrift-connections'),
    silentSeconds: switchLimits.of('thrift-idle-seconds'),
    requestBytes: switchLimits.of('thrift-message-bytes'),
    beyond: 'the one that is silent longest gives way',
  },
  metrics: {
    name: 'metrics',
    of: '`hpcc switch`, `agent`, `send`, `group`, `controller watch`, `int collect`',
    at: '127.0.0.1, `--metrics`',
    who: `${ANYBODY}; on the loopback not for pages from elsewhere`,
    connections: METRICS_CONNECTIONS,
    silentSeconds: HTTP_BOUNDS.headersMs / 1000,
    requestBytes: HTTP_BOUNDS.headerBytes,
    beyond: HALF_OPEN,
  },
  view: {
    name: 'pages of `hpcc view`',
    of: '`hpcc view`',
    at: '127.0.0.1',
    who: 'this machine; not pages from elsewhere',
    connections: VIEW_CONNECTIONS,
    silentSeconds: HTTP_BOUNDS.headersMs / 1000,
    requestBytes: HTTP_BOUNDS.headerBytes,
    beyond: HALF_OPEN,
  },
  site: {
    name: 'the site of `hpcc docs`',
    of: '`hpcc docs`',
    at: '127.0.0.1',
    who: 'this machine; not pages from elsewhere',
    connections: SITE_CONNECTIONS,
    silentSeconds: HTTP_BOUNDS.headersMs / 1000,
    requestBytes: HTTP_BOUNDS.headerBytes,
    beyond: HALF_OPEN,
  },
} as const satisfies Readonly<Record<string, Door>>;

/** Way in beside the listeners, or queue of who reads slowly. */
interface Inlet {
  readonly name: string;
  readonly of: string;
  readonly bound: string;
  readonly beyond: string;
}

const grouped = (value: number): string => value.toLocaleString('en-US');
const bytes = (value: number): string => `${grouped(value)} bytes`;
const seconds = (ms: number): string => `${grouped(ms / 1000)} s`;
const SENTENCE = 'refused in a sentence';
const FAILED = 'the cell fails with a reason';

const INLETS: readonly Inlet[] = [
  {
    name: 'frames of an interface, of whoever is on its link',
    of: '`hpcc switch`, `group`, `agent`, `send`',
    bound: `${bytes(RING_BYTES)} wait`,
    beyond: 'dropped, counted as `overflowed`',
  },
  {
    name: 'telemetry reports, by UDP at 127.0.0.1 or `--address`, of who reaches it',
    of: '`hpcc int collect`',
    bound: `${bytes(RECEIVE_BYTES)} wait at most; ${grouped(FLOW_MAX)} flows, links and sources each, ${grouped(HOPS_MAX)} hops: 170 MB`,
    beyond: 'datagrams dropped, the rest counted together; both told at the end',
  },
  {
    name: 'documents',
    of: 'all commands',
    bound: `${bytes(DOCUMENT_BYTES_MAX)}; from a pipe ${seconds(PIPE_MS)}`,
    beyond: SENTENCE,
  },
  {
    name: 'code of files',
    of: '`hpcc run`, `compare`, `algorithm`, `study`, agents',
    bound: `${bytes(CODE_BYTES_MAX)}; ${seconds(CALL_MS)} a call, ${seconds(JUDGE_MS)} a judge`,
    beyond: 'the process ends with a reason',
  },
  {
    name: 'rows of a queue of cells',
    of: '`hpcc study run`, `worker`',
    bound: `${bytes(INPUT_MAX)}, of which the id is the digest; no code, no path`,
    beyond: FAILED,
  },
  {
    name: 'answers of PostgreSQL',
    of: '`hpcc study`',
    bound: `${seconds(PATIENCE.answerMs)} each; away for ${seconds(PATIENCE.awayMs)}`,
    beyond: 'the command ends with a reason',
  },
  {
    name: 'whole results of cells',
    of: '`hpcc study`, `--keep`',
    bound: `${bytes(KEPT_BYTES_MAX)} compressed; ${seconds(STORE_MS)}`,
    beyond: SENTENCE,
  },
  {
    name: 'pages that follow a run',
    of: '`hpcc view`',
    bound: `${FOLLOWERS_MAX} at a time`,
    beyond: 'further ones get an error',
  },
  {
    name: 'lines of a log that nobody takes',
    of: 'all processes that log',
    bound: bytes(LOG_BYTES_WAITING),
    beyond: 'dropped',
  },
];

/** A wait of a command, or what it looks after, and what ends that from outside. */
interface Supervised {
  readonly of: string;
  readonly what: string;
  readonly end: string;
  readonly then: string;
}

const ONE_SENTENCE = 'one sentence, code 1';

const COMMANDS: readonly Supervised[] = [
  {
    of: '`hpcc run`, `compare`, `algorithm`, `agent`, `send`',
    what: 'code of a file',
    end: `a thread that watches: ${seconds(CALL_MS)} a call`,
    then: ONE_SENTENCE,
  },
  {
    of: '`hpcc study run`, `worker`',
    what: 'cells, processes of their own',
    end: 'time and memory by `limits` of the study; the kernel, when their coordinator ends',
    then: 'the cell fails with a reason',
  },
  {
    of: '`hpcc study worker`',
    what: 'the worker',
    end: 'the others, after `--lease-seconds` of silence',
    then: 'they take its cells',
  },
  {
    of: '`hpcc controller`',
    what: 'answers of switches',
    end: `\`--deadline\`, ${String(deadlineOption().defaultValueDescription)} s`,
    then: `${ONE_SENTENCE}; \`watch\` tries again`,
  },
  {
    of: '`hpcc send`',
    what: 'acknowledgements',
    end: `\`--timeout\`, ${String(withHostDefaults({ interface: 'any', logLevel: 'info' }).timeout)} s`,
    then: 'the flow fails with a reason',
  },
];

export const LIMITS_PAGE = path.join(ROOT, 'docs', 'limits.md');
const BEGIN = '<!-- Doors, made from the code by npm run api -->\n';
const END = '<!-- End of the doors -->\n';

function doorsText(): string {
  const heads = [
    'Door',
    'Of',
    'Listens at',
    'For',
    'Connections',
    'Silent, s',
    'Request, bytes',
    'Beyond',
  ];
  const rows = Object.values(DOORS).map((door) => [
    door.name,
    door.of,
    door.at,
    door.who,
    grouped(door.connections),
    grouped(door.silentSeconds),
    grouped(door.requestBytes),
    door.beyond,
  ]);
  const inlets = INLETS.map(({ name, of, bound, beyond }) => [name, of, bound, beyond]);
  const commands = COMMANDS.map(({ of, what, end, then }) => [of, what, end, then]);
  const tables = [
    tableOf(heads, rows),
    'What comes otherwise, from whoever may write it:',
    tableOf(['What', 'Of', 'Bound', 'Beyond'], inlets),
    'What commands wait for, and what ends it from outside:',
    tableOf(['Command', 'Waits for', 'Ended by', 'Then'], commands),
  ];
  return `\n${tables.join('\n\n')}\n\n`;
}

const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** The text of docs/limits.md with the table of doors as the code has it. */
export function limitsPage(): string {
  const text = fs.readFileSync(LIMITS_PAGE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  return `${before}${BEGIN}${doorsText()}${END}${rest.split(END)[1] ?? ''}`;
}
