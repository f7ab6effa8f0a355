import { assert } from '../../assert';
import { readUint16, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * TCP header with options (RFC 9293 section 3.1).
 *
 *     0           2            4                8
 *     | src port  | dst port   |    sequence    |
 *     | acknowledgement        | offset 4, rsrv 4, flags 8, window 16 |
 *     | checksum  | urgent     | options, to `offset` words            |
 */
export const TCP_LENGTH = 20;
export const TCP_CHECKSUM_AT = 16;
export const TCP_FLAG_ACK = 0x10;

const OPTION_END = 0;
const OPTION_NOP = 1;

/** An option of TCP. */
export interface TcpOption {
  readonly kind: number;
  /**
   * Data of the option without kind and length: none for no-operation, the padding for the end of
   * list.
   */
  readonly data: Uint8Array;
}

/** TCP header as it is written. */
export interface TcpHeader {
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly window: number;
  readonly checksum: number;
  readonly urgent: number;
  readonly options: readonly TcpOption[];
}

/** TCP header as it was read. */
export interface ParsedTcp extends TcpHeader {
  /** Bytes of this header, options included. */
  readonly headerLength: number;
}

/** Refuses a data offset outside the segment and options that overrun it; checksums are not read. */
export function parseTcp(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): ParsedTcp | WireFault {
  if (end < offset + TCP_LENGTH) return truncated('tcp', offset, TCP_LENGTH, end);
  const headerLength = ((bytes[offset + 12] as number) >>> 4) * 4;
  if (headerLength < TCP_LENGTH) {
    const reason = `data offset must be at least 20 bytes, found ${headerLength}`;
    return new WireFault('tcp', offset + 12, reason);
  }
  if (end < offset + headerLength) return truncated('tcp', offset, headerLength, end);
  const options = parseOptions(bytes, offset + TCP_LENGTH, offset + headerLength);
  if (options instanceof WireFault) return options;
  return {
    sourcePort: readUint16(bytes, offset),
    destinationPort: readUint16(bytes, offset + 2),
    sequence: readUint32(bytes, offset + 4),
    acknowledgement: readUint32(bytes, offset + 8),
    headerLength,
    flags: bytes[offset + 13] as number,
    window: readUint16(bytes, offset + 14),
    checksum: readUint16(bytes, offset + TCP_CHECKSUM_AT),
    urgent: readUint16(bytes, offset + 18),
    options,
  };
}

function parseOptions(bytes: Uint8Array, start: number, end: number): TcpOption[] | WireFault {
  const options: TcpOption[] = [];
  let at = start;
  while (at < end) {
    const kind = bytes[at] as number;
    if (kind === OPTION_NOP || kind === OPTION_END) {
      const dataEnd = kind === OPTION_END ? end : at + 1;
      options.push({ kind, data: bytes.subarray(at + 1, dataEnd) });
      at = dataEnd;
      continue;
    }
    if (end < at + 2) return truncated('tcp', at, 2, end);
    const length = bytes[at + 1] as number;
    if (length < 2) {
      return new WireFault('tcp', at + 1, `option length must be at least 2, found ${length}`);
    }
    if (end < at + length) return truncated('tcp', at, length, end);
    options.push({ kind, data: bytes.subarray(at + 2, at + length) });
    at += length;
  }
  return options;
}

/** Bytes of the header with its options, padded to words. */
export function tcpLength({ options }: Pick<TcpHeader, 'options'>): number {
  const length = options.reduce((sum, option) => sum + optionLength(option), TCP_LENGTH);
  return Math.ceil(length / 4) * 4;
}

/** Writes the header with the checksum that it names; see `fillChecksum` for the right one. */
export function emitTcp(header: TcpHeader, bytes: Uint8Array, offset: number): void {
  const length = tcpLength(header);
  assert(length <= 60, 'TCP options take at most 40 bytes');
  bytes.fill(0, offset, offset + length);
  writeUint16(bytes, offset, header.sourcePort);
  writeUint16(bytes, offset + 2, header.destinationPort);
  writeUint32(bytes, offset + 4, header.sequence);
  writeUint32(bytes, offset + 8, header.acknowledgement);
  bytes[offset + 12] = (length / 4) << 4;
  bytes[offset + 13] = header.flags;
  writeUint16(bytes, offset + 14, header.window);
  writeUint16(bytes, offset + TCP_CHECKSUM_AT, header.checksum);
  writeUint16(bytes, offset + 18, header.urgent);
  let at = offset + TCP_LENGTH;
  for (const option of header.options) {
    bytes[at] = option.kind;
    const end = at + optionLength(option);
    if (!isBare(option.kind)) bytes[at + 1] = end - at;
    bytes.set(option.data, end - option.data.length);
    at = end;
  }
}

const optionLength = ({ kind, data }: TcpOption): number => (isBare(kind) ? 1 : 2) + data.length;

/** True for options without a length byte. */
const isBare = (kind: number): boolean => kind === OPTION_NOP || kind === OPTION_END;
