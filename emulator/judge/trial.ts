import { scenarioSchema } from '../scenario/schema';
import type { ScenarioDocument } from '../scenario/schema';

/**
 * A small scenario of a search, in numbers that can be made smaller: some hosts send as much each to one host, on one
 * switch, or through a fabric whose paths packets are sprayed over.
 */
export interface Trial {
  /** Flows to the one receiver. */
  readonly flows: number;
  /** Payload of each flow in bytes. */
  readonly bytes: number;
  /** Time from the begin of a flow to that of the next one, in us. */
  readonly gapUs: number;
  /** Propagation delay of each link, in ns. */
  readonly delayNs: number;
  readonly rateGbps: number;
  /** Share of packets to the receiver that are lost by chance, from 0 to 1. */
  readonly lossRate: number;
  /** True if each packet takes a path of its own among four. */
  readonly isSprayed: boolean;
  readonly seed: number;
}

/** Senders that a trial may have. */
export const FLOWS_MAX = 16;
const SPINES = 4;
const HOP_BITS = 8;
/** Frames have so much more than their payload, at most. */
const FRAME_SHARE = 1.25;
/** A run is given up after so many times the time that the link needs. */
const PATIENCE = 8;
/** Time that is granted to any run beside that, in us. */
const PATIENCE_US = 5000;

/** The time that the receiver's link needs for the payload of all flows, in us. */
export const workUs = ({ flows, bytes, rateGbps }: Trial): number =>
  (flows * bytes * HOP_BITS) / (rateGbps * 1000);

/** The instant at which the last flow begins, in us. */
export const lastStartUs = ({ flows, gapUs }: Trial): number => (flows - 1) * gapUs;

/** The scenario that a trial stands for; it runs by `hpcc run`, too. */
export function trialScenario(trial: Trial, algorithm: string): ScenarioDocument {
  const { flows, bytes, gapUs, isSprayed, seed } = trial;
  return scenarioSchema.parse({
    name: `trial-${seed}`,
    title: trialText(trial),
    topology: topologyOf(trial),
    flows: Array.from({ length: flows }, (_, i) => ({
      from: `h${i + 2}`,
      to: 'h1',
      bytes,
      startUs: i * gapUs,
    })),
    parameters: {
      algorithm,
      lossRecovery: 'selective-repeat',
      ...(isSprayed && { balancing: 'random' }),
    },
    record: { queueIntervalNs: 500 },
    giveUpAfterUs: lastStartUs(trial) + PATIENCE * FRAME_SHARE * workUs(trial) + PATIENCE_US,
  });
}

/** One switch; or a leaf for the receiver, another for all senders, and spines between them. */
function topologyOf({ delayNs, rateGbps, lossRate, isSprayed }: Trial): unknown {
  const senders = Array.from({ length: FLOWS_MAX }, (_, i) => `h${i + 2}`);
  const spines = isSprayed ? Array.from({ length: SPINES }, (_, i) => `s${i + 1}`) : [];
  const [first, last] = isSprayed ? ['leaf1', 'leaf2'] : ['s1', 's1'];
  const link = { rateGbps, delayNs };
  const between = (a: string, b: string): unknown => ({ between: [a, b], ...link });
  return {
    kind: 'custom',
    switches: isSprayed ? [first, last, ...spines] : [first],
    hosts: ['h1', ...senders],
    links: [
      { between: [first, 'h1'], ...link, lossRate },
      ...senders.map((host) => between(last, host)),
      ...spines.flatMap((spine) => [between(first, spine), between(last, spine)]),
    ],
  };
}

/** `2 flows of 100 KB to one host, 50 us apart; 100 Gb/s, 500 ns per link` */
export function trialText(trial: Trial): string {
  const { flows, bytes, gapUs, delayNs, rateGbps, lossRate, isSprayed } = trial;
  const together = gapUs === 0 ? '' : `, ${gapUs} us apart`;
  const each = flows === 1 ? 'one flow' : `${flows} flows`;
  return [
    `${each} of ${bytes / 1000} KB to one host${together}; ${rateGbps} Gb/s, ${delayNs} ns per link`,
    ...(lossRate > 0 ? [`${lossRate * 100} % of packets lost`] : []),
    ...(isSprayed ? ['packets sprayed over four paths'] : []),
  ].join('; ');
}
