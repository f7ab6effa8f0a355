import { InputError } from '../../../common/errors';
import { parseNumber } from '../../../common/units/number-text';
import { COMPATIBILITIES } from '../../server/roles/compatibility';
import { isLogLevel } from '../../../common/io/log';
import { LOG_LEVELS } from '../../../common/log-levels';
import { LIMIT_NAMES, LIMITS } from '../../server/limits/limits';
import type { LimitName } from '../../server/limits/limits';
import { readBuffer, has, last, optional, values, wholeNumber, wholeUpTo } from './buffer-flags';
import { splitFlags } from './split-flags';
import type { ExecutorName } from '../../codegen/executor-names';
import type { BufferOptions } from '../../buffer/shared-buffer';
import type { BitsPerSecond, PortNumber } from '../../../common/units/units';
import type { Compatibility } from '../../server/roles/compatibility';
import type { LogLevel } from '../../../common/log-levels';
import type { SplitFlags } from './split-flags';

export interface TlsFlags {
  readonly authorityFile: string | undefined;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly clientsNeedCertificate: boolean;
}

/** A checked command line of the switch. */
export interface SwitchFlags {
  /** Names of network interfaces by port. */
  readonly interfaces: ReadonlyMap<PortNumber, string>;
  /** The BMv2 JSON; undefined with `--no-p4`. */
  readonly programFile: string | undefined;
  readonly deviceId: number;
  /** Undefined: no Thrift, which knows no way for clients to authenticate. */
  readonly thriftPort: number | undefined;
  readonly thriftAddress: string;
  /** True if the port was given and so must be free; bmv2's default port may be in use. */
  readonly thriftPortRequired: boolean;
  readonly grpcAddress: string;
  readonly tls: TlsFlags | undefined;
  readonly logToConsole: boolean;
  readonly logFile: string | undefined;
  readonly logLevel: LogLevel;
  readonly pcapFolder: string | undefined;
  /** Seconds until frames come from files; undefined: they come from elsewhere. */
  readonly filesDelay: number | undefined;
  /** Address of the gRPC service for packets; undefined: they come from interfaces or files. */
  readonly dataplaneAddress: string | undefined;
  /** Address to serve metrics at; absent: they are not served. */
  readonly metrics: string | undefined;
  readonly priorityQueues: number;
  readonly dropPort: PortNumber;
  readonly cpuPort: PortNumber | undefined;
  readonly linkRates: ReadonlyMap<PortNumber, BitsPerSecond>;
  /** Packets that fit into each queue of a port. */
  readonly queueDepths: ReadonlyMap<PortNumber, number>;
  /** Weights of queues at ports with a rate, by queue; those without one are served first. */
  readonly queueWeights: ReadonlyMap<number, number>;
  /** The memory that ports with a rate share; each queue has its own limit alone unless given. */
  readonly buffer: BufferOptions | undefined;
  readonly clockUnitNs: number;
  /** Undefined: queue depths count packets. */
  readonly queueUnitBytes: number | undefined;
  readonly compatible: Compatibility;
  readonly executor: ExecutorName;
  /** Limits of the servers that differ from the usual ones. */
  readonly limits: ReadonlyMap<LimitName, number>;
  /** Sentences about requested flags that have no effect. */
  readonly warnings: readonly string[];
}

/** Meaning of a command line: start a switch, or only print something. */
export type SwitchRequest =
  | { readonly kind: 'run'; readonly flags: SwitchFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'json-version' };

const PORT_MAX = 511;
const PRIORITY_QUEUES_MAX = 32;
/** Largest rate in bits/s: 100 Tb/s. */
const NUMBER_MAX = 1e14;
/** A day, in seconds. */
const DELAY_MAX = 86_400;
const QUEUE_WEIGHT_MAX = 255;
const QUEUE_DEPTH_MAX = 999_999_999;

/** @throws InputError naming the flag, what it takes and what was found. */
export function readSwitchFlags(argv: readonly string[]): SwitchRequest {
  const split = splitFlags(argv);
  for (const kind of ['help', 'version', 'json-version'] as const) {
    if (has(split, kind)) return { kind };
  }
  const refused = split.given.find(({ flag }) => flag.effect === 'refused');
  if (refused !== undefined) {
    const { name, help } = refused.flag;
    throw new InputError(`flag --${name} is not supported: ${help}`);
  }
  return { kind: 'run', flags: readFlags(split) };
}

function readFlags(split: SplitFlags): SwitchFlags {
  const whole = (name: string, otherwise: number, max: number): number =>
    optional(split, name, (text) => wholeNumber(name, text, max)) ?? otherwise;
  const cpuPort = optional(split, 'cpu-port', (text) => wholeNumber('cpu-port', text, PORT_MAX));
  // bmv2's servers listen at every address, and anybody who reaches them may change everything.
  const host = has(split, 'listen-everywhere') ? '0.0.0.0' : '127.0.0.1';
  const dropPort = whole('drop-port', PORT_MAX, PORT_MAX);
  const ports = {
    interfaces: has(split, 'dp-grpc-server-addr') ? new Map() : readInterfaces(split),
    linkRates: readLinkRates(split),
    queueDepths: readQueueDepths(split),
    priorityQueues: Math.max(1, whole('priority-queues', 1, PRIORITY_QUEUES_MAX)),
  };
  const flags: SwitchFlags = {
    ...ports,
    queueWeights: readQueueWeights(split, ports),
    buffer: readBuffer(split, ports),
    programFile: programFile(split),
    deviceId: whole('device-id', 0, Number.MAX_SAFE_INTEGER),
    thriftPort: readThriftPort(split),
    thriftAddress: last(split, 'thrift-addr') ?? host,
    limits: readLimits(split),
    thriftPortRequired: has(split, 'thrift-port'),
    grpcAddress: last(split, 'grpc-server-addr') ?? `${host}:9559`,
    tls: readTls(split),
    logToConsole: has(split, 'log-console'),
    logFile: last(split, 'log-file'),
    logLevel: optional(split, 'log-level', logLevel) ?? 'trace',
    pcapFolder: optional(split, 'pcap', (text) => (text === '' ? '.' : text)),
    filesDelay: optional(split, 'use-files', (text) => wholeNumber('use-files', text, DELAY_MAX)),
    dataplaneAddress: last(split, 'dp-grpc-server-addr'),
    metrics: last(split, 'metrics'),
    dropPort,
    cpuPort,
    clockUnitNs: Math.max(1, whole('clock-unit-ns', 1000, 1e9)),
    queueUnitBytes: optional(split, 'queue-unit-bytes', (text) =>
      Math.max(1, wholeNumber('queue-unit-bytes', text, 1e6)),
    ),
    compatible: optional(split, 'compatible', compatibility) ?? 'specification',
    executor: optional(split, 'executor', executorName) ?? 'generated',
    warnings: warnings(split),
  };
  checkPorts(flags);
  return flags;
}

function readInterfaces(split: SplitFlags): Map<PortNumber, string> {
  const interfaces = new Map<PortNumber, string>();
  for (const text of values(split, 'interface')) {
    const [, port, name] = /^(\d+)@(.+)$/.exec(text) ?? [];
    if (port === undefined || name === undefined || Number(port) > PORT_MAX) {
      throw new InputError(`-i takes PORT@IFACE with a port up to ${PORT_MAX}, not '${text}'`);
    }
    if (interfaces.has(Number(port))) throw new InputError(`-i names port ${port} twice`);
    const other = [...interfaces].find(([, taken]) => taken === name);
    if (other !== undefined) {
      throw new InputError(`-i names ${name} for the ports ${other[0]} and ${port}`);
    }
    interfaces.set(Number(port), name);
  }
  const most = last(split, 'max-port-count');
  if (most !== undefined && interfaces.size > wholeNumber('max-port-count', most, 1e6)) {
    throw new InputError(`--max-port-count allows ${most} interfaces, not ${interfaces.size}`);
  }
  return interfaces;
}

function readThriftPort(split: SplitFlags): number | undefined {
  const authenticates = has(split, 'grpc-server-ssl') && has(split, 'grpc-server-with-client-auth');
  if (!authenticates) {
    return (
      optional(split, 'thrift-port', (text) => wholeNumber('thrift-port', text, 65535)) ?? 9090
    );
  }
  const asked = ['thrift-port', 'thrift-addr'].find((name) => has(split, name));
  if (asked === undefined) return undefined;
  throw new InputError(
    `--${asked} excludes --grpc-server-with-client-auth: clients cannot authenticate over Thrift`,
  );
}

function readLimits(split: SplitFlags): Map<LimitName, number> {
  const limits = new Map<LimitName, number>();
  for (const text of values(split, 'limit')) {
    const [, name = '', number = ''] = /^([^=]*)=(.*)$/.exec(text) ?? [];
    const known = LIMIT_NAMES.find((each) => each === name);
    if (known === undefined) {
      const form = 'NAME=VALUE with a name of docs/limits.md';
      throw new InputError(`--limit takes ${form}, and '${text}' was given`);
    }
    const { min, max } = LIMITS[known];
    const value = wholeUpTo(number, max);
    if (value === undefined || value < min) {
      throw new InputError(
        `--limit ${known} takes a whole number from ${min} to ${max}, not '${number}'`,
      );
    }
    limits.set(known, value);
  }
  return limits;
}

function readLinkRates(split: SplitFlags): Map<PortNumber, BitsPerSecond> {
  return numbersByPort(split, 'link-rate-bps', {
    value: parseNumber,
    form: 'PORT=RATE, such as 1=10G',
  });
}

function readQueueDepths(split: SplitFlags): Map<PortNumber, number> {
  return numbersByPort(split, 'queue-depth', {
    value: (text) => wholeUpTo(text, QUEUE_DEPTH_MAX),
    form: 'PORT=PACKETS, such as 1=64',
  });
}

/** @throws InputError for queues that there are not, and where nothing would come of it. */
function readQueueWeights(
  split: SplitFlags,
  { priorityQueues, linkRates }: Pick<SwitchFlags, 'priorityQueues' | 'linkRates'>,
): Map<number, number> {
  const weights = numbersByPort(split, 'queue-weight', {
    value: (text) => wholeUpTo(text, QUEUE_WEIGHT_MAX),
    form: 'QUEUE=WEIGHT with a weight from 1 to 255, such as 1=3',
  });
  if (weights.size === 0) return weights;
  if (linkRates.size === 0) throw new InputError('--queue-weight needs ports of --link-rate-bps');
  if (has(split, 'buffer-bytes')) {
    throw new InputError(
      '--queue-weight and --buffer-bytes exclude each other: pauses go by priority',
    );
  }
  const missing = [...weights.keys()].find((queue) => queue >= priorityQueues);
  if (missing !== undefined) {
    throw new InputError(`--queue-weight: there is no queue ${missing}; see --priority-queues`);
  }
  return weights;
}

/** A flag that may be given once per port; its values are positive. */
function numbersByPort(
  split: SplitFlags,
  flag: string,
  { value, form }: { readonly value: (text: string) => number | undefined; readonly form: string },
): Map<PortNumber, number> {
  const numbers = new Map<PortNumber, number>();
  for (const text of values(split, flag)) {
    const [, port, number = ''] = /^(\d+)=(.*)$/.exec(text) ?? [];
    const read = value(number) ?? 0;
    if (port === undefined || Number(port) > PORT_MAX || read < 1 || read > NUMBER_MAX) {
      throw new InputError(`--${flag} takes ${form}, not '${text}'`);
    }
    numbers.set(Number(port), read);
  }
  return numbers;
}

function programFile(split: SplitFlags): string | undefined {
  const [file, ...rest] = split.positional;
  if (rest.length > 0) throw new InputError(`one program at most, and there is also '${rest[0]}'`);
  if (has(split, 'no-p4')) return undefined;
  if (file !== undefined) return file;
  throw new InputError('needs the path of a BMv2 JSON, or --no-p4 to start without a program');
}

function readTls(split: SplitFlags): TlsFlags | undefined {
  if (!has(split, 'grpc-server-ssl')) return undefined;
  const file = (name: string): string => {
    const value = last(split, name);
    if (value !== undefined) return value;
    throw new InputError(`--grpc-server-ssl also needs --${name} with a PEM file`);
  };
  return {
    authorityFile: last(split, 'grpc-server-cacert'),
    certificateFile: file('grpc-server-cert'),
    keyFile: file('grpc-server-key'),
    clientsNeedCertificate: has(split, 'grpc-server-with-client-auth'),
  };
}

function logLevel(text: string): LogLevel {
  if (isLogLevel(text)) return text;
  throw new InputError(`--log-level takes ${LOG_LEVELS.join(', ')}, and '${text}' was given`);
}

function compatibility(text: string): Compatibility {
  const found = COMPATIBILITIES.find((each) => each === text);
  if (found !== undefined) return found;
  throw new InputError(`--compatible takes bmv2 or specification, and '${text}' was given`);
}

function executorName(text: string): ExecutorName {
  if (text === 'interpreter' || text === 'generated') return text;
  throw new InputError(`--executor takes interpreter or generated, and '${text}' was given`);
}

function warnings(split: SplitFlags): string[] {
  const found = split.given
    .filter(({ flag }) => flag.effect === 'ignored')
    .map(({ flag }) => `--${flag.name} has no effect here: ${flag.help}`);
  if (has(split, 'no-p4') && split.positional.length > 0) {
    found.push(`${split.positional.join(' ')} is not loaded because of --no-p4`);
  }
  if (has(split, 'dp-grpc-server-addr') && has(split, 'interface')) {
    found.push('-i has no effect with --dp-grpc-server-addr, which has every port');
  }
  if (has(split, 'pcap') && (has(split, 'use-files') || has(split, 'dp-grpc-server-addr'))) {
    found.push('--pcap captures what network interfaces carry, and there are none');
  }
  const tlsOnly = ['cacert', 'cert', 'key', 'with-client-auth'].map((x) => `grpc-server-${x}`);
  if (!has(split, 'grpc-server-ssl')) {
    const idle = tlsOnly.filter((name) => has(split, name)).map((name) => `--${name}`);
    if (idle.length > 0)
      found.push(`without --grpc-server-ssl there is no use for ${idle.join(', ')}`);
  }
  return found;
}

function checkPorts({ cpuPort, dropPort, interfaces, ...flags }: SwitchFlags): void {
  if (flags.filesDelay !== undefined && flags.dataplaneAddress !== undefined) {
    throw new InputError('--use-files and --dp-grpc-server-addr exclude each other');
  }
  if (cpuPort === 0) throw new InputError('--cpu-port takes a port from 1 on, not 0');
  if (cpuPort === dropPort) throw new InputError(`--cpu-port is the drop port ${dropPort}`);
  for (const port of [cpuPort, dropPort]) {
    const name = port === undefined ? undefined : interfaces.get(port);
    if (name === undefined) continue;
    throw new InputError(`-i ${port}@${name}: port ${port} is the CPU port or the drop port`);
  }
}
