import { PS_PER_NS } from '../../../common/units/units';
import { actionEntry, EGRESS_PORT, sessionTo } from './role-parts';
import type { RoleContext, RoleState } from './role-parts';

/** Fast feedback: at every port, answers to subscribers while its queue is long. */
export function feedbackState({ network, place, program }: RoleContext): RoleState {
  const { feedback } = network.telemetry;
  const table = program.tables.find('feedback_threshold');
  if (feedback === undefined || table === undefined) return { replication: [], entries: [] };
  const values = {
    queue_bytes: feedback.queueBytes,
    interval_ns: Math.round(feedback.interval / PS_PER_NS),
    clone_session: feedback.cloneSession,
    response_dscp: feedback.responseDscp,
    to_receiver: feedback.toReceiver ? 1 : 0,
  };
  const entries = place.ports.map(({ port }) =>
    actionEntry(table.name, { [EGRESS_PORT]: port }, 'respond_above', values),
  );
  return { replication: [sessionTo(feedback.cloneSession, feedback.port)], entries };
}
