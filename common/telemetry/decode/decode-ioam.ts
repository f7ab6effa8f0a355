import { WireFault } from '../../wire/fault';
import { IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE } from '../../wire/ioam/ioam-option';
import { parseIoamOption } from '../../wire/ioam/ioam-option';
import type { IoamOption } from '../../wire/ioam/ioam-option';
import { word64Hex } from '../../wire/bytes';
import { wordsHex } from '../fields';
import { ioamHops } from '../ioam-hops';
import type { DecodeSettings } from './decode-settings';
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
      const option = parseIoamOption(bytes, dataOffset, dataOffset + data.length);
      if (option instanceof WireFault) return { format: 'ioam', fault: option };
      const hops = option.kind === 'trace' ? ioamHops(option.trace, settings.units) : [];
      return { format: 'ioam', details: { kind: option.kind, ...ioamDetails(option) }, hops };
    });

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
