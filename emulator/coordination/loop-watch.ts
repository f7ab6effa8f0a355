import type { Word64 } from '../../common/wire/bytes';

/** Identity of a packet on its way: of data its own, of a notification its sender and number. */
export type Traveller =
  | { readonly kind: 'data'; readonly packet: number }
  | { readonly kind: 'notification'; readonly sender: number; readonly sequence: Word64 };

/**
 * Notices when a packet comes to a switch where it has been before, by the same routes: one that is on
 * its way while they change may be turned back once, as where a spine has lost its link to the leaf.
 */
export class LoopWatch {
  /** Switches that a packet has passed, until it has left the network. */
  readonly #visited = new Map<number | string, Set<string>>();

  constructor(private readonly report: (text: string) => void) {}

  arrived(node: string, traveller: Traveller): void {
    const key = keyOf(traveller);
    let visited = this.#visited.get(key);
    if (visited === undefined) this.#visited.set(key, (visited = new Set()));
    if (visited.has(node)) this.report(`${node}: ${describe(traveller)} has been here before`);
    visited.add(node);
  }

  /** A link or the controller has changed the routes. */
  routesChanged(): void {
    this.#visited.clear();
  }

  /** The packet has reached the end of its way. */
  left(traveller: Traveller): void {
    this.#visited.delete(keyOf(traveller));
  }
}

const keyOf = (traveller: Traveller): number | string =>
  traveller.kind === 'data'
    ? traveller.packet
    : `${traveller.sender} ${traveller.sequence.high} ${traveller.sequence.low}`;

function describe(traveller: Traveller): string {
  if (traveller.kind === 'data') return `packet ${traveller.packet}`;
  const { sender, sequence } = traveller;
  return `notification ${sequence.low} of node ${sender}`;
}
