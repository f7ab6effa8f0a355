import { PS_PER_NS } from '../../../common/units/units';
import { actionEntry, EGRESS_PORT, roleOf } from './role-parts';

const WORD_MAX = 0xffff_ffff;

/** PINT: at every port, T and what its link holds in that time, as reciprocals. */
export const DIGEST_ROLE = roleOf({
  what: 'telemetry.digest',
  tables: ['load_scale'],
  section: ({ telemetry }) => telemetry.digest,
  fill: ({ baseRtt }, { place }) => {
    const ns = Math.max(1, Math.round(baseRtt / PS_PER_NS));
    const inverse = (unit: number, of: number) => Math.min(WORD_MAX, Math.round(unit / of));
    const entries = place.ports.map(({ port, link }) =>
      actionEntry('load_scale', { [EGRESS_PORT]: port }, 'set_scale', {
        rtt_ns: ns,
        rtt_inverse: inverse(2 ** 32, ns),
        bdp_inverse: inverse(2 ** 40, (link.rate * ns) / 8e9),
      }),
    );
    return { entries };
  },
});
