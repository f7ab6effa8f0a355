import type { HopRecord } from '../../common/hop/hop';
import { wrappedDifference } from '../../common/hop/hop';

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
