import type { Result } from '../../result/result';
import type { TraceRecord } from '../../result/trace-record';
import { loadsOf } from '../network/network-loads';

/** Ranks of a trace over the time of a run, with the links that carried most. */
export interface RankLanes {
  readonly name: string;
  readonly ranks: readonly RankLane[];
  /** Ranks that are not drawn. */
  readonly ranksOmitted: number;
  /** Shorter pauses are not drawn. */
  readonly gapUs: number;
  readonly collectives: readonly CollectiveLane[];
  readonly links: readonly LinkLane[];
  /** Length of the intervals of loads. */
  readonly intervalUs: number;
}

/** Beginnings and ends in turn, in us of the run. */
export type Spans = readonly number[];

export interface RankLane {
  readonly rank: number;
  readonly host: string;
  readonly computing: Spans;
  readonly communicating: Spans;
}

export interface CollectiveLane {
  readonly name: string;
  readonly fromUs: number;
  readonly toUs: number;
}

export interface LinkLane {
  readonly name: string;
  /** Thousandths of the capacity, per interval. */
  readonly load: readonly number[];
}

/** Lanes that a screen has room for. */
const RANKS_MAX = 256;
const LINKS_MAX = 12;

/** Lanes of the traces of a run whose ranks' phases are known. */
export const rankLanes = (result: Result): RankLanes[] =>
  (result.traces ?? []).flatMap((trace) => lanesOf(result, trace));

function lanesOf(result: Result, { name, ranks, phases, collectives }: TraceRecord): RankLanes[] {
  if (phases === undefined) return [];
  const shown = ranks.slice(0, RANKS_MAX);
  return [
    {
      name,
      ranks: shown.map(({ rank, host }, i) => ({
        rank,
        host,
        computing: phases.ranks[i]?.computingUs ?? [],
        communicating: phases.ranks[i]?.communicatingUs ?? [],
      })),
      ranksOmitted: ranks.length - shown.length,
      gapUs: phases.gapUs,
      collectives: collectives.flatMap((each) =>
        each.startUs === null || each.timeUs === null
          ? []
          : [{ name: each.name, fromUs: each.startUs, toUs: each.startUs + each.timeUs }],
      ),
      links: linksOf(result),
      intervalUs: result.timelines?.intervalUs ?? Math.max(result.durationUs, 1),
    },
  ];
}

/** The links that were used most, over time. */
function linksOf(result: Result): LinkLane[] {
  const { links } = result;
  const busiest = links
    .map(({ bytes, rateGbps }, link) => ({ link, used: bytes / rateGbps }))
    .filter(({ used }) => used > 0)
    .toSorted((a, b) => b.used - a.used || a.link - b.link)
    .slice(0, LINKS_MAX);
  const requests = busiest.map(({ link }) => ({ links: [link], rank: 0 }));
  const { series } = loadsOf(result, requests);
  return busiest.map(({ link }, i) => ({
    name: links[link]?.name ?? '',
    load: series[i]?.load ?? [],
  }));
}
