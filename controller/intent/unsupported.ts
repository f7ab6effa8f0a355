import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { attachments } from '../../common/topology/topology';
import type { Attachment, Link } from '../../common/topology/topology';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import { portSpeed, speedName } from './ports';
import type { Request } from './roles/role-parts';
import { ROLES } from './roles/roles';
import { roundedRates } from './telemetry-rate';

/** Something that a document asks for and a switch does not have. */
export interface Unsupported {
  readonly switch: string;
  /** Part of the document. */
  readonly what: string;
  readonly why: string;
}

const REQUESTS: readonly Request[] = [
  {
    what: 'routes to IPv6 hosts',
    table: 'ipv6_route',
    asked: ({ hosts }) => hosts.some(({ ipv6 }) => ipv6 !== undefined),
  },
  ...ROLES.flatMap(({ requests }) => requests),
];

/**
 * Lists what a document asks for and its switches do not support: tables that a program does not have, and
 * settings that a target does not take in the way that the document names. None of it is an error, because
 * one document serves switches with more and with fewer parts; but nobody should have to find it out.
 * @param programOf what is known of the program of a switch.
 */
export function unsupportedParts(
  network: NetworkSpec,
  programOf: (spec: SwitchSpec) => P4InfoIndex,
): readonly Unsupported[] {
  return network.switches.flatMap((spec) => {
    const { tables } = programOf(spec);
    const missing = REQUESTS.filter(
      ({ asked, table, orTable }) =>
        asked(network, spec) &&
        tables.find(table) === undefined &&
        (orTable === undefined || tables.find(orTable) === undefined),
    ).map(({ what, table }) => ({ what, why: `its program has no table ${table}` }));
    const queues = unsupportedQueues(spec);
    const rates = roundedLinks(network, spec);
    return [...missing, ...rates, ...queues, ...unsupportedByStratum(network, spec)].map(
      (each) => ({
        switch: spec.node.name,
        ...each,
      }),
    );
  });
}

type Reason = Omit<Unsupported, 'switch'>;

/** Rates of links that telemetry cannot carry as they are. */
function roundedLinks({ topology }: NetworkSpec, { node }: SwitchSpec): readonly Reason[] {
  const ports = attachments(topology).get(node.name) ?? [];
  const why = roundedRates(ports.map(({ link }) => link.rate));
  return why === undefined ? [] : [{ what: 'exact rates', why }];
}

/** Settings of queues that the document spells out, for a switch that nobody can tell them. */
function unsupportedQueues({ document }: SwitchSpec): readonly Reason[] {
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

function unsupportedByStratum(
  network: NetworkSpec,
  { node, document }: SwitchSpec,
): readonly Reason[] {
  if (document.target !== 'stratum') return [];
  const ports = attachments(network.topology).get(node.name) ?? [];
  const unnamed = ports.filter(({ link }) => speedName(portSpeed(link)) === undefined);
  const slower = ports.filter(({ link }) => link.rate !== portSpeed(link));
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
  return [
    ...units,
    ...(unnamed.length === 0
      ? []
      : [
          {
            what: `speed of port ${speeds(unnamed, portSpeed)}`,
            why: 'Stratum has no name for it over gNMI; its chassis configuration has',
          },
        ]),
    ...(slower.length === 0
      ? []
      : [
          {
            what: `rate of port ${speeds(slower, ({ rate }) => rate)}`,
            why: 'it is below that of the other direction, and gNMI tells ports one speed; the chassis configuration has shapers',
          },
        ]),
  ];
}

const speeds = (ports: readonly Attachment[], of: (link: Link) => number): string =>
  ports.map(({ port, link }) => `${port} (${of(link) / 1e9} Gb/s)`).join(', ');

/** Lines for people: `tor1 without coordination: its program has no table coordination_settings`. */
export const describeUnsupported = (unsupported: readonly Unsupported[]): readonly string[] => {
  const bySentence = new Map<string, string[]>();
  for (const { switch: name, what, why } of unsupported) {
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
