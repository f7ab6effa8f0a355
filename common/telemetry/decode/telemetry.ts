import type { CarrierHop } from '../../hop/hop';
import type { WireFault } from '../../wire/fault';

/** The families that `--format` selects. */
export const DECODE_FORMATS = [
  'int',
  'padding',
  'ioam',
  'ifa',
  'csig',
  'report',
  'roce',
  'ccm',
  'hpcc',
] as const;

/** A family of telemetry. */
export type DecodeFormat = (typeof DECODE_FORMATS)[number];

/** Telemetry that a frame carries, or why the bytes that should be telemetry are none. */
export type Telemetry =
  | {
      readonly format: DecodeFormat;
      /** Fields of the carrier besides the hops, by name. */
      readonly details: Readonly<Record<string, unknown>>;
      /** In path order. */
      readonly hops: readonly CarrierHop[];
    }
  | { readonly format: DecodeFormat; readonly fault: WireFault };
