import { CAUSE_FIGURES } from './cause-figures';
import { COMPARISON_FIGURES, LIVE_FIGURES } from './comparison-figures';
import { COORDINATION_FIGURES } from './coordination-figures';
import type { Figure, FigureTable } from './figure';
import { FLOW_FIGURES } from './flow-figures';
import { JUDGE_FIGURES } from './judge-figures';
import { LOSSLESS_FIGURES } from './lossless-figures';
import { CAPTURE_FIGURES, MININET_FIGURES, REPORTED_HOP_FIGURES } from './mininet-figures';
import { NETWORK_FIGURES } from './network-figures';
import { PACKET_FIGURES } from './packet-figures';
import { SEND_FIGURES } from './send-figures';
import { TRACE_FIGURES } from './trace-figures';

/** Sections of the dictionary in the order of its page. */
export const FIGURE_SECTIONS: readonly (readonly [title: string, figures: FigureTable])[] = [
  ['Flows', FLOW_FIGURES],
  ['Time of flows by cause', CAUSE_FIGURES],
  ['Network', NETWORK_FIGURES],
  ['Shared memory and pauses', LOSSLESS_FIGURES],
  ['Workloads and coordination', COORDINATION_FIGURES],
  ['Traces of ranks', TRACE_FIGURES],
  ['Single packets', PACKET_FIGURES],
  ['Comparisons', COMPARISON_FIGURES],
  ['Algorithms that are judged', JUDGE_FIGURES],
  ['Networks at work', LIVE_FIGURES],
  ['Flows that hosts send', SEND_FIGURES],
  ['Runs under Mininet', MININET_FIGURES],
  ['Telemetry in captures', CAPTURE_FIGURES],
  ['Telemetry in reports', REPORTED_HOP_FIGURES],
];

const FIGURES: ReadonlyMap<string, Figure> = new Map(
  FIGURE_SECTIONS.flatMap(([, figures]) => Object.entries(figures)),
);

/** The figure of a path of results, with `*` or with keys in its places; undefined if there is none. */
export function findFigure(path: string): Figure | undefined {
  const known = FIGURES.get(path);
  if (known !== undefined) return known;
  const pattern = patternOf(path.split('.'));
  return pattern === undefined ? undefined : FIGURES.get(pattern);
}

/**
 * The figure of a path.
 * @throws Error for one that the dictionary does not have, which is a fault of the program.
 */
export function figureAt(path: string): Figure {
  const figure = findFigure(path);
  if (figure === undefined) throw new Error(`no figure '${path}' in the dictionary`);
  return figure;
}

/**
 * Column of CSV files for a figure.
 * @throws Error for one that no file has, which is a fault of the program.
 */
export function csvColumn(path: string): string {
  const { column } = figureAt(path);
  if (column === undefined) throw new Error(`no CSV file has the figure '${path}'`);
  return column;
}

/** Name for people of a path: `peak queue of a link, link 3`. */
export function figureName(path: string): string {
  const figure = figureAt(path);
  const keys = path.split('.');
  const pattern = FIGURES.has(path) ? undefined : patternOf(keys)?.split('.');
  if (pattern === undefined) return figure.name;
  // The key of a record may have dots, and is the last part of its path.
  const places = pattern.flatMap((part, i) => (part === '*' ? [i] : []));
  const words = places.map((at, i) => {
    const isLast = at === pattern.length - 1;
    const key = isLast ? keys.slice(at).join('.') : (keys[at] ?? '');
    return [figure.each?.[i] ?? '', key].filter((word) => word !== '').join(' ');
  });
  return [figure.name, ...words].join(', ');
}

const PATTERNS = [...FIGURES.keys()].filter((path) => path.includes('*'));

/** The path of the dictionary that some keys match. */
function patternOf(keys: readonly string[]): string | undefined {
  return PATTERNS.find((pattern) => {
    const parts = pattern.split('.');
    const isOpen = parts.at(-1) === '*';
    if (isOpen ? keys.length < parts.length : keys.length !== parts.length) return false;
    return parts.every((part, i) => part === '*' || part === keys[i]);
  });
}
