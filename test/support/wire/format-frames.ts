import { emitEthernet } from '../../../common/wire/ip/ethernet';
import { emitIpv4 } from '../../../common/wire/ip/ipv4';
import { emitUdp } from '../../../common/wire/ip/udp';
import { fromHex } from '../hex';
import { examplesOf } from './examples';
import { VECTORS, vectorFrame } from './vectors';

const ETHERNET = '020000000002020000000001';
const SOURCE = 0x0a000001;
const DESTINATION = 0x0a000002;

/** One frame per telemetry format and form, under the names of the worked examples they are from. */
export const formatFrames = (): readonly (readonly [string, Uint8Array])[] => [
  ['INT-A', ipFrame('INT-A after hop 2')],
  ['INT-B', ipFrame('INT-B after hop 2')],
  ['INT-C', ipFrame('INT-C')],
  ['INT-D', udpFrame({ dscp: 23, port: 2000 }, parts('INT-D'))],
  ['INT-F', udpFrame({ dscp: 23, port: 2000 }, parts('INT-F'))],
  ['INT-R', udpFrame({ dscp: 0, port: 50003 }, parts('INT-R'))],
  ['HPCC data', udpFrame({ dscp: 23, port: 50002 }, INT_HP + hpcc('31', 'aabbccdd'))],
  ['HPCC acknowledgement', udpFrame({ dscp: 0, port: 50002 }, hpcc('3202', INT_HP))],
  ['PAD-1', udpFrame({ dscp: 0, port: 4791 }, parts('PAD-1 after switch 0x3c4') + BTH)],
  ['IFA-B', ipFrame('IFA-B next transit')],
  ['IFA-1', udpFrame({ dscp: 0, port: 2000 }, hexOf(examplesOf('ifa1')[0]))],
  ['CSIG', tagged('99002b85')],
  ['CCM tag', tagged('88b51c000a010101')],
  ['CCM notification', udpFrame({ dscp: 0, port: 50001 }, parts('CCM notification type 1'))],
  ['CNP', ipFrame('R4')],
  ['TREQ', ipFrame('P1 with an empty INT header')],
  ['TRSP', ipFrame('P2')],
  ['IOAM', ipv6Frame('INFO-IOAM after two nodes')],
];

const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

const BTH = '0440ffff0012345680abcdef' + '00010203';
const INT_HP = '1013002820000803d4004850c0000000' + hexOf(examplesOf('int-packet')[1]).slice(32);

function example(name: string): (typeof VECTORS)[number] {
  const vector = VECTORS.find((candidate) => candidate.name === name);
  if (vector === undefined) throw new Error(`no worked example ${name}`);
  return vector;
}

const parts = (name: string): string => hexOf(vectorFrame(example(name)));

const ipFrame = (name: string): Uint8Array => fromHex(`${ETHERNET}0800${parts(name)}`);

/** Header of the transport with its type, or type and flags, and what follows it. */
function hpcc(typeAndFlags: string, body: string): string {
  const length = (body.length / 2).toString(16).padStart(4, '0');
  return `${typeAndFlags.padEnd(4, '0')}0001${length}00000700000000000400${body}`;
}

function udpFrame({ dscp, port }: { dscp: number; port: number }, payload: string): Uint8Array {
  const body = fromHex(payload);
  const bytes = new Uint8Array(42 + body.length);
  bytes.set(body, 42);
  emitEthernet({ destination: 0x020000000002, source: 0x020000000001, etherType: 0x800 }, bytes);
  const addresses = { source: SOURCE, destination: DESTINATION };
  const fields = { dscp, ecn: 0, identification: 1, ttl: 64, protocol: 17 };
  emitIpv4({ ...addresses, ...fields, totalLength: 28 + body.length }, bytes, 14);
  const ports = { sourcePort: 49152, destinationPort: port, length: 8 + body.length };
  emitUdp(ports, bytes, { ...addresses, offset: 34, end: bytes.length });
  return bytes;
}

const tagged = (tag: string): Uint8Array =>
  fromHex(`${ETHERNET}${tag}0800${parts('R1').slice(28)}`);

/** The options header of an example, and a UDP header, under IPv6. */
function ipv6Frame(name: string): Uint8Array {
  const options = parts(name);
  const length = (options.length / 2 + 8).toString(16).padStart(4, '0');
  const addresses = '20010db8000a0000000000000000000120010db8000c00000000000000000001';
  return fromHex(`${ETHERNET}86dd60000000${length}003e${addresses}${options}03e807d00008b1c3`);
}
