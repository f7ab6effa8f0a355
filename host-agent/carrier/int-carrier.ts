import { writeUint16 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import {
  emitIntMdSource,
  HP_DOMAIN,
  HP_WIDE_DOMAIN,
  INT_DSCP,
  INT_FIXED_LENGTH,
  intMdLength,
  parseIntMd,
  readHops,
} from '../../common/wire/int/int-md';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import type { CongestionSample } from './congestion-sample';
import { IPV4_LAYER } from './network-layer';

const HOPS_MAX = 31;

/** INT-MD v2.1 between the UDP header and the transport, as the drafts' examples have it. */
function intCarrier(domain: typeof HP_DOMAIN | typeof HP_WIDE_DOMAIN): Carrier {
  return {
    name: 'int',
    network: IPV4_LAYER,
    datagramHeaders: {
      length: INT_FIXED_LENGTH,
      isCounted: true,
      emit({ hops, dscp, dsFlags }, bytes, at) {
        emitIntMdSource({ remainingHops: hops, originalDscp: dscp, domain }, bytes, at);
        writeUint16(bytes, at + INT_FIXED_LENGTH - 2, dsFlags);
      },
      find: findInt,
    },
    dscp: INT_DSCP,
    losesClass: false,
    headerLength: INT_FIXED_LENGTH,
    hopLength: domain.hopLength,
    hopsMax: HOPS_MAX,
    shows: 'named-links',
    questions: 1,
    echoLength: { fixed: INT_FIXED_LENGTH, hop: domain.hopLength },
    newReader: () => INT_READER,
  };
}

/** Refused telemetry costs the flow one measurement, not its data, as long as the shim says where that begins. */
export function findInt(bytes: Uint8Array, at: number): FoundHeaders | WireFault {
  const int = parseIntMd(bytes, at);
  if (!(int instanceof WireFault)) {
    return { skip: int.length, telemetryAt: at, telemetryLength: int.length };
  }
  const skip = intMdLength(bytes, at);
  if (skip instanceof WireFault) return skip;
  return { skip, telemetryAt: at, telemetryLength: 0, fault: int };
}

/** The INT bytes of that length at `at`, as they were written on the way. */
export function readInt(
  bytes: Uint8Array,
  at: number,
  length: number,
): Extract<CongestionSample, { kind: 'links' }> | undefined {
  const int = parseIntMd(bytes, at);
  if (int instanceof WireFault || int.length !== length) return undefined;
  const isIncomplete = int.hopLimitExceeded || int.mtuExceeded;
  return { kind: 'links', telemetry: readHops(int, bytes, at), isIncomplete };
}

const INT_READER: TelemetryReader = { read: readInt };

export const INT_CARRIER = intCarrier(HP_DOMAIN);
/** With the time that packets wait in their queue. */
export const WIDE_INT_CARRIER = intCarrier(HP_WIDE_DOMAIN);
