import { formatIpv4 } from '../../common/topology/topology';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import { filterText, interceptionFilter } from './classic-filter';
import type { ConnectionKey } from './connection-key';

/** Names what is ours among the queueing disciplines of an interface: "HP". */
export const ROOT_HANDLE = '4850:';
/** Place of our filter among those of the ingress. */
export const INTERCEPTION_PREFERENCE = 0x4850;
/** Classes that there are filters for: the filter of a class has its number, in 12 bits. */
export const CONNECTIONS_MAX = 4000;

/** First class of connections. */
const FIRST_CLASS = 0x10;
const TRIAL_CLASS = 0xf;
const FRAME_BYTES: Bytes = 1514;
/** Frames of a class that may leave at once when the kernel was late. */
const BURST_SECONDS = 0.00025;
const LEAF_RATE = '40gbit';
const LEAF_BYTES: Bytes = 4e6;
/** Frames that a leaf's bucket holds: one, and not two. */
const LEAF_FRAMES = 1.5;
const ETHERNET_HEADER_BYTES: Bytes = 14;

export interface Device {
  readonly name: string;
  /** IPv4 address that connections of this host have. */
  readonly address: number;
  readonly mtu: Bytes;
}

export interface ClassFields {
  readonly classId: number;
  readonly rate: BitsPerSecond;
}

const hex = (value: number): string => value.toString(16);

/**
 * Commands for `tc -batch`. Packets of no class are not slowed down: without a default class HTB
 * passes them directly.
 *
 *     root 4850: htb -- u32: TCP? -> table 1, by the low byte of the source port
 *       |                              -> 5-tuple -> class
 *       +- 4850:10 -- tbf
 *       +- 4850:11 -- tbf
 *
 * The kernel's TCP hands over packets of many segments, which the interface cuts only when they have
 * left HTB: at 20 Mb/s, bursts of 25 ms. A token bucket that cannot hold two frames cuts them as they
 * enter, and its rate is so high that it does nothing else.
 */
export const rootCommands = ({ name: device }: Device): string[] => [
  `qdisc add dev ${device} root handle ${ROOT_HANDLE} htb`,
  `filter add dev ${device} parent ${ROOT_HANDLE} prio 1 handle 1: protocol ip u32 divisor 256`,
  `filter add dev ${device} parent ${ROOT_HANDLE} prio 1 protocol ip u32 ht 800::` +
    ' match ip protocol 6 0xff hashkey mask 0x00ff0000 at 20 link 1:',
];

/** Finds out whether the kernel has what classes need, and leaves nothing behind. */
export const trialCommands = (device: Device): string[] => [
  ...classCommands(device, { classId: TRIAL_CLASS, rate: 1e9 }),
  removeCommand(device, TRIAL_CLASS),
];

export const ingressCommands = ({ name: device }: Device): string[] => [
  `qdisc add dev ${device} clsact`,
];

export const interceptionCommands = ({ name, address }: Device): string[] => [
  `filter add dev ${name} ingress prio ${INTERCEPTION_PREFERENCE} protocol ip` +
    ` bpf da bytecode "${filterText(interceptionFilter(address))}"`,
];

export function openCommands(device: Device, key: ConnectionKey, fields: ClassFields): string[] {
  const { classId } = fields;
  const id = hex(classId);
  const { localAddress, localPort, remoteAddress, remotePort } = key;
  const match =
    `match ip src ${formatIpv4(localAddress)}/32 match ip dst ${formatIpv4(remoteAddress)}/32` +
    ` match ip sport ${localPort} 0xffff match ip dport ${remotePort} 0xffff`;
  return [
    ...classCommands(device, fields),
    `filter add dev ${device.name} parent ${ROOT_HANDLE} prio 1 handle ${filterHandle(key, classId)}` +
      ` protocol ip u32 ht 1:${bucket(key)}: ${match} flowid ${ROOT_HANDLE}${id}`,
  ];
}

function classCommands({ name, mtu }: Device, { classId, rate }: ClassFields): string[] {
  const id = `${ROOT_HANDLE}${hex(classId)}`;
  const bucket = Math.floor(LEAF_FRAMES * (mtu + ETHERNET_HEADER_BYTES));
  return [
    `class add dev ${name} parent ${ROOT_HANDLE} classid ${id} htb ${shape(rate)}`,
    `qdisc add dev ${name} parent ${id} tbf rate ${LEAF_RATE} burst ${bucket} limit ${LEAF_BYTES}`,
  ];
}

export const rateCommand = ({ name: device }: Device, { classId, rate }: ClassFields): string =>
  `class change dev ${device} parent ${ROOT_HANDLE} classid ${ROOT_HANDLE}${hex(classId)}` +
  ` htb ${shape(rate)}`;

/** New packets pass directly again. */
export const unfilterCommand = (device: Device, key: ConnectionKey, classId: number): string =>
  `filter del dev ${device.name} parent ${ROOT_HANDLE} prio 1 handle ${filterHandle(key, classId)}` +
  ' protocol ip u32';

/** Command that removes a class in which nothing waits any more. */
export const removeCommand = ({ name: device }: Device, classId: number): string =>
  `class del dev ${device} classid ${ROOT_HANDLE}${hex(classId)}`;

function shape(rate: BitsPerSecond): string {
  const burst = Math.max(2 * FRAME_BYTES, Math.ceil((rate / 8) * BURST_SECONDS));
  const bits = Math.max(1, Math.round(rate));
  return `rate ${bits}bit burst ${burst} cburst ${burst} quantum ${FRAME_BYTES}`;
}

const bucket = ({ localPort }: ConnectionKey): string => hex(localPort & 0xff);

const filterHandle = (key: ConnectionKey, classId: number): string =>
  `1:${bucket(key)}:${hex(classId - FIRST_CLASS + 1)}`;

/**
 * Minor numbers of classes, from 16 on, in turn: a number that became free is taken again as late as
 * possible, because packets of the class that had it may still be leaving.
 */
export class ClassIds {
  readonly #count: number;
  readonly #used = new Set<number>();
  #next = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Undefined when all are taken. */
  take(): number | undefined {
    if (this.#used.size >= this.#count) return undefined;
    while (this.#used.has(FIRST_CLASS + this.#next)) this.#advance();
    const id = FIRST_CLASS + this.#next;
    this.#used.add(id);
    this.#advance();
    return id;
  }

  free(id: number): void {
    this.#used.delete(id);
  }

  #advance(): void {
    this.#next = (this.#next + 1) % this.#count;
  }
}
