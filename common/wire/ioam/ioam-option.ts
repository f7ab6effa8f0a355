import { WireFault, truncated } from '../fault';
import { emitIoamDex, ioamDexLength, parseIoamDex } from './ioam-dex';
import type { IoamDex } from './ioam-dex';
import { emitIoamE2e, ioamE2eLength, parseIoamE2e } from './ioam-e2e';
import type { IoamE2e } from './ioam-e2e';
import { emitIoamTrace, ioamTraceLength, parseIoamTrace } from './ioam-trace';
import type { IoamTrace } from './ioam-trace';

/**
 * Data of an IPv6 option that carries IOAM (RFC 9486 section 3):
 *
 *     | r 8 | IOAM option type 8 | option |
 *
 * The IPv6 option type is 0x31 (mutable) for traces, 0x11 for direct export and edge-to-edge.
 */
export const IPV6_OPTION_IOAM_MUTABLE = 0x31;
export const IPV6_OPTION_IOAM = 0x11;

const TYPE = { preallocated: 0, incremental: 1, edgeToEdge: 3, directExport: 4 } as const;

/** An IOAM option of one of the types that are known. */
export type IoamOption =
  | { readonly kind: 'trace'; readonly trace: IoamTrace }
  | { readonly kind: 'edge-to-edge'; readonly edgeToEdge: IoamE2e }
  | { readonly kind: 'direct-export'; readonly directExport: IoamDex };

/** Reads the option data from `offset` to `end`; refuses IOAM option types other than 0, 1, 3, 4. */
export function parseIoamOption(
  bytes: Uint8Array,
  offset: number,
  end: number,
): IoamOption | WireFault {
  if (end < offset + 2) return truncated('ioam', offset, 2, end);
  const type = bytes[offset + 1] as number;
  const at = offset + 2;
  switch (type) {
    case TYPE.preallocated:
    case TYPE.incremental: {
      const trace = parseIoamTrace(bytes, at, end, type === TYPE.incremental);
      return trace instanceof WireFault ? trace : { kind: 'trace', trace };
    }
    case TYPE.edgeToEdge: {
      const edgeToEdge = parseIoamE2e(bytes, at, end);
      return edgeToEdge instanceof WireFault ? edgeToEdge : { kind: 'edge-to-edge', edgeToEdge };
    }
    case TYPE.directExport: {
      const directExport = parseIoamDex(bytes, at, end);
      if (directExport instanceof WireFault) return directExport;
      return { kind: 'direct-export', directExport };
    }
    default:
      return new WireFault('ioam', offset + 1, `option type must be 0, 1, 3 or 4, found ${type}`);
  }
}

/** Bytes of the option data. */
export function ioamOptionLength(option: IoamOption): number {
  switch (option.kind) {
    case 'trace':
      return 2 + ioamTraceLength(option.trace);
    case 'edge-to-edge':
      return 2 + ioamE2eLength(option.edgeToEdge);
    case 'direct-export':
      return 2 + ioamDexLength(option.directExport);
  }
}

export function emitIoamOption(option: IoamOption, bytes: Uint8Array, offset: number): void {
  bytes[offset] = 0;
  const at = offset + 2;
  switch (option.kind) {
    case 'trace':
      bytes[offset + 1] = option.trace.isIncremental ? TYPE.incremental : TYPE.preallocated;
      emitIoamTrace(option.trace, bytes, at);
      break;
    case 'edge-to-edge':
      bytes[offset + 1] = TYPE.edgeToEdge;
      emitIoamE2e(option.edgeToEdge, bytes, at);
      break;
    case 'direct-export':
      bytes[offset + 1] = TYPE.directExport;
      emitIoamDex(option.directExport, bytes, at);
      break;
  }
}
