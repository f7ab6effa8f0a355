import { PS_PER_NS } from '../../../common/units/units';
import { actionEntry, defaultEntry, EGRESS_PORT, roleOf, sessionTo } from './role-parts';
import { keyArguments } from './signing-key';

/** Bytes of a copy that becomes an answer: what precedes a packet, and what is read of it. */
const ANSWER_COPY_BYTES = 32 + 60;

/** Fast feedback: at every port, answers to subscribers while its queue is long. */
export const FEEDBACK_ROLE = roleOf({
  what: 'telemetry.feedback',
  tables: ['feedback_threshold'],
  section: ({ telemetry }) => telemetry.feedback,
  fill: (feedback, { place, spec }) => {
    const values = {
      queue_bytes: feedback.queueBytes,
      interval_ns: Math.round(feedback.interval / PS_PER_NS),
      clone_session: feedback.cloneSession,
      response_dscp: feedback.responseDscp,
      to_receiver: feedback.toReceiver ? 1 : 0,
    };
    return {
      replication: [sessionTo(spec, feedback, ANSWER_COPY_BYTES)],
      entries: place.ports.map(({ port }) =>
        actionEntry('feedback_threshold', { [EGRESS_PORT]: port }, 'respond_above', values),
      ),
    };
  },
});

/** The key and the numbers that answers are signed with. */
export const SIGNING_ROLE = roleOf({
  what: 'telemetry.feedback.signing',
  tables: ['answer_key'],
  section: ({ telemetry }) => telemetry.feedback?.signing,
  fill: (signing, { spec }) => {
    const { boot } = signing;
    const values = { ...keyArguments(signing, spec), boot };
    return { entries: [defaultEntry('answer_key', 'number', values)] };
  },
});
