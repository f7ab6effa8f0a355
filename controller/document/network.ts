import { InputError } from '../../common/errors';
import { assert } from '../../common/assert';
import { bothWays } from '../../common/topology/topology';
import type { LinkEnd, Link, HostNode, SwitchNode, Topology } from '../../common/topology/topology';
import { validateTopology } from '../../common/topology/validate-topology';
import type { CoordinationDocument } from './coordination';
import { shownPorts } from './relative-telemetry';
import type { RatedPort } from './relative-telemetry';
import type { SprayPolicy } from './spray';
import type { TrimDocument } from './trim';
import type { UsidDocument } from './usid';
import type {
  HostDocument,
  LinkDocument,
  NetworkDocument,
  ProgramDocument,
  SwitchDocument,
  TelemetryDocument,
  TlsDocument,
} from './schema';

/** A network as the controller works with it: every default filled in. */
export interface NetworkSpec {
  readonly name: string;
  readonly topology: Topology;
  readonly switches: readonly SwitchSpec[];
  readonly hosts: readonly HostDocument[];
  readonly telemetry: TelemetryDocument;
  readonly coordination: CoordinationDocument | undefined;
  /** Policy by which switches choose among equal paths for each packet. */
  readonly spray: SprayPolicy | undefined;
  readonly trim: TrimDocument | undefined;
  readonly usid: UsidDocument | undefined;
  readonly ecmpSeed: number;
  readonly watchPorts: boolean;
}

/** A switch, how to reach it, and what the document says of it beyond the topology. */
export interface SwitchSpec {
  readonly node: SwitchNode;
  readonly document: SwitchDocument;
  readonly program: ProgramDocument;
  readonly tls: TlsDocument | undefined;
  /** Bytes on the wire of a packet of queues that count packets. */
  readonly packetBytes: number;
}

const HOST_NETWORK = 0x0a00_0000;
const HOST_MAC = 0x0201_0000_0000;

/** bmv2 counts microseconds, and queues in packets; the embedded switch as a process likewise. */
const CLOCK_UNIT_NS = 1000;
/** Stratum's hardware, Tofino, counts nanoseconds and cells of 80 bytes; Tofino 2 has 176. */
const STRATUM_UNITS = { clockUnitNs: 1, queueUnitBytes: 80 };
/** An Ethernet frame of 1500 bytes of payload, without preamble and gap. */
const PACKET_BYTES = 1514;

/**
 * Fills in what a document leaves open. Hosts without an address get 10.x.y.z with their position
 * in the last three bytes, and 02:01:… with it in the last four as MAC address.
 * @throws InputError for a topology that makes no sense.
 */
export function networkSpec(document: NetworkDocument): NetworkSpec {
  const switches = document.switches.map((each, i) => switchSpec(document, each, i + 1));
  const topology = {
    name: document.network,
    switches: switches.map(({ node }) => node),
    hosts: document.hosts.map(hostNode),
    links: document.links.map(link),
  };
  validateTopology(topology);
  const {
    network: name,
    hosts,
    telemetry,
    coordination,
    spray,
    trim,
    usid,
    ecmpSeed,
    watchPorts,
  } = document;
  if (telemetry.relative !== undefined) shownPorts(telemetry.relative, switchPorts(topology));
  return {
    name,
    topology,
    switches,
    hosts,
    telemetry,
    coordination,
    spray,
    trim,
    usid,
    ecmpSeed,
    watchPorts,
  };
}

function switchPorts({ switches, links }: Topology): RatedPort[] {
  const names = new Set(switches.map(({ name }) => name));
  return links
    .flatMap((each) => bothWays(each))
    .map(({ a: { node, port }, rate }) => ({ node, port, rate }))
    .filter(({ node }) => names.has(node));
}

function switchSpec(document: NetworkDocument, own: SwitchDocument, position: number): SwitchSpec {
  refuseWeights(document, own);
  const deviceId = own.deviceId ?? position;
  const packetBytes = own.packetBytes ?? PACKET_BYTES;
  const { txUnitBytes } = document.telemetry;
  const counted = { clockUnitNs: CLOCK_UNIT_NS, queueUnitBytes: packetBytes };
  const units = own.target === 'stratum' ? STRATUM_UNITS : counted;
  const node: SwitchNode = {
    name: own.name,
    deviceId,
    nodeId: own.nodeId ?? position,
    ...(own.address !== undefined && { grpcAddress: own.address }),
    clockUnitNs: own.clockUnitNs ?? units.clockUnitNs,
    queueDepthUnitBytes: own.queueUnitBytes ?? units.queueUnitBytes,
    ...(txUnitBytes !== undefined && { txUnitBytes }),
  };
  const tls = own.tls ?? document.tls;
  return { node, document: own, program: own.program ?? document.program, tls, packetBytes };
}

/** @throws InputError for queues with weights on a target that has none. */
function refuseWeights({ telemetry }: NetworkDocument, own: SwitchDocument): void {
  if (own.target === 'embedded') return;
  const queues = own.ports.flatMap(({ priorities = [] }) => priorities);
  if (![...telemetry.classes, ...queues].some(({ weight }) => weight !== undefined)) return;
  const who =
    own.target === 'bmv2' ? 'bmv2 serves queues by priority' : 'Stratum is told no weights';
  throw new InputError(`${own.name}: ${who}, and a class or queue has a weight (DWRR)`);
}

function hostNode(host: HostDocument, index: number): HostNode {
  return {
    name: host.name,
    ipv4: host.ipv4 ?? HOST_NETWORK + index + 1,
    mac: host.mac ?? HOST_MAC + index + 1,
    ...(host.ipv6 !== undefined && { ipv6: host.ipv6 }),
    ...(host.mtu !== undefined && { mtu: host.mtu }),
  };
}

function link({ between: [a, b], rate, delay, up, ...rest }: LinkDocument): Link {
  const { backRate, backDelay, mtu } = rest;
  return {
    a: end(a),
    b: end(b),
    rate,
    delay,
    up,
    ...(backRate !== undefined && { backRate }),
    ...(backDelay !== undefined && { backDelay }),
    ...(mtu !== undefined && { mtu }),
  };
}

function end(text: string): LinkEnd {
  const { node, port } = linkEnd(text);
  assert(node !== '', 'the document was checked');
  return { node, port: port ?? 0 };
}

/** One end of a link as the document has it. */
interface EndText {
  readonly node: string;
  /** Absent at a host with one link. */
  readonly port: number | undefined;
}

/** Reads `s1:3`, `h1:2` of a host with several links, or the name of a host. */
export function linkEnd(text: string): EndText {
  const [, node, digits] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (node === undefined) return { node: text, port: undefined };
  return { node, port: Number(digits) };
}
