import { formatIpv4 } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import type { NetworkSpec } from '../../document/network';
import type { FieldMatch } from '../../entities/match';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry } from './role-parts';

/** Priority of the first line of a watch list; each further one has one less. */
export const FIRST_PRIORITY = 10_000;
/** An exact match of a DSCP, a port and a protocol. */
const ALL_BITS = { dscp: 0x3f, port: 0xffff, protocol: 0xff };
const PROTOCOLS = { udp: 17, tcp: 6, gre: 47 };

/** Properties that a line of a watch list asks of a packet. */
interface WatchedPackets {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly protocol?: keyof typeof PROTOCOLS | undefined;
  readonly fromPort?: number | undefined;
  readonly toPort?: number | undefined;
  readonly dscp?: number | undefined;
}

type Family = 'ipv4' | 'ipv6';

/** A line without addresses holds for both. */
export function familiesOf({ from, to }: WatchedPackets): readonly Family[] {
  const address = from ?? to;
  if (address === undefined) return ['ipv4', 'ipv6'];
  return [address.includes(':') ? 'ipv6' : 'ipv4'];
}

/** The key of the entry of a line. */
export function watchMatch(
  line: WatchedPackets,
  family: Family,
): Readonly<Record<string, FieldMatch>> {
  const { from, to, protocol, fromPort, toPort, dscp } = line;
  return {
    ...prefix(`hdr.${family}.src_addr`, from, family),
    ...prefix(`hdr.${family}.dst_addr`, to, family),
    ...all('protocol', protocol && PROTOCOLS[protocol], ALL_BITS.protocol),
    ...all('src_port', fromPort, ALL_BITS.port),
    ...all('dst_port', toPort, ALL_BITS.port),
    ...all('dscp', dscp, ALL_BITS.dscp),
  };
}

/** A prefix as value and mask; one of length 0 is no match at all. */
function prefix(
  field: string,
  text: string | undefined,
  family: Family,
): Readonly<Record<string, FieldMatch>> {
  const [address = '', digits = '0'] = text?.split('/') ?? [];
  const length = BigInt(digits);
  if (length === 0n) return {};
  const width = family === 'ipv4' ? 32n : 128n;
  const mask = ((1n << length) - 1n) << (width - length);
  return { [field]: { ternary: [address, mask] } };
}

function all(
  field: string,
  value: number | undefined,
  mask: number,
): Readonly<Record<string, FieldMatch>> {
  return value === undefined ? {} : { [field]: { ternary: [value, mask] } };
}

/** Address and UDP port to which switches send their reports; undefined without a collector. */
export function reportFlow({
  telemetry: { collector },
  topology,
}: NetworkSpec): { readonly address: string; readonly port: number } | undefined {
  const to = topology.hosts.find(({ name }) => name === collector?.host)?.ipv4;
  if (collector === undefined || to === undefined) return undefined;
  return { address: formatIpv4(to), port: collector.port };
}

/**
 * Puts before entries that watch IPv4 packets one that leaves out reports on their way to the collector: there
 * would be reports of these, and reports of those.
 * @param names the table of the entries, and its action for an exception.
 */
export function withoutReports(
  network: NetworkSpec,
  entries: readonly TableEntry[],
  { table, action }: { readonly table: string; readonly action: string },
): readonly TableEntry[] {
  const flow = reportFlow(network);
  if (flow === undefined || !entries.some((each) => each.table === table)) return entries;
  const reports = { to: `${flow.address}/32`, protocol: 'udp', toPort: flow.port } as const;
  const exception = actionEntry(table, watchMatch(reports, 'ipv4'), action, {});
  return [{ ...exception, priority: FIRST_PRIORITY + 1 }, ...entries];
}

/** Ports to hosts that cannot read telemetry. */
export function portsToDeafHosts(
  { hosts }: NetworkSpec,
  ports: readonly Attachment[],
): readonly Attachment[] {
  const deaf = new Set(hosts.filter((each) => !each.telemetry).map(({ name }) => name));
  return ports.filter(({ peer }) => deaf.has(peer.node));
}
