import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';
import type { LoadRatio } from '../../common/wire/hpcc/feedback-records';

/** Telemetry of one packet about its path: its links, or only the highest load of a link. */
export type CongestionSample =
  | {
      readonly kind: 'links';
      /** Records in the order of the path. */
      readonly telemetry: readonly HopRecord[];
      /** A switch of the path could not add its record. */
      readonly isIncomplete: boolean;
      /** From {@link withNewerHop}, of a switch that has told by itself. */
      readonly isOneLink?: boolean | undefined;
      /** U of the bottleneck, from a packet with one byte in place of records. */
      readonly load?: number | undefined;
      /** Departure of the packet by its sender's clock, in ns modulo 2^48, where the packet carries it. */
      readonly sentAtNs?: number | undefined;
    }
  | ({ readonly kind: 'load' } & LoadRatio);

/** A sample that was to come and did not. */
export const NO_TELEMETRY = { kind: 'links', telemetry: [], isIncomplete: false } as const;

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
