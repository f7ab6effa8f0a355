import { shownPort } from '../../document/relative-telemetry';
import { actionEntry, EGRESS_PORT, roleOf } from './role-parts';

/** Loads relative to capacities: at every port, what it is shown as. */
export const RELATIVE_ROLE = roleOf({
  what: 'telemetry.relative',
  tables: ['shown_ports'],
  section: ({ telemetry }) => telemetry.relative,
  fill: (relative, { place, spec: { document } }) => {
    const { name } = document;
    const entries = place.ports.map(({ port, link: { rate } }) => {
      const { alias, nominalMbps, factor } = shownPort(relative, { node: name, port, rate });
      const shown = { alias, nominal_mbps: nominalMbps, factor };
      return actionEntry('shown_ports', { [EGRESS_PORT]: port }, 'show_as', shown);
    });
    return { entries };
  },
});
