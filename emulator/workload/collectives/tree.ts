import type { Algorithm, Collective, Messages } from './collective';
import { partBytes } from './collective';

/** Pieces follow each other down the tree, so that all its links are at work. */
const PIECE_BYTES = 512 * 1024;
const PIECES_MAX = 64;

const piecesOf = (bytes: number): number =>
  Math.max(1, Math.min(PIECES_MAX, Math.ceil(bytes / PIECE_BYTES)));

/** Ranks as a binary tree in the order of a heap, whose root is the root of the operation. */
interface Tree {
  readonly rankAt: (place: number) => number;
  readonly children: (place: number) => number[];
}

function treeOf({ ranks, root }: Collective): Tree {
  return {
    rankAt: (place) => (place + root) % ranks,
    children: (place) => [2 * place + 1, 2 * place + 2].filter((child) => child < ranks),
  };
}

/** One piece up to the root. @returns what the root has got last. */
function up(tree: Tree, messages: Messages, place: number, bytes: number): number[] {
  return tree.children(place).map((child) => {
    const below = up(tree, messages, child, bytes);
    return messages.send(tree.rankAt(child), tree.rankAt(place), bytes, below);
  });
}

/** One piece down from a place that has it once the messages `after` have arrived. */
function down(
  tree: Tree,
  messages: Messages,
  place: number,
  piece: { readonly bytes: number; readonly after: readonly number[] },
): void {
  for (const child of tree.children(place)) {
    const sent = messages.send(tree.rankAt(place), tree.rankAt(child), piece.bytes, piece.after);
    down(tree, messages, child, { bytes: piece.bytes, after: [sent] });
  }
}

/** Does something for each piece. */
function eachPiece(collective: Collective, act: (tree: Tree, bytes: number) => void): void {
  const tree = treeOf(collective);
  const pieces = piecesOf(collective.bytes);
  for (let i = 0; i < pieces; i++) act(tree, partBytes(collective.bytes, pieces, i));
}

export const treeReduce: Algorithm = (collective, messages) =>
  eachPiece(collective, (tree, bytes) => {
    up(tree, messages, 0, bytes);
  });

export const treeBroadcast: Algorithm = (collective, messages) =>
  eachPiece(collective, (tree, bytes) => down(tree, messages, 0, { bytes, after: [] }));

export const treeAllReduce: Algorithm = (collective, messages) =>
  eachPiece(collective, (tree, bytes) => {
    const after = up(tree, messages, 0, bytes);
    down(tree, messages, 0, { bytes, after });
  });
