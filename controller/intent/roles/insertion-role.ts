import { PS_PER_NS } from '../../../common/units/units';
import { actionEntry, EGRESS_PORT, roleOf } from './role-parts';

/** Telemetry in fewer packets than ask: at every port, from which queue on and how often. */
export const INSERTION_ROLE = roleOf({
  what: 'telemetry.insertion',
  tables: ['insertion'],
  section: ({ telemetry }) => telemetry.insertion,
  fill: ({ queueBytes, interval }, { place }) => {
    const values = { queue_bytes: queueBytes, interval_ns: Math.round(interval / PS_PER_NS) };
    const entries = place.ports.map(({ port }) =>
      actionEntry('insertion', { [EGRESS_PORT]: port }, 'insert_when', values),
    );
    return { entries };
  },
});
