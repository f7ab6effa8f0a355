import { WireFault, truncated } from '../../wire/fault';
import {
  NSH_FIXED_LENGTH,
  NSH_IOAM_HEAD,
  NSH_NEXT,
  emitNsh,
  nshLength,
  parseNsh,
} from '../../wire/ip/nsh';
import type { NshHeader, NshIoamHead } from '../../wire/ip/nsh';
import { IOAM_SHAPE, ioamBytes, ioamFields } from './ioam-layers';
import type { Fields, Inside, LayerKind, Reading } from './layer';
import { nextKind } from './next-kind';
import { bytes as bytesField, bytesText, flag, hexBytes, uint } from './values';

/** Layers of the Network Service Header, and of IOAM behind it. */

const NEXT_KINDS: readonly (readonly [number, string])[] = [
  [NSH_NEXT.ipv4, 'ipv4'],
  [NSH_NEXT.ipv6, 'ipv6'],
  [NSH_NEXT.ethernet, 'ethernet'],
  [NSH_NEXT.nsh, 'nsh'],
  [NSH_NEXT.mpls, 'mpls'],
  [NSH_NEXT.ioam, 'nsh-ioam'],
];
const kindBehind = (protocol: number): string | undefined =>
  NEXT_KINDS.find(([number]) => number === protocol)?.[1];
const protocolFor = (inside: Inside): number =>
  NEXT_KINDS.find(([, name]) => name === nextKind(inside))?.[0] ?? 0;

/** Without metadata, of a variable length (RFC 8300 section 2.5). */
const MD_TYPE_2 = 2;
const LAST_INDEX = 255;
const LAST_TTL = 63;

const headerOf = (fields: Fields): NshHeader => {
  const context = hexBytes(fields['context'] as string);
  const whole = new Uint8Array(4 * Math.ceil(context.length / 4));
  whole.set(context);
  return { ...fields, context: whole } as unknown as NshHeader;
};

const NSH: LayerKind = {
  name: 'nsh',
  text: 'Network Service Header (RFC 8300), context headers as bytes; words and nextProtocol by what follows',
  shape: {
    oam: flag,
    ttl: uint(6),
    words: uint(6),
    mdType: uint(4),
    nextProtocol: uint(8),
    pathId: uint(24),
    serviceIndex: uint(8),
    context: bytesField(),
  },
  defaults: {
    oam: false,
    ttl: LAST_TTL,
    mdType: MD_TYPE_2,
    pathId: 1,
    serviceIndex: LAST_INDEX,
    context: '',
  },
  derive: (fields, inside) => ({
    words: (nshLength(headerOf(fields)) / 4) % 64,
    nextProtocol: protocolFor(inside),
  }),
  length: (fields) => nshLength(headerOf(fields)),
  write: (fields, bytes, at) => {
    emitNsh(headerOf(fields), bytes, at);
    bytes[at + 1] = ((bytes[at + 1] as number) & 0xc0) | (fields['words'] as number);
  },
  read: ({ bytes, at, end }) => {
    const header = parseNsh(bytes, at, end);
    if (header instanceof WireFault) return header;
    const { context, ...rest } = header;
    const length = NSH_FIXED_LENGTH + context.length;
    const fields = { ...rest, words: length / 4, context: bytesText(context) };
    return { fields, length, next: kindBehind(header.nextProtocol) };
  },
};

const HEAD_LENGTH = NSH_IOAM_HEAD.size;

/** Type of IOAM and the option behind it. */
function optionOf(fields: Fields): { readonly type: number; readonly body: Uint8Array } {
  const known = ioamBytes(fields);
  if (known !== undefined) return { type: known[1] as number, body: known.subarray(2) };
  const data = hexBytes((fields['data'] ?? '') as string);
  const body = new Uint8Array(4 * Math.ceil(data.length / 4));
  body.set(data);
  return { type: 0, body };
}

const NSH_IOAM: LayerKind = {
  name: 'nsh-ioam',
  text: 'IOAM behind NSH (RFC 9452): trace, directExport or edgeToEdge (hops in path order), or type and data; type, words and nextProtocol by these and what follows',
  shape: {
    type: uint(8),
    words: uint(8),
    nextProtocol: uint(8),
    ...IOAM_SHAPE,
    data: bytesField(),
  },
  defaults: {},
  derive: (fields, inside) => {
    const { type, body } = optionOf(fields);
    const words = ((HEAD_LENGTH + body.length) / 4) % 256;
    return { type, words, nextProtocol: protocolFor(inside) };
  },
  length: (fields) => HEAD_LENGTH + optionOf(fields).body.length,
  write: (fields, bytes, at) => {
    NSH_IOAM_HEAD.emit(fields as unknown as NshIoamHead, bytes, at);
    bytes.set(optionOf(fields).body, at + HEAD_LENGTH);
  },
  read: readIoam,
};

function readIoam({ bytes, at, end }: Reading) {
  const head = NSH_IOAM_HEAD.parse(bytes, at, end);
  if (head instanceof WireFault) return head;
  const { type, words, nextProtocol } = head;
  const length = 4 * words;
  if (words === 0) return new WireFault('nsh-ioam', at + 1, 'length must be 1 word or more');
  if (end < at + length) return truncated('nsh-ioam', at, length, end);
  const body = bytes.subarray(at + HEAD_LENGTH, at + length);
  const known = ioamFields(Uint8Array.of(0, type, ...body));
  const isKnown = known !== undefined && bytesText(optionOf(known).body) === bytesText(body);
  const option = isKnown ? known : { data: bytesText(body) };
  return {
    fields: { type, words, nextProtocol, ...option },
    length,
    next: kindBehind(nextProtocol),
  };
}

export const NSH_KINDS: readonly LayerKind[] = [NSH, NSH_IOAM];
