import * as os from 'node:os';
import { InputError } from '../../../common/errors';
import { anonymousMemory, checked, libc } from '../../../common/io/net/libc';
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
const SIOCETHTOOL = 0x8946;
const IFF_UP = 1;

/** The C structure ethtool_cmd of linux/ethtool.h: a speed in Mb/s, in two halves. */
const ETHTOOL_GSET = 1;
const ETHTOOL_BYTES = 44;
const SPEED_AT = 12;
const SPEED_HIGH_AT = 28;
const SPEED_UNKNOWN = 0xffff_ffff;

/** A network interface as the kernel of this namespace knows it. */
export interface InterfaceFacts {
  readonly name: string;
  readonly mac: number;
  readonly mtu: Bytes;
  /** Undefined when the interface does not know, as virtual ones may not. */
  readonly linkRate: BitsPerSecond | undefined;
  /** True if it is administratively up. */
  readonly isUp: boolean;
  /** Its first IPv4 address and netmask, if it has any. */
  readonly ipv4: { readonly address: number; readonly mask: number } | undefined;
}

/** @throws InputError when there is no such interface, or it is down and must not be. */
export function interfaceFacts(name: string, { mayBeDown = false } = {}): InterfaceFacts {
  const fd = checked(libc().socket(AF_INET, SOCK_DGRAM, 0), 'opening a socket');
  try {
    const flags = ask(fd, SIOCGIFFLAGS, name);
    if (flags === undefined) {
      throw new InputError(`no network interface '${name}' (ip link lists those that exist)`);
    }
    const isUp = (flags.view.getUint16(ANSWER_AT, true) & IFF_UP) !== 0;
    if (!isUp && !mayBeDown) {
      throw new InputError(`interface ${name} is down (ip link set ${name} up)`);
    }
    const mtu = ask(fd, SIOCGIFMTU, name)?.view.getInt32(ANSWER_AT, true) ?? 0;
    const hardware = ask(fd, SIOCGIFHWADDR, name);
    const mac = hardware === undefined ? 0 : readUint48(hardware.bytes, ANSWER_AT + 2);
    return { name, mac, mtu, linkRate: linkRate(fd, name), isUp, ipv4: ipv4Of(name) };
  } finally {
    libc().close(fd);
  }
}

interface Request {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

function requestFor(name: string): Request {
  const bytes = new Uint8Array(REQUEST_BYTES);
  new TextEncoder().encodeInto(name, bytes.subarray(0, NAME_BYTES_MAX));
  return { bytes, view: new DataView(bytes.buffer) };
}

/** The answer lies where the request was. */
function ask(fd: number, code: number, name: string): Request | undefined {
  const request = requestFor(name);
  return libc().ioctl(fd, code, request.bytes) >= 0 ? request : undefined;
}

function ipv4Of(name: string): InterfaceFacts['ipv4'] {
  const info = os.networkInterfaces()[name]?.find(({ family }) => family === 'IPv4');
  const address = parseIpv4(info?.address ?? '');
  const mask = parseIpv4(info?.netmask ?? '');
  return address === undefined || mask === undefined ? undefined : { address, mask };
}

/** Asks the kernel, not /sys, which may be another namespace's; drivers need not know. */
function linkRate(fd: number, name: string): BitsPerSecond | undefined {
  const settings = anonymousMemory(ETHTOOL_BYTES);
  try {
    settings.view.setUint32(0, ETHTOOL_GSET, true);
    const request = requestFor(name);
    request.view.setBigUint64(ANSWER_AT, settings.address, true);
    if (libc().ioctl(fd, SIOCETHTOOL, request.bytes) < 0) return undefined;
    const high = settings.view.getUint16(SPEED_HIGH_AT, true);
    const megabits = high * 0x1_0000 + settings.view.getUint16(SPEED_AT, true);
    // Before the kernel had 32 bits, 16 of them said that a driver does not know.
    const isKnown = megabits !== 0 && megabits !== SPEED_UNKNOWN && megabits !== 0xffff;
    return isKnown ? megabits * 1e6 : undefined;
  } finally {
    settings.release();
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
