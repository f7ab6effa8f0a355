import { parseLocated, parseWritten } from '../../common/document/located-document';
import { checkInt } from './int-telemetry';
import { networkSchema } from './schema';
import { checkServicePaths } from './service-paths';
import type { NetworkDocument, NetworkText } from './schema';
import type { LocatedDocument } from '../../common/document/located-document';
import type { DocumentPath } from '../../common/document/schema-faults';
import { checkCoordination } from './coordination';
import { linkEnd } from './network';
import { checkSigning } from './signing';

/**
 * Reads a network document from YAML or JSON text.
 * @throws InputError naming file, line, path and expectation of every fault.
 */
export function parseNetwork(text: string, file: string): NetworkDocument {
  const located = parseLocated(text, file, networkSchema, 'network document');
  checkNetwork(located);
  return located.value;
}

/**
 * The same of a document that a program has made.
 * @throws InputError naming `file`, path and expectation of every fault.
 */
export function checkedNetwork(document: NetworkText, file: string): NetworkDocument {
  const text = JSON.stringify(document);
  const located = parseWritten(text, file, networkSchema, 'network document');
  checkNetwork(located);
  return located.value;
}

type Located = LocatedDocument<NetworkDocument>;

/**
 * Checks what ties the parts of a document together: names that lead somewhere, and names,
 * addresses and ports that are used once.
 * @throws InputError naming file, line and path of the first fault.
 */
function checkNetwork(document: Located): void {
  checkNames(document);
  checkLinks(document);
  checkHosts(document);
  checkTelemetry(document);
  checkReplication(document);
  checkCoordination(document.value, document.fault);
}

function checkNames({ value: { switches, hosts }, fault }: Located): void {
  const names = new Once('the name', fault);
  const devices = new Once('device and address', fault);
  const nodeIds = new Once('the node id', fault);
  switches.forEach((each, i) => {
    const place: DocumentPath = ['switches', i];
    names.add(each.name, [...place, 'name']);
    nodeIds.add(each.nodeId ?? i + 1, [...place, 'nodeId']);
    if (each.address !== undefined) {
      devices.add(`${each.deviceId ?? i + 1} at ${each.address}`, [...place, 'address']);
    }
    const ports = new Once('the port', fault);
    each.ports.forEach(({ port }, j) => ports.add(port, [...place, 'ports', j, 'port']));
    checkChassis(each, place, fault);
  });
  const [ipv4, ipv6, mac] = ['IPv4', 'IPv6', 'MAC'].map((k) => new Once(`the ${k} address`, fault));
  hosts.forEach((each, i) => {
    names.add(each.name, ['hosts', i, 'name']);
    if (each.ipv4 !== undefined) ipv4?.add(each.ipv4, ['hosts', i, 'ipv4']);
    if (each.ipv6 !== undefined) ipv6?.add(each.ipv6, ['hosts', i, 'ipv6']);
    if (each.mac !== undefined) mac?.add(each.mac, ['hosts', i, 'mac']);
  });
}

function checkChassis(
  { chassis }: NetworkDocument['switches'][number],
  place: DocumentPath,
  fault: Located['fault'],
): void {
  const numbers = new Once('the port', fault);
  const panels = new Once('the panel port', fault);
  chassis?.ports.forEach(({ port, panel }, i) => {
    const at: DocumentPath = [...place, 'chassis', 'ports', i];
    numbers.add(port, [...at, 'port']);
    panels.add(panel, [...at, 'panel']);
  });
}

function checkLinks({ value: { switches, hosts, links }, fault }: Located): void {
  const switchNames = new Set(switches.map(({ name }) => name));
  const hostNames = new Set(hosts.map(({ name }) => name));
  const used = new Once('the port', fault);
  links.forEach(({ between }, i) => {
    const nodes = between.map((text, side) => {
      const place = ['links', i, 'between', side];
      const { node, port } = linkEnd(text);
      if (switchNames.has(node)) {
        if (port === undefined)
          throw fault(place, `wanted a port, as in '${node}:1', found '${text}'`);
        if (port > 510) throw fault(place, `wanted a port from 0 to 510, found ${port}`);
        used.add(text, place);
      } else if (!hostNames.has(node)) {
        throw fault(place, `there is no switch or host '${node}'`);
      } else {
        const several = port === undefined && used.has(node);
        if (several) {
          const wanted = `wanted a port at each link of a host with several, as in '${node}:1'`;
          throw fault(place, `${wanted}, found '${node}' twice`);
        }
        used.add(text, place);
      }
      return node;
    });
    if (nodes[0] === nodes[1])
      throw fault(['links', i, 'between'], `both ends are at '${nodes[0]}'`);
  });
}

function checkHosts({ value: { hosts, links }, fault }: Located): void {
  const linked = new Set(links.flatMap(({ between }) => between.map((text) => linkEnd(text).node)));
  hosts.forEach(({ name }, i) => {
    if (!linked.has(name)) throw fault(['hosts', i], `host '${name}' is on no link`);
  });
}

function checkTelemetry({ value: { telemetry, switches, hosts }, fault }: Located): void {
  telemetry.watch.forEach((each, i) => {
    if (switches.some(({ name }) => name === each.switch)) return;
    throw fault(['telemetry', 'watch', i, 'switch'], `there is no switch '${each.switch}'`);
  });
  checkInt(telemetry.int, switches, telemetry.collector !== undefined, fault);
  telemetry.ioam.namespaces.forEach(({ directExport }, i) => {
    if (directExport === undefined || telemetry.collector !== undefined) return;
    const place = ['telemetry', 'ioam', 'namespaces', i, 'directExport'];
    throw fault(place, 'direct export wants telemetry.collector');
  });
  const { servicePaths, namespaces } = telemetry.ioam;
  const hasCollector = telemetry.collector !== undefined;
  checkServicePaths(servicePaths, { hosts, switches, namespaces, hasCollector }, fault);
  const signing = telemetry.feedback?.signing;
  if (signing !== undefined) {
    checkSigning(signing, switches, ['telemetry', 'feedback', 'signing'], fault);
  }
  const { collector, ecn } = telemetry;
  if (collector !== undefined) {
    const host = hosts.find(({ name }) => name === collector.host);
    const place = ['telemetry', 'collector', 'host'];
    if (host === undefined) throw fault(place, `there is no host '${collector.host}'`);
  }
  if (ecn !== undefined && ecn.minBytes > ecn.maxBytes) {
    throw fault(
      ['telemetry', 'ecn'],
      `wanted minBytes up to maxBytes, found ${ecn.minBytes} above it`,
    );
  }
}

function checkReplication({ value: { switches }, fault }: Located): void {
  switches.forEach(({ multicastGroups, cloneSessions }, i) => {
    const groups = new Once('the multicast group', fault);
    multicastGroups.forEach(({ group }, j) => {
      groups.add(group, ['switches', i, 'multicastGroups', j, 'group']);
    });
    const sessions = new Once('the clone session', fault);
    cloneSessions.forEach(({ session }, j) => {
      sessions.add(session, ['switches', i, 'cloneSessions', j, 'session']);
    });
  });
}

/** Refuses what is said twice. */
class Once {
  private readonly seen = new Set<string | number>();

  constructor(
    private readonly what: string,
    private readonly fault: Located['fault'],
  ) {}

  has(value: string | number): boolean {
    return this.seen.has(value);
  }

  add(value: string | number, place: DocumentPath): void {
    if (this.seen.has(value)) throw this.fault(place, `${this.what} ${value} is used twice`);
    this.seen.add(value);
  }
}
