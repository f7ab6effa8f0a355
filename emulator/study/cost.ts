import type { FigureRow } from './table';

/** Figure of a study by which the speed of its cells is known. */
const PACKET_HOPS = 'counters.packetHops';

/**
 * Real time, memory and, where the study keeps packet-hops, speed of finished cells, from the least to the most, in a
 * sentence. Undefined without any.
 */
export function costText(rows: readonly FigureRow[]): string | undefined {
  if (rows.length === 0) return undefined;
  const seconds = rows.map(({ provenance }) => provenance.durationMs / 1000);
  const megabytes = rows.map(({ provenance }) => provenance.memoryBytes / 1e6);
  const speeds = rows.flatMap(({ figures, provenance }) => {
    const hops = figures.get(PACKET_HOPS);
    const ms = provenance.durationMs;
    return hops === undefined || ms === 0 ? [] : [hops / ms];
  });
  const parts = [`${rangeText(seconds)} s`, `${rangeText(megabytes)} MB`];
  if (speeds.length > 0)
    parts.push(`${rangeText(speeds)} thousand packet-hops a second, set-up included`);
  const cells = rows.length === 1 ? 'The finished cell' : `Each of ${rows.length} finished cells`;
  return `${cells} took ${parts.join(', ')}.`;
}

function rangeText(values: readonly number[]): string {
  const ends = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b)));
  const [least, most] = ends.map((value) => String(Number(value.toPrecision(3))));
  return least === most ? `${least}` : `${least} to ${most}`;
}
