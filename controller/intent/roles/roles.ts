import { coordinationState } from './coordination-role';
import { edgeState } from './edge-role';
import { feedbackState } from './feedback-role';
import { ioamState } from './ioam-role';
import { queueClassState } from './queue-classes';
import type { RoleContext, RoleState } from './role-parts';

/** State of the parts of telemetry that the switch's program has tables for. */
export function roleEntries(context: RoleContext): RoleState {
  const states = [edgeState, feedbackState, queueClassState, ioamState, coordinationState].map(
    (each) => each(context),
  );
  return {
    replication: states.flatMap((each) => each.replication),
    entries: states.flatMap((each) => each.entries),
  };
}
