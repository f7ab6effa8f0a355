import type { LosslessRecord } from './lossless-record';

type Deadlock = LosslessRecord['deadlocks'][number];

/** Figures of shared memory and pauses in a run, as names and values for people. */
export function losslessLines(record: LosslessRecord): [string, string][] {
  const { pauses, pausedUs, links, flows, victims } = record;
  const { storms = 0, stormDrops = 0 } = record;
  const { losslessDrops, lossyDrops, sharedPeakBytes, headroomPeakBytes } = record;
  return [
    ['pauses', `${pauses}, of ${links.length} links for ${pausedUs.toFixed(1)} us together`],
    ['flows held by pauses', `${flows.length}, of which ${victims} had a free path`],
    ['without room, lossless / others', `${losslessDrops} / ${lossyDrops}`],
    [
      'peak of shared memory / headroom',
      `${kilobytes(sharedPeakBytes)} / ${kilobytes(headroomPeakBytes)}`,
    ],
    ...stormLines(storms, stormDrops),
    ...record.deadlocks.flatMap(deadlockLines),
  ];
}

function stormLines(storms: number, drops: number): [string, string][] {
  return storms === 0 ? [] : [['storms of pauses', `${storms}, with ${drops} packets dropped`]];
}

/** One link a line: a circle may be as long as the network. */
function deadlockLines(each: Deadlock): [string, string][] {
  const [first = '', ...rest] = each.cycle;
  const links: [string, string][] = [...rest, first].map((link) => ['', `waits for ${link}`]);
  return [[deadlockTitle(each), first], ...links];
}

/** When a deadlock stood. */
export function deadlockTitle({ atUs, endedAtUs }: Deadlock): string {
  const end = endedAtUs === null ? 'to the end' : `to ${endedAtUs.toFixed(1)} us`;
  return `deadlock, ${atUs.toFixed(1)} us ${end}`;
}

/** Its links, each of which waits for the next one. */
export const cycleText = ({ cycle }: Deadlock): string =>
  [...cycle, ...cycle.slice(0, 1)].join(' waits for ');

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
