import { unreachable } from '../../common/assert';
import type { Attachment } from '../../common/topology/topology';
import { HEADER_QUEUE } from '../../controller/intent/roles/trim-role';
import type { SwitchSpec } from '../../controller/document/network';
import type {
  ExperimentDocument,
  HpccFlowDocument,
  Iperf3FlowDocument,
} from '../experiment/experiment';
import type { SwitchKind } from '../experiment/switch-kinds';
import { tuningOf } from '../experiment/tuning';
import { EMBEDDED_CELL_BYTES, EMBEDDED_CLOCK_NS } from './network-text';
import type { Ends } from '../../host-agent/settings/asked';
import { wordsAt } from '../../host-agent/settings/idle';
import { optionIn, wordsOf } from '../../host-agent/settings/words';

/** Command lines of programs that a run starts. */
export interface Programs {
  /** This command line: Node.js and the compiled program. */
  readonly hpcc: readonly string[];
  readonly bmv2: string;
  readonly kind: SwitchKind;
  /** True if each switch and each host has a process of its own. */
  readonly separate: boolean;
}

/** Name of the interface at a port, as bmv2 under Mininet has it. */
export const portInterface = (node: string, port: number): string => `${node}-eth${port}`;

/** Parts of a switch besides its program. */
export interface SwitchParts {
  readonly ports: readonly Attachment[];
  readonly buffer: ExperimentDocument['buffer'];
  readonly classes: Classes;
  /** True if switches trim, and need a queue of their own for headers. */
  readonly trims: boolean;
}

/** Classes of traffic of the controller's document, each of which has its queue. */
export type Classes = readonly { readonly queue: number; readonly weight?: number | undefined }[];

/** Flags that both switches take, and those that only ours has. */
export function switchCommand(
  { node, document }: SwitchSpec,
  { ports, buffer, classes, trims }: SwitchParts,
  programs: Programs,
): string[] {
  const base = [
    '--no-p4',
    '--device-id',
    String(node.deviceId),
    '--thrift-port',
    portOf(document.thrift),
    ...ports.flatMap(({ port }) => ['-i', `${port}@${portInterface(node.name, port)}`]),
  ];
  const server = [
    '--',
    '--grpc-server-addr',
    document.address ?? '',
    ...queueFlags(classes, trims),
  ];
  switch (programs.kind) {
    case 'bmv2':
      return [programs.bmv2, ...base, ...server];
    case 'embedded':
      return [
        ...programs.hpcc,
        'switch',
        ...base,
        ...embeddedFlags(ports),
        ...bufferFlags(buffer),
        ...weightFlags(classes),
        ...server,
      ];
    default:
      return unreachable(programs.kind);
  }
}

/** As many queues as the highest class, or trimmed headers, need: bmv2 drops what has none. */
function queueFlags(classes: Classes, trims: boolean): string[] {
  const used = [...classes.map(({ queue }) => queue), ...(trims ? [HEADER_QUEUE] : [])];
  return used.length === 0 ? [] : ['--priority-queues', String(Math.max(...used) + 1)];
}

/** Flags of our switch alone: documents with weights are refused for bmv2. */
const weightFlags = (classes: Classes): string[] =>
  classes.flatMap(({ queue, weight }) =>
    weight === undefined ? [] : ['--queue-weight', `${queue}=${weight}`],
  );

function embeddedFlags(ports: readonly Attachment[]): string[] {
  return [
    ...ports.flatMap(({ port, link }) => ['--link-rate-bps', `${port}=${link.rate}`]),
    '--clock-unit-ns',
    String(EMBEDDED_CLOCK_NS),
    '--queue-unit-bytes',
    String(EMBEDDED_CELL_BYTES),
  ];
}

/** Flags of the buffer; deadlocks are not detected on real interfaces. */
function bufferFlags(buffer: ExperimentDocument['buffer']): string[] {
  if (buffer === undefined) return [];
  const { bytes, alpha, reservedBytes, pfc } = buffer;
  const flags = {
    'buffer-bytes': bytes,
    'buffer-alpha': [alpha].flat().join(','),
    'buffer-reserved-bytes': reservedBytes,
    'pfc-priorities': pfc?.priorities.join(','),
    'pfc-headroom-bytes': pfc?.headroomBytes,
    'pfc-resume-offset-bytes': pfc?.resumeOffsetBytes,
    'pfc-quanta': pfc?.quanta,
    'pfc-watchdog-ms': pfc?.watchdog && Math.ceil(pfc.watchdog.detectUs / 1000),
    'pfc-restore-ms': pfc?.watchdog && Math.ceil(pfc.watchdog.restoreUs / 1000),
    'pfc-storm-action': pfc?.watchdog?.action,
  };
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
}

const portOf = (address = ''): string => address.slice(address.lastIndexOf(':') + 1);

/** A host of the network, for the command lines of what runs there. */
export interface HostPlace {
  readonly name: string;
  readonly links: readonly { readonly interface: string; readonly rateBps: number }[];
}

/**
 * Flags of a host: its interface, and of the settings of both hosts, the options of all and `more` those
 * that have an effect where it does so with flows.
 */
export function hostFlags(
  { algorithm, options }: Pick<ExperimentDocument, 'algorithm' | 'options'>,
  { host, does }: { readonly host: HostPlace; readonly does: Ends },
  more: readonly string[],
): string[] {
  const asked = [...options, ...more];
  const { baseRttUs, mss } = algorithm;
  const isTuned = (optionIn(asked, 'algorithm') ?? 'hpccpp') === 'hpccpp';
  const [only, ...others] = host.links;
  const all = [
    ...wordsOf({
      ...(only !== undefined && others.length === 0 && { linkRateBps: only.rateBps }),
      baseRttUs,
      mss,
      ...(isTuned && tuningOf(algorithm, asked)),
    }),
    ...asked,
  ];
  return ['-i', interfacesOf(host), ...wordsAt(all, does)];
}

/** Interfaces of a host; those of several with the rates of their links. */
function interfacesOf({ links }: HostPlace): string {
  const isSeveral = links.length > 1;
  return links
    .map((link) => (isSeveral ? `${link.interface}=${link.rateBps}` : link.interface))
    .join(',');
}

export interface SendPlace {
  readonly from: HostPlace;
  readonly destination: string;
  readonly trace: string;
  /** Unix time at which flows begin together. */
  readonly togetherAt: number;
}

const INTERVAL_SECONDS = '0.2';
const SENDS: Ends = { starts: true, answers: false };

export function sendCommand(
  experiment: ExperimentDocument,
  flow: HpccFlowDocument,
  { from, destination, trace, togetherAt }: SendPlace,
): string[] {
  const amount =
    flow.bytes === undefined ? ['-t', String(flow.seconds ?? 0)] : ['-n', String(flow.bytes)];
  const limit = flow.rateBps === undefined ? [] : ['--rate', String(flow.rateBps)];
  return [
    'send',
    destination,
    '--json',
    '--interval',
    INTERVAL_SECONDS,
    '--trace',
    trace,
    ...amount,
    ...limit,
    ...(flow.together ? ['--start-at', togetherAt.toFixed(3)] : []),
    ...hostFlags(experiment, { host: from, does: SENDS }, [...flow.bothOptions, ...flow.options]),
  ];
}

export function iperf3Command(
  { seconds, congestion, options }: Iperf3FlowDocument,
  destination: string,
  port: number,
): string[] {
  return [
    'iperf3',
    '--json',
    '-c',
    destination,
    '-p',
    String(port),
    '-t',
    String(seconds),
    '-i',
    '0.5',
    '-C',
    congestion,
    ...options,
  ];
}
