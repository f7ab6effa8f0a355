import { figureAt } from '../figures/dictionary';
import { figureText } from '../figures/figure-text';
import type { LosslessRecord } from './lossless-record';

type Deadlock = LosslessRecord['deadlocks'][number];

/** Figures of shared memory and pauses in a run, as names and values for people. */
export function losslessLines(record: LosslessRecord): [string, string][] {
  const { pauses, pausedUs, links, flows, victims } = record;
  const { storms = 0, stormDrops = 0 } = record;
  return [
    line('pauses', pauses, `, of ${links.length} links`),
    line('pausedUs', pausedUs, ', all links together'),
    line('victims', victims, `, of ${flows.length} flows that pauses held`),
    line('losslessDrops', record.losslessDrops),
    line('lossyDrops', record.lossyDrops),
    line('sharedPeakBytes', record.sharedPeakBytes),
    line('headroomPeakBytes', record.headroomPeakBytes),
    ...(storms === 0 ? [] : [line('storms', storms), line('stormDrops', stormDrops)]),
    ...record.deadlocks.flatMap(deadlockLines),
  ];
}

/** Name and value of a figure of the record. */
function line(key: string, value: number, detail = ''): [string, string] {
  const figure = figureAt(`lossless.${key}`);
  return [figure.name, `${figureText(figure, value)}${detail}`];
}

/** One link a line: a circle may be as long as the network. */
function deadlockLines(each: Deadlock): [string, string][] {
  const [first = '', ...rest] = each.cycle;
  const links: [string, string][] = [...rest, first].map((link) => ['', `waits for ${link}`]);
  return [[deadlockTitle(each), first], ...links];
}

/** When a deadlock stood. */
export function deadlockTitle({ atUs, endedAtUs }: Deadlock): string {
  const at = (key: string, us: number): string =>
    figureText(figureAt(`lossless.deadlocks.*.${key}`), us);
  const end = endedAtUs === null ? 'to the end' : `to ${at('endedAtUs', endedAtUs)}`;
  return `deadlock, ${at('atUs', atUs)} ${end}`;
}

/** Its links, each of which waits for the next one. */
export const cycleText = ({ cycle }: Deadlock): string =>
  [...cycle, ...cycle.slice(0, 1)].join(' waits for ');
