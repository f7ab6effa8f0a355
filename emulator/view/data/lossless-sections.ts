import { cycleText, deadlockTitle, losslessLines } from '../../result/lossless-lines';
import type { LosslessRecord } from '../../result/lossless-record';
import type { Result } from '../../result/result';
import type { PageSection } from './page-data';

/** More lines than this are for `result.json`. */
const LINES_MAX = 200;

/** Circles of links that stood still: nothing else on the page matters as much. */
export const deadlockSections = ({ lossless }: Result): PageSection[] =>
  (lossless?.deadlocks ?? []).map((each) => ({
    title: `A ${deadlockTitle(each)}`,
    text: [cycleText(each)],
    tone: 'bad',
  }));

/** What a report shows of shared memory and pauses; empty where there are none. */
export function losslessSections({ lossless }: Result): PageSection[] {
  if (lossless === undefined) return [];
  const figures: PageSection = {
    title: 'Shared memory and pauses',
    rows: [['', ''], ...losslessLines(lossless)],
  };
  return [figures, ...linkSections(lossless), ...victimSections(lossless)];
}

function linkSections({ links }: LosslessRecord): PageSection[] {
  if (links.length === 0) return [];
  const longest = links.toSorted((a, b) => b.pausedUs - a.pausedUs).slice(0, LINES_MAX);
  const rows = longest.map((each) => [each.name, String(each.pauses), each.pausedUs.toFixed(1)]);
  return [{ title: 'Paused links', rows: [['link', 'pauses', 'paused (us)'], ...rows] }];
}

function victimSections({ flows }: LosslessRecord): PageSection[] {
  const victims = flows.filter(({ victimUs }) => victimUs > 0).slice(0, LINES_MAX);
  if (victims.length === 0) return [];
  const heads = ['flow', 'held (us)', 'for others (us)', 'because of'];
  const rows = victims.map(({ id, heldUs, victimUs, because }) => {
    return [String(id), heldUs.toFixed(1), victimUs.toFixed(1), because.join(', ')];
  });
  return [{ title: 'Victims of pauses', rows: [heads, ...rows] }];
}
