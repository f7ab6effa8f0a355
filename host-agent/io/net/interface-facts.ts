import * as fs from 'node:fs';
import * as os from 'node:os';
import { InputError } from '../../../common/errors';
import { checked, libc } from '../../../common/io/net/libc';
import { parseIpv4, parseMac } from '../../../common/topology/topology';
import type { BitsPerSecond, Bytes } from '../../../common/units/units';
import { readUint48 } from '../../../common/wire/bytes';

const AF_INET = 2;
const SOCK_DGRAM = 2;
/** The C structure ifreq: a name, and at the same place whatever is asked for. */
const REQUEST_BYTES = 40;
const NAME_BYTES_MAX = 15;
const ANSWER_AT = 16;
const SIOCGIFFLAGS = 0x8913;
const SIOCGIFMTU = 0x8921;
const SIOCGIFHWADDR = 0x8927;
const IFF_UP = 1;

/** A network interface as the kernel of this namespace knows it. */
export interface InterfaceFacts {
  readonly name: string;
  readonly mac: number;
  readonly mtu: Bytes;
  /** Undefined when the interface does not know, as virtual ones may not. */
  readonly linkRate: BitsPerSecond | undefined;
  /** Its first IPv4 address and netmask, if it has any. */
  readonly ipv4: { readonly address: number; readonly mask: number } | undefined;
}

/** @throws InputError when there is no such interface, or it is down. */
export function interfaceFacts(name: string): InterfaceFacts {
  const fd = checked(libc().socket(AF_INET, SOCK_DGRAM, 0), 'opening a socket');
  try {
    const flags = ask(fd, SIOCGIFFLAGS, name);
    if (flags === undefined) {
      throw new InputError(`no network interface '${name}' (ip link lists those that exist)`);
    }
    if ((flags.view.getUint16(ANSWER_AT, true) & IFF_UP) === 0) {
      throw new InputError(`interface ${name} is down (ip link set ${name} up)`);
    }
    const mtu = ask(fd, SIOCGIFMTU, name)?.view.getInt32(ANSWER_AT, true) ?? 0;
    const hardware = ask(fd, SIOCGIFHWADDR, name);
    const mac = hardware === undefined ? 0 : readUint48(hardware.bytes, ANSWER_AT + 2);
    return { name, mac, mtu, linkRate: linkRate(name), ipv4: ipv4Of(name) };
  } finally {
    libc().close(fd);
  }
}

function ask(
  fd: number,
  request: number,
  name: string,
): { readonly bytes: Uint8Array; readonly view: DataView } | undefined {
  const bytes = new Uint8Array(REQUEST_BYTES);
  new TextEncoder().encodeInto(name, bytes.subarray(0, NAME_BYTES_MAX));
  const isAnswered = libc().ioctl(fd, request, bytes) >= 0;
  return isAnswered ? { bytes, view: new DataView(bytes.buffer) } : undefined;
}

function ipv4Of(name: string): InterfaceFacts['ipv4'] {
  const info = os.networkInterfaces()[name]?.find(({ family }) => family === 'IPv4');
  const address = parseIpv4(info?.address ?? '');
  const mask = parseIpv4(info?.netmask ?? '');
  return address === undefined || mask === undefined ? undefined : { address, mask };
}

/** In Mb/s; drivers that do not know say -1, or refuse to be read. */
function linkRate(name: string): BitsPerSecond | undefined {
  try {
    const megabits = Number(fs.readFileSync(`/sys/class/net/${name}/speed`, 'utf8'));
    return megabits > 0 ? megabits * 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an address that a person gave. @throws InputError for anything but dotted decimal. */
export function ipv4Argument(what: string, text: string): number {
  const address = parseIpv4(text);
  if (address !== undefined) return address;
  throw new InputError(`${what} must be an IPv4 address such as 10.0.0.1, got '${text}'`);
}

/** Reads an address that a person gave. @throws InputError for anything but six pairs. */
export function macArgument(what: string, text: string): number {
  const address = parseMac(text);
  if (address !== undefined) return address;
  throw new InputError(`${what} must be a MAC address such as 02:00:00:00:00:01, got '${text}'`);
}
