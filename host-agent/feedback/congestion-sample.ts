import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/hop/hop';
import { WireFault } from '../../common/wire/fault';
import type { LoadRatio } from '../../common/wire/hpcc/feedback-records';
import { readLoadRatio } from '../../common/wire/hpcc/feedback-records';
import {
  congestionRecordLength,
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
} from '../../common/wire/hpcc/hpcc-transport';
import { loadOfDigest, parsePathShim, PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import { parseIntMd, readHops } from '../../common/wire/int/int-md';
import type { ReceivedFrame } from '../transport/frames/received-frame';
import { wrappedDifference } from '../../common/hop/hop';

/** What a packet says about its path: its links, or only the load of the fullest one. */
export type CongestionSample =
  | {
      readonly kind: 'links';
      /** In the order of the path. */
      readonly telemetry: readonly HopRecord[];
      /** A switch of the path could not add its record. */
      readonly isIncomplete: boolean;
      /** U of the fullest link, from a packet with one byte in place of records. */
      readonly load?: number | undefined;
      /** When the packet left, by its sender's clock in ns modulo 2^48, where it says so. */
      readonly sentAtNs?: number | undefined;
    }
  | ({ readonly kind: 'load' } & LoadRatio);

/** A sample that was to come and did not. */
export const NO_TELEMETRY = { kind: 'links', telemetry: [], isIncomplete: false } as const;

/**
 * The record of an ACK or TELEMETRY. Undefined without one, and for an echo that is no INT of our
 * domain or of another length than the packet says.
 */
export function readSample(frame: ReceivedFrame, packet: Packet): CongestionSample | undefined {
  const { flags } = frame.transport;
  if ((flags & HPCC_FLAG_RATIO) !== 0) {
    return { kind: 'load', ...readLoadRatio(packet.bytes, frame.bodyAt) };
  }
  if ((flags & HPCC_FLAG_ECHO) === 0) return undefined;
  const length = congestionRecordLength(frame.transport);
  // Nothing that INT begins with is as short.
  if (length === PATH_SHIM_LENGTH) return readShim(packet.bytes, frame.bodyAt);
  return readLinks(packet.bytes, frame.bodyAt, length);
}

function readShim(bytes: Uint8Array, offset: number): CongestionSample | undefined {
  const shim = parsePathShim(bytes, offset);
  if (shim instanceof WireFault) return undefined;
  const { digest, sentAtNs } = shim;
  const load = digest === undefined ? undefined : loadOfDigest(digest);
  return { kind: 'links', telemetry: NO_HOPS, isIncomplete: false, load, sentAtNs };
}

const NO_HOPS: readonly HopRecord[] = [];

/** The INT bytes of that length at `offset`, as they were written on the way. */
export function readLinks(
  bytes: Uint8Array,
  offset: number,
  length: number,
): Extract<CongestionSample, { kind: 'links' }> | undefined {
  const int = parseIntMd(bytes, offset);
  if (int instanceof WireFault || int.length !== length) return undefined;
  const isIncomplete = int.hopLimitExceeded || int.mtuExceeded;
  return { kind: 'links', telemetry: readHops(int, bytes, offset), isIncomplete };
}

/**
 * The telemetry of a path with `hop` in the place of the older record of the same link. The other
 * links then show no time passed, so that a comparison tells about this one only. Undefined if the
 * path has no such link or its record is as new.
 */
export function withNewerHop(
  path: readonly HopRecord[],
  hop: HopRecord,
): readonly HopRecord[] | undefined {
  const at = path.findIndex((one) => one.switchId === hop.switchId && one.portId === hop.portId);
  const last = path[at];
  if (last === undefined) return undefined;
  const { timestampModulus } = hop;
  const ahead = wrappedDifference(hop.timestamp, last.timestamp, timestampModulus);
  return ahead > 0 && ahead <= timestampModulus / 2 ? path.with(at, hop) : undefined;
}
