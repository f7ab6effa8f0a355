import { WireFault } from '../../wire/fault';
import { IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE } from '../../wire/ioam/ioam-option';
import { IOAM_INTEGRITY_LENGTH, parseIoamIntegrity } from '../../wire/ioam/ioam-integrity';
import { parseIoamOption } from '../../wire/ioam/ioam-option';
import type { IoamOption } from '../../wire/ioam/ioam-option';
import { copyOf, word64Hex } from '../../wire/bytes';
import { bytesHex, wordsHex } from '../fields';
import { ioamHops } from '../ioam-hops';
import type { DecodeSettings } from './decode-settings';
import { parseNshChain } from './nsh-chain';
import type { Telemetry } from './telemetry';
import type { IpLayer } from './frame-layers';

/** IOAM options of IPv6 hop-by-hop and destination options headers. */
export const decodeIoam = (
  bytes: Uint8Array,
  { options }: IpLayer,
  settings: DecodeSettings,
): Telemetry[] =>
  options
    .filter(({ type }) => type === IPV6_OPTION_IOAM || type === IPV6_OPTION_IOAM_MUTABLE)
    .map(({ dataOffset, data }) => {
      const end = dataOffset + data.length;
      return anyIoamOf(bytes.subarray(0, end), dataOffset, settings);
    });

/** IOAM behind NSH (RFC 9452), with the path of which it is; a fault where NSH is damaged. */
export function decodeNsh(
  bytes: Uint8Array,
  offset: number,
  settings: DecodeSettings,
): readonly Telemetry[] {
  const chain = parseNshChain(bytes, offset);
  if (chain instanceof WireFault) return [{ format: 'ioam', fault: chain }];
  const { pathId, serviceIndex, ttl } = chain.header;
  return chain.options.map(({ type, at, end }): Telemetry => {
    // Options of IPv6 have their type in front of them, where the head has the next protocol.
    const option = copyOf(bytes, 0, end);
    option[at - 1] = type;
    const found = anyIoamOf(option, at - 2, settings);
    if ('fault' in found) return found;
    return { ...found, details: { ...found.details, pathId, serviceIndex, nshTtl: ttl } };
  });
}

/** An option from its reserved byte to the end of the bytes, with integrity or without. */
function anyIoamOf(bytes: Uint8Array, offset: number, settings: DecodeSettings): Telemetry {
  const headerLength = PROTECTED_HEADER_LENGTHS.get(bytes[offset + 1] ?? 0);
  if (headerLength === undefined) return ioamOf(bytes, offset, bytes.length, settings);
  return protectedIoam(bytes.subarray(offset), 2 + headerLength, settings);
}

/**
 * Header bytes in front of the check value, by type of the options with integrity: 64, 65 and 67.
 */
const PROTECTED_HEADER_LENGTHS: ReadonlyMap<number, number> = new Map([
  [64, 8],
  [65, 8],
  [67, 4],
]);
const PROTECTED = 64;

/**
 * An option with integrity (draft-ietf-ippm-ioam-data-integrity) is the option without it, and the
 * integrity header between its header and its data. The check value is shown, not verified: that
 * needs the keys of all nodes.
 */
function protectedIoam(data: Uint8Array, integrityAt: number, settings: DecodeSettings): Telemetry {
  const integrity = parseIoamIntegrity(data, integrityAt, data.length);
  if (integrity instanceof WireFault) return { format: 'ioam', fault: integrity };
  const plain = new Uint8Array(data.length - IOAM_INTEGRITY_LENGTH);
  plain.set(data.subarray(0, integrityAt));
  plain.set(data.subarray(integrityAt + IOAM_INTEGRITY_LENGTH), integrityAt);
  plain[1] = (data[1] ?? 0) - PROTECTED;
  const found = ioamOf(plain, 0, plain.length, settings);
  if ('fault' in found) return found;
  const { keyId, nodeId, counter, checkValue } = integrity;
  const shown = { keyId, nodeId, counter: `0x${word64Hex(counter)}` };
  const details = { ...found.details, integrity: { ...shown, checkValue: bytesHex(checkValue) } };
  return { ...found, details };
}

function ioamOf(
  bytes: Uint8Array,
  offset: number,
  end: number,
  settings: DecodeSettings,
): Telemetry {
  const option = parseIoamOption(bytes, offset, end);
  return option instanceof WireFault
    ? { format: 'ioam', fault: option }
    : ioamTelemetry(option, settings);
}

/** An option that was read, as telemetry. */
export function ioamTelemetry(
  option: IoamOption,
  settings: DecodeSettings,
): Extract<Telemetry, { readonly details: unknown }> {
  const hops = option.kind === 'trace' ? ioamHops(option.trace, settings.units) : [];
  return { format: 'ioam', details: { kind: option.kind, ...ioamDetails(option) }, hops };
}

const traceTypeText = (type: number): string => `0x${type.toString(16).padStart(6, '0')}`;

function ioamDetails(option: IoamOption): Record<string, unknown> {
  switch (option.kind) {
    case 'trace': {
      const { nodes: _, traceType, isIncremental, namespaceId, ...flags } = option.trace;
      return { namespaceId, traceType: traceTypeText(traceType), ...flags, isIncremental };
    }
    case 'edge-to-edge': {
      const { sequence64, ...rest } = option.edgeToEdge;
      return sequence64 === undefined
        ? rest
        : { ...rest, sequence64: `0x${word64Hex(sequence64)}` };
    }
    case 'direct-export': {
      const { traceType, otherFlags, otherWords, ...rest } = option.directExport;
      const extension = { extensionFlags: otherFlags, extensionWords: wordsHex(otherWords) };
      return { ...rest, traceType: traceTypeText(traceType), ...extension };
    }
  }
}
