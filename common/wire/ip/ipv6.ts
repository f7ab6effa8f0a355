import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { assert } from '../../assert';

/**
 * IPv6 header (RFC 8200 section 3).
 *
 *     0        4                 8                24                40
 *     | ver 4, traffic class 8, flow label 20      |
 *     | payload length 16 | next header | hop limit |
 *     | source address 128        | destination address 128 |
 */
export const IPV6_LENGTH = 40;
export const NEXT_HOP_BY_HOP = 0;
export const NEXT_DESTINATION_OPTIONS = 60;

const FIELD = { payloadLength: 4, nextHeader: 6, hopLimit: 7, source: 8, destination: 24 } as const;

/** An address as four words, the first bits first. */
export type Ipv6Address = readonly [number, number, number, number];

/** The fixed IPv6 header. */
export interface Ipv6Header {
  readonly trafficClass: number;
  readonly flowLabel: number;
  /** Bytes after this header. */
  readonly payloadLength: number;
  readonly nextHeader: number;
  readonly hopLimit: number;
  readonly source: Ipv6Address;
  readonly destination: Ipv6Address;
}

/** Refuses other versions, and a payload that reaches beyond `end`. */
export function parseIpv6(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): Ipv6Header | WireFault {
  if (end < offset + IPV6_LENGTH) return truncated('ipv6', offset, IPV6_LENGTH, end);
  const first = readUint32(bytes, offset);
  if (first >>> 28 !== 6) {
    return new WireFault('ipv6', offset, `version must be 6, found ${first >>> 28}`);
  }
  const payloadLength = readUint16(bytes, offset + FIELD.payloadLength);
  if (end < offset + IPV6_LENGTH + payloadLength) {
    return truncated('ipv6', offset, IPV6_LENGTH + payloadLength, end);
  }
  return {
    trafficClass: (first >>> 20) & 0xff,
    flowLabel: first & 0xfffff,
    payloadLength,
    nextHeader: bytes[offset + FIELD.nextHeader] as number,
    hopLimit: bytes[offset + FIELD.hopLimit] as number,
    source: readIpv6Address(bytes, offset + FIELD.source),
    destination: readIpv6Address(bytes, offset + FIELD.destination),
  };
}

export function emitIpv6(header: Ipv6Header, bytes: Uint8Array, offset: number): void {
  const first = 0x60000000 + header.trafficClass * 0x100000 + header.flowLabel;
  writeUint32(bytes, offset, first);
  writeUint16(bytes, offset + FIELD.payloadLength, header.payloadLength);
  bytes[offset + FIELD.nextHeader] = header.nextHeader;
  bytes[offset + FIELD.hopLimit] = header.hopLimit;
  header.source.forEach((word, i) => writeUint32(bytes, offset + FIELD.source + 4 * i, word));
  header.destination.forEach((word, i) =>
    writeUint32(bytes, offset + FIELD.destination + 4 * i, word),
  );
}

/** The 16 bytes at `at`. */
export const readIpv6Address = (bytes: Uint8Array, at: number): Ipv6Address => [
  readUint32(bytes, at),
  readUint32(bytes, at + 4),
  readUint32(bytes, at + 8),
  readUint32(bytes, at + 12),
];

/**
 * Hop-by-Hop and Destination Options headers (RFC 8200 sections 4.2, 4.3 and 4.6).
 *
 *     | next header 8 | length 8 (units of 8 bytes beyond the first) | options ... |
 *     option: | type 8 | data length 8 | data |, but Pad1 is a lone zero byte
 *
 * Padding is kept as options, so that what was read can be written byte for byte.
 */
const OPTION_PAD1 = 0;
const OPTION_PADN = 1;

const NAME = 'ipv6-options';

/** An option of a hop-by-hop or destination options header. */
export interface Ipv6Option {
  readonly type: number;
  /** Offset of the data in the buffer that was parsed. */
  readonly dataOffset: number;
  readonly data: Uint8Array;
}

/** A hop-by-hop or destination options header (RFC 8200 section 4.2). */
export interface Ipv6Options {
  readonly nextHeader: number;
  /** Bytes of the whole header. */
  readonly length: number;
  readonly options: readonly Ipv6Option[];
}

/** Refuses options that do not end where the header does. */
export function parseIpv6Options(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): Ipv6Options | WireFault {
  if (end < offset + 8) return truncated(NAME, offset, 8, end);
  const length = ((bytes[offset + 1] as number) + 1) * 8;
  if (end < offset + length) return truncated(NAME, offset, length, end);
  const options: Ipv6Option[] = [];
  let at = offset + 2;
  while (at < offset + length) {
    const option = parseOption(bytes, at, offset + length);
    if (option instanceof WireFault) return option;
    options.push(option);
    at = option.dataOffset + option.data.length;
  }
  return { nextHeader: bytes[offset] as number, length, options };
}

function parseOption(bytes: Uint8Array, at: number, end: number): Ipv6Option | WireFault {
  const type = bytes[at] as number;
  if (type === OPTION_PAD1) return { type, dataOffset: at + 1, data: new Uint8Array() };
  if (end < at + 2) return truncated(NAME, at, 2, end);
  const length = bytes[at + 1] as number;
  if (end < at + 2 + length) return truncated(NAME, at, 2 + length, end);
  return { type, dataOffset: at + 2, data: bytes.subarray(at + 2, at + 2 + length) };
}

/** Content of an option to be written: its place follows from the options before it. */
export type Ipv6OptionContent = Pick<Ipv6Option, 'type' | 'data'>;

/** An options header as it is written: its length follows from the options. */
export interface WrittenIpv6Options {
  readonly nextHeader: number;
  readonly options: readonly Ipv6OptionContent[];
}

export const ipv6OptionsLength = ({ options }: Pick<WrittenIpv6Options, 'options'>): number =>
  2 + options.reduce((sum, option) => sum + optionLength(option), 0);

/** Writes a header whose options, with {@link padIpv6Options}, fill a multiple of 8 bytes. */
export function emitIpv6Options(
  header: WrittenIpv6Options,
  bytes: Uint8Array,
  offset: number,
): void {
  const length = ipv6OptionsLength(header);
  assert(length % 8 === 0 && length <= 2048, 'an options header is 8 to 2048 bytes, by eights');
  bytes[offset] = header.nextHeader;
  bytes[offset + 1] = length / 8 - 1;
  let at = offset + 2;
  for (const option of header.options) {
    bytes[at] = option.type;
    if (option.type !== OPTION_PAD1) {
      bytes[at + 1] = option.data.length;
      bytes.set(option.data, at + 2);
    }
    at += optionLength(option);
  }
}

/** The options with PadN so that each type byte is at a multiple of 4 (RFC 9486 section 3). */
export function padIpv6Options(options: readonly Ipv6OptionContent[]): Ipv6OptionContent[] {
  const padded: Ipv6OptionContent[] = [];
  let length = 2;
  const padTo = (multiple: number): void => {
    const gap = (multiple - (length % multiple)) % multiple;
    if (gap === 1) padded.push({ type: OPTION_PAD1, data: new Uint8Array() });
    if (gap > 1) padded.push({ type: OPTION_PADN, data: new Uint8Array(gap - 2) });
    length += gap;
  };
  for (const option of options) {
    padTo(4);
    padded.push(option);
    length += optionLength(option);
  }
  padTo(8);
  return padded;
}

const optionLength = ({ type, data }: Ipv6OptionContent): number =>
  type === OPTION_PAD1 ? 1 : 2 + data.length;
