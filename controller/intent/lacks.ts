import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { attachments } from '../../common/topology/topology';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import { speedName } from './ports';

/** Something that a document asks for and a switch does not have. */
export interface Lack {
  readonly switch: string;
  /** Where the document asks. */
  readonly what: string;
  readonly why: string;
}

/** What a part of a document needs of the program of a switch. */
interface Need {
  readonly what: string;
  readonly table: string;
  /** Whether the document asks it of this switch. */
  readonly asked: (network: NetworkSpec, spec: SwitchSpec) => boolean;
}

const ofAll =
  (asked: (network: NetworkSpec) => boolean): Need['asked'] =>
  (network) =>
    asked(network);

const NEEDS: readonly Need[] = [
  {
    ...{ what: 'routes to IPv6 hosts', table: 'ipv6_route' },
    asked: ofAll(({ hosts }) => hosts.some(({ ipv6 }) => ipv6 !== undefined)),
  },
  {
    ...{ what: 'telemetry.feedback', table: 'feedback_threshold' },
    asked: ofAll(({ telemetry }) => telemetry.feedback !== undefined),
  },
  {
    ...{ what: 'telemetry.feedback.signing', table: 'answer_key' },
    asked: ofAll(({ telemetry }) => telemetry.feedback?.signing !== undefined),
  },
  {
    ...{ what: 'telemetry.insertion', table: 'insertion' },
    asked: ofAll(({ telemetry }) => telemetry.insertion !== undefined),
  },
  {
    ...{ what: 'telemetry.digest', table: 'load_scale' },
    asked: ofAll(({ telemetry }) => telemetry.digest !== undefined),
  },
  {
    ...{ what: 'telemetry.ecn', table: 'ecn_threshold' },
    asked: ofAll(({ telemetry }) => telemetry.ecn !== undefined),
  },
  {
    ...{ what: 'telemetry.classes', table: 'class_of_dscp' },
    asked: ofAll(({ telemetry }) => telemetry.classes.length > 0),
  },
  {
    ...{ what: 'weights of telemetry.classes', table: 'guarantee' },
    asked: ofAll(({ telemetry }) => telemetry.classes.some(({ weight }) => weight !== undefined)),
  },
  {
    ...{ what: 'telemetry.ioam', table: 'namespaces' },
    asked: ofAll(({ telemetry }) => telemetry.ioam.namespaces.length > 0),
  },
  {
    ...{ what: 'telemetry.csig', table: 'buckets' },
    asked: ofAll(({ telemetry }) => telemetry.csig !== undefined),
  },
  {
    ...{ what: 'coordination', table: 'coordination_settings' },
    asked: ofAll(({ coordination }) => coordination !== undefined),
  },
  {
    ...{ what: 'telemetry.watch', table: 'sink_port' },
    asked: ({ telemetry }, { node }) => telemetry.watch.some((each) => each.switch === node.name),
  },
  {
    ...{ what: 'untrusted ports', table: 'port_trust' },
    asked: (_, { document }) => document.ports.some(({ untrusted }) => untrusted),
  },
  { ...{ what: 'hosts without telemetry', table: 'sink_port' }, asked: leadsToDeafHost },
];

function leadsToDeafHost({ hosts, topology }: NetworkSpec, { node }: SwitchSpec): boolean {
  const deaf = new Set(hosts.filter((each) => !each.telemetry).map(({ name }) => name));
  return (attachments(topology).get(node.name) ?? []).some(({ peer }) => deaf.has(peer.node));
}

/**
 * What a document asks for and its switches will not have: tables that a program has not, and settings that a
 * target takes in no way that the document names. None of it is an error, because one document serves
 * switches with more and with fewer parts; but nobody should have to find it out.
 * @param programOf what is known of the program of a switch.
 */
export function lacksOf(
  network: NetworkSpec,
  programOf: (spec: SwitchSpec) => P4InfoIndex,
): readonly Lack[] {
  return network.switches.flatMap((spec) => {
    const { tables } = programOf(spec);
    const missing = NEEDS.filter(
      ({ asked, table }) => asked(network, spec) && tables.find(table) === undefined,
    ).map(({ what, table }) => ({ what, why: `its program has no table ${table}` }));
    return [...missing, ...queueLacks(spec), ...stratumLacks(network, spec)].map((each) => ({
      switch: spec.node.name,
      ...each,
    }));
  });
}

type Reason = Omit<Lack, 'switch'>;

/** Settings of queues that the document spells out, for a switch that nobody can tell them. */
function queueLacks({ document }: SwitchSpec): readonly Reason[] {
  const { thrift, target, queues, ports, chassis } = document;
  if (thrift !== undefined) return [];
  const depths = [queues, ...ports].some((each) => each?.depthPackets !== undefined);
  const several = ports.flatMap(({ priorities = [] }) => priorities);
  const byChassis = target === 'stratum' && chassis !== undefined;
  const no =
    target === 'stratum'
      ? "depths have no words in Stratum's configuration"
      : 'the document gives no Thrift address';
  const depth = depths || several.some(({ depthPackets }) => depthPackets !== undefined);
  return [
    ...(depth ? [{ what: 'depths of queues', why: no }] : []),
    ...(several.some(({ share }) => share !== undefined) && !byChassis
      ? [{ what: 'shares of queues', why: target === 'stratum' ? CHASSIS : no }]
      : []),
  ];
}

const CHASSIS =
  'Stratum takes them only with its whole chassis configuration, and the document gives no chassis';

/** The units of a Tofino's queue: the rest of a port record says what the chip does not count in. */
const CELLS = [80, 176];

function stratumLacks(network: NetworkSpec, { node, document }: SwitchSpec): readonly Reason[] {
  if (document.target !== 'stratum') return [];
  const ports = attachments(network.topology).get(node.name) ?? [];
  const unnamed = ports.filter(({ link }) => speedName(link.rate) === undefined);
  const units: readonly Reason[] = [
    ...(CELLS.includes(node.queueDepthUnitBytes ?? 80)
      ? []
      : [
          {
            what: `queueUnitBytes ${node.queueDepthUnitBytes}`,
            why: 'Tofino counts cells of 80 or 176 bytes',
          },
        ]),
    ...(node.clockUnitNs === 1
      ? []
      : [{ what: `clockUnitNs ${node.clockUnitNs}`, why: 'Tofino counts nanoseconds' }]),
    ...((node.txUnitBytes ?? 1) === 1
      ? []
      : [{ what: 'telemetry.txUnitBytes', why: 'its program counts bytes' }]),
  ];
  if (document.gnmi === undefined) {
    return [...units, { what: 'speeds of ports', why: 'the document gives no gNMI address' }];
  }
  const slow = unnamed.map(({ port, link }) => `${port} (${link.rate / 1e9} Gb/s)`).join(', ');
  return unnamed.length === 0
    ? units
    : [
        ...units,
        {
          what: `speed of port ${slow}`,
          why: 'Stratum has no name for it over gNMI; its chassis configuration has',
        },
      ];
}

/** Lines for people: `tor1 lacks coordination: its program has no table coordination_settings`. */
export const describeLacks = (lacks: readonly Lack[]): readonly string[] => {
  const bySentence = new Map<string, string[]>();
  for (const { switch: name, what, why } of lacks) {
    const sentence = `${what}: ${why}`;
    bySentence.set(sentence, [...(bySentence.get(sentence) ?? []), name]);
  }
  return [...bySentence].map(([sentence, names]) => `${someOf(names)} without ${sentence}`);
};

/** A fabric has hundreds. */
const NAMES_MAX = 8;

const someOf = (names: readonly string[]): string =>
  names.length <= NAMES_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_MAX).join(', ')} and ${names.length - NAMES_MAX} more`;
