import type { BitsPerSecond } from '../../../common/units/units';
import type { TelemetryDocument } from '../../document/schema';
import type { ActionByName } from '../../entities/action';
import { actionEntry, EGRESS_PORT, roleOf } from './role-parts';

/** Probabilities are in units of 1 / 65536. */
const PROBABILITY_ONE = 65_536;

/** Several queues per port: which packets go to which. */
export const QUEUE_CLASS_ROLE = roleOf({
  what: 'telemetry.classes',
  tables: ['class_of_dscp'],
  section: ({ telemetry: { classes } }) => (classes.length > 0 ? classes : undefined),
  fill: (classes) => ({
    entries: classes.map(({ dscp, queue }) =>
      actionEntry('class_of_dscp', { dscp }, 'set_class', { queue }),
    ),
  }),
});

/** ECN: from which length on each queue of a port marks. */
export const MARKING_ROLE = roleOf({
  what: 'telemetry.ecn',
  tables: ['ecn_threshold'],
  section: ({ telemetry }) => telemetry.ecn,
  fill: (ecn, { network, place }) => {
    const queues = [...new Set([0, ...network.telemetry.classes.map(({ queue }) => queue)])];
    const entries = place.ports.flatMap(({ port, link }) => {
      const action = markAction(scaled(ecn, link.rate));
      return queues.map((queue) => {
        const match = { [EGRESS_PORT]: port, queue };
        return actionEntry('ecn_threshold', match, action.name, action.arguments);
      });
    });
    return { entries };
  },
});

type Thresholds = NonNullable<TelemetryDocument['ecn']>;

function scaled(ecn: Thresholds, rate: BitsPerSecond): Thresholds {
  const factor = ecn.forGbps === undefined ? 1 : rate / (ecn.forGbps * 1e9);
  const of = (bytes: number): number => Math.min(0xffff_ffff, Math.round(factor * bytes));
  return { ...ecn, minBytes: of(ecn.minBytes), maxBytes: of(ecn.maxBytes) };
}

function markAction({ minBytes, maxBytes, maxProbability }: Thresholds): ActionByName {
  if (minBytes === maxBytes) return { name: 'mark_above', arguments: { bytes: minBytes } };
  // One is out of range in 16 bits, and the packets from the upper end on are all marked anyway.
  const probability = Math.min(PROBABILITY_ONE - 1, Math.round(maxProbability * PROBABILITY_ONE));
  const values = { min_bytes: minBytes, max_bytes: maxBytes, max_probability: probability };
  return { name: 'mark_between', arguments: values };
}
