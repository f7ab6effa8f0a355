import * as fs from 'node:fs';
import * as path from 'node:path';
import { DOCUMENT_BYTES_MAX, PIPE_MS } from '../../common/io/bounded-file';
import { HTTP_BOUNDS } from '../../common/io/bounded-http';
import { CODE_BYTES_MAX } from '../../common/io/code/module-text';
import { METRICS_CONNECTIONS } from '../../common/io/metrics-server';
import { SITE_CONNECTIONS } from '../../common/io/site-server';
import { VIEW_CONNECTIONS } from '../../emulator/view/server/view-server';
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
const NEWCOMER = 'the oldest without a call gives way, else the new one';
const HALF_OPEN = 'the one that has waited longest without a request gives way';
const ANYBODY = 'who reaches it';

/** The listeners for connections, with the bounds that the code keeps. */
export const DOORS = {
  p4runtime: {
    name: 'P4Runtime',
    of: '`hpcc switch`, `group`; `hpcc run` while it sets switches up',
    at: '127.0.0.1, `--grpc-server-addr`',
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
    of: '`hpcc switch`, `agent`, `send`, `group`, `controller watch`',
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

export const LIMITS_PAGE = path.join(ROOT, 'docs', 'limits.md');
const BEGIN = '<!-- Doors, made from the code by npm run api -->\n';
const END = '<!-- End of the doors -->\n';

const grouped = (value: number): string => value.toLocaleString('en-US');

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
  const lines = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  const files =
    `Documents are read up to ${grouped(DOCUMENT_BYTES_MAX)} bytes, from a pipe for ${PIPE_MS / 1000} s; code of files ` +
    `up to ${grouped(CODE_BYTES_MAX)} bytes.`;
  return `\n${lines.join('\n')}\n\n${files}\n\n`;
}

/** The text of docs/limits.md with the table of doors as the code has it. */
export function limitsPage(): string {
  const text = fs.readFileSync(LIMITS_PAGE, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  return `${before}${BEGIN}${doorsText()}${END}${rest.split(END)[1] ?? ''}`;
}
