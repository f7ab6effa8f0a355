import { InputError } from '../errors';
import { formatIpv4, formatMac, attachments } from './topology';
import type { LinkEnd, Topology } from './topology';

/** v1model ports have 9 bits, and the last one means "drop". */
const PORT_MAX = 510;

/**
 * Checks that a topology makes sense: unique names, ids and addresses, links between known nodes,
 * every port used once, every host on some link, everything connected.
 * @throws InputError saying what is wrong and where.
 */
export function validateTopology(topology: Topology): void {
  const fail = (sentence: string): never => {
    throw new InputError(`topology '${topology.name}': ${sentence}`);
  };
  checkUnique(topology, fail);
  checkNodes(topology, fail);
  checkLinks(topology, fail);
  checkHostLinks(topology, fail);
  checkConnected(topology, fail);
}

type Fail = (sentence: string) => never;

function checkUnique({ switches, hosts }: Topology, fail: Fail): void {
  const unique = (what: string, values: readonly (string | number)[]): void => {
    const twice = values.find((value, i) => values.indexOf(value) !== i);
    if (twice !== undefined) fail(`${what} ${twice} is used twice`);
  };
  unique(
    'the name',
    [...switches, ...hosts].map((each) => each.name),
  );
  unique(
    'the node id',
    switches.map((each) => each.nodeId),
  );
  unique(
    'the address',
    hosts.map((each) => formatIpv4(each.ipv4)),
  );
  unique(
    'the MAC address',
    hosts.map((each) => formatMac(each.mac)),
  );
}

function checkNodes({ switches, hosts }: Topology, fail: Fail): void {
  for (const { name, nodeId, deviceId, clockUnitNs, queueDepthUnitBytes, ...rest } of switches) {
    const whole = (what: string, value: number, max: number): void => {
      if (Number.isInteger(value) && value >= 1 && value <= max) return;
      fail(`switch '${name}': wanted ${what} from 1 to ${max}, found ${value}`);
    };
    whole('a node id', nodeId, 0xffff);
    if (!Number.isSafeInteger(deviceId) || deviceId < 0) {
      fail(`switch '${name}': wanted a device id from 0 to 2^53 - 1, found ${deviceId}`);
    }
    whole('nanoseconds per clock unit', clockUnitNs, 0xffff);
    whole('bytes per unit of queue depth', queueDepthUnitBytes, 0xffff);
    const { txUnitBytes = 1 } = rest;
    if (!Number.isInteger(Math.log2(txUnitBytes)) || txUnitBytes > 0x8000) {
      const wanted = 'a power of two up to 32768 bytes as unit of the byte counter';
      fail(`switch '${name}': wanted ${wanted}, found ${txUnitBytes}`);
    }
  }
  for (const { name, ipv4, mac } of hosts) {
    const unsigned = (value: number, bits: number): boolean =>
      Number.isInteger(value) && value >= 0 && value < 2 ** bits;
    if (!unsigned(ipv4, 32)) fail(`host '${name}': wanted an IPv4 address, found ${ipv4}`);
    if (!unsigned(mac, 48)) fail(`host '${name}': wanted a MAC address, found ${mac}`);
  }
}

function checkLinks({ switches, hosts, links }: Topology, fail: Fail): void {
  const names = new Set([...switches, ...hosts].map((each) => each.name));
  const used = new Set<string>();
  for (const { a, b, rate, delay, backRate = rate, backDelay = delay, mtu } of links) {
    const where = `link ${place(a)} - ${place(b)}`;
    for (const end of [a, b]) {
      if (!names.has(end.node)) fail(`${where}: there is no node '${end.node}'`);
      if (!Number.isInteger(end.port) || end.port < 0 || end.port > PORT_MAX) {
        fail(`${where}: wanted a port from 0 to ${PORT_MAX}, found ${end.port}`);
      }
      if (used.has(place(end))) fail(`${where}: port ${place(end)} is used twice`);
      used.add(place(end));
    }
    if (a.node === b.node) fail(`${where}: both ends are at '${a.node}'`);
    for (const each of [rate, backRate]) {
      if (!(each > 0 && Number.isFinite(each)))
        fail(`${where}: wanted a rate above 0, found ${each}`);
    }
    for (const each of [delay, backDelay]) {
      if (!Number.isSafeInteger(each) || each < 0) {
        fail(`${where}: wanted a delay in whole picoseconds, found ${each}`);
      }
    }
    if (mtu !== undefined && !(Number.isInteger(mtu) && mtu >= 68 && mtu <= 0xffff)) {
      fail(`${where}: wanted an MTU from 68 to 65535, found ${mtu}`);
    }
  }
}

function checkHostLinks(topology: Topology, fail: Fail): void {
  const ports = attachments(topology);
  for (const { name } of topology.hosts) {
    const count = ports.get(name)?.length ?? 0;
    if (count === 0) fail(`host '${name}': wanted a link, found none`);
  }
}

function checkConnected(topology: Topology, fail: Fail): void {
  const ports = attachments(topology);
  const [first, ...others] = [...ports.keys()];
  if (first === undefined) return;
  const reached = new Set([first]);
  // A Set iterates over what is added on the way.
  for (const node of reached) {
    for (const { peer } of ports.get(node) ?? []) reached.add(peer.node);
  }
  const lost = others.find((node) => !reached.has(node));
  if (lost !== undefined) fail(`'${lost}' cannot be reached from '${first}'`);
}

const place = (end: LinkEnd): string => `${end.node}:${end.port}`;
