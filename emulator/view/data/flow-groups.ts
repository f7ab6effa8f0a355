import type { FlowRecord } from '../../result/result';

const GROUPS_MAX = 8;

type Grouping = (flow: FlowRecord) => string;

const GROUPINGS: readonly Grouping[] = [
  ({ destination }) => `to ${destination}`,
  ({ startUs }) => `from ${Number(startUs.toPrecision(6))} us on`,
  ({ source }) => `from ${source}`,
  ({ bytes }) => sizeClass(bytes),
];

/** Groups of flows by colour: by the first property that makes two to eight of them. */
export function flowGroups(flows: readonly FlowRecord[]): (flow: FlowRecord) => string {
  const found = GROUPINGS.find((grouping) => {
    const count = new Set(flows.map(grouping)).size;
    return count > 1 && count <= GROUPS_MAX;
  });
  return found ?? ((): string => 'all flows');
}

function sizeClass(bytes: number): string {
  if (bytes <= 1e4) return 'up to 10 KB';
  if (bytes <= 1e5) return 'up to 100 KB';
  return bytes <= 1e6 ? 'up to 1 MB' : 'above 1 MB';
}

export const flowName = ({
  id,
  source,
  destination,
}: Pick<FlowRecord, 'id' | 'source' | 'destination'>): string =>
  `${id}: ${source} to ${destination}`;
