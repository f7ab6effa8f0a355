import type { DrawnLine, DrawnNode, NetworkGroup } from '../network/network';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the nodes and lines of a picture are, in pixels. */
export interface Places {
  readonly points: readonly Point[];
  /** The middle of each line, from a to b. */
  readonly lines: readonly (readonly [from: Point, to: Point])[];
  readonly height: number;
  /** Room of each node in its row; 0 where the row is broken. */
  readonly room: readonly number[];
}

/** Letters of a name that have room. */
const LETTERS = 13;
const LETTER_WIDTH = 6.4;
export const GROUP = { width: 94, height: 64 } as const;

/** Room at both sides for names that are turned. */
const MARGIN = 16;
/** From the middle of a row to that of the next one. */
const ROW = 96;
/** Below the middle of the last row; hosts have their names there. */
const BOTTOM: Readonly<Record<DrawnNode['kind'], number>> = { host: 56, switch: 20, group: 44 };
/** Nodes of a row that are joined stand on an arc of this height, so that their links can be told apart. */
const ARC = 70;
/** Ends of lines, all that is drawn of those to a row that is broken: above its nodes. */
const STUB = { length: 24, apart: 16 } as const;
/** Height of each part of a broken row. */
const HEIGHTS: Readonly<Record<DrawnNode['kind'], number>> = {
  host: 22,
  switch: 40,
  group: GROUP.height + STUB.length + 6,
};

/** A name as long as there is room. */
export const shortened = (name: string): string =>
  name.length <= LETTERS ? name : `${name.slice(0, 5)}…${name.slice(-(LETTERS - 6))}`;

/** Half of the width of a switch with its name. */
export const halfWidth = (name: string): number =>
  Math.max(22, (shortened(name).length * LETTER_WIDTH) / 2 + 3);

function widthOf({ kind, name }: DrawnNode): number {
  if (kind === 'host') return 10;
  return kind === 'group' ? GROUP.width + 10 : 2 * halfWidth(name) + 6;
}

/** Places the nodes of a picture in rows; rows that are too wide are broken. */
export function placesOf(group: NetworkGroup, width: number): Places {
  const { nodes, lines, rows } = group;
  const points: Point[] = nodes.map(() => ({ x: 0, y: 0 }));
  const room = nodes.map(() => 0);
  const across = width - 2 * MARGIN;
  let y = 0;
  for (let row = 0; row < rows; row++) {
    const inRow = nodes.flatMap((node, i) => (node.row === row ? [i] : []));
    if (inRow.length === 0) continue;
    const inIt = inRow.map((i) => nodes[i] as DrawnNode);
    const broken = Math.ceil(
      inRow.length / Math.max(1, Math.floor(across / Math.max(...inIt.map(widthOf)))),
    );
    const length = Math.ceil(inRow.length / broken);
    const height = Math.max(...inIt.map(({ kind }) => HEIGHTS[kind]));
    const arc = broken === 1 && isJoined(group, row) ? ARC : 0;
    y += arc + (row === 0 ? height / 2 + 4 : broken === 1 ? ROW : Math.max(ROW, height));
    inRow.forEach((node, i) => {
      const x = ((i % length) + 0.5) / length;
      const down = Math.floor(i / length) * height - arc * Math.sin(Math.PI * x);
      points[node] = { x: MARGIN + x * across, y: y + down };
      room[node] = broken === 1 ? across / length : 0;
    });
    y += (broken - 1) * height;
  }
  const last = nodes.filter(({ row }) => row === rows - 1).map(({ kind }) => BOTTOM[kind]);
  const bottom = Math.max(0, ...last);
  return { points, room, lines: linePlaces(nodes, lines, { points, room }), height: y + bottom };
}

/** True if links lead from node to node of a row that has more than two. */
function isJoined({ nodes, lines }: NetworkGroup, row: number): boolean {
  const inRow = nodes.filter((node) => node.row === row).length;
  return inRow > 2 && lines.some(({ a, b }) => nodes[a]?.row === row && nodes[b]?.row === row);
}

function linePlaces(
  nodes: readonly DrawnNode[],
  lines: readonly DrawnLine[],
  { points, room }: Pick<Places, 'points' | 'room'>,
): Places['lines'] {
  const lowerOf = ({ a, b }: DrawnLine): number | undefined => {
    const lower = (nodes[a]?.row ?? 0) < (nodes[b]?.row ?? 0) ? b : a;
    const isStub = nodes[a]?.row !== nodes[b]?.row && nodes[lower]?.kind === 'group';
    return isStub && room[lower] === 0 ? lower : undefined;
  };
  const stubs = new Map<number, number>();
  for (const line of lines) {
    const lower = lowerOf(line);
    if (lower !== undefined) stubs.set(lower, (stubs.get(lower) ?? 0) + 1);
  }
  const drawn = new Map<number, number>();
  return lines.map((line) => {
    const [from, to] = [points[line.a] as Point, points[line.b] as Point];
    const lower = lowerOf(line);
    if (lower === undefined) return [from, to];
    const order = drawn.get(lower) ?? 0;
    drawn.set(lower, order + 1);
    const count = stubs.get(lower) ?? 1;
    const apart = Math.min(STUB.apart, (GROUP.width - 10) / count);
    const x = (points[lower]?.x ?? 0) + (order - (count - 1) / 2) * apart;
    const foot = (points[lower]?.y ?? 0) - GROUP.height / 2;
    const [head, end] = [
      { x, y: foot - STUB.length },
      { x, y: foot },
    ];
    return lower === line.b ? [head, end] : [end, head];
  });
}
