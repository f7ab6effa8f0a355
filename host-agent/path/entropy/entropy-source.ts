import type { Instant } from '../../../common/units/units';
import type { Random } from '../../../common/random/random';
import type { RetiredPorts } from './retired-ports';

/**
 * Chooses the entropy of each packet that a flow sends: a UDP source port, from which the hash of each switch
 * chooses among equal paths. So hosts spray over paths that they do not know, through any switch with ECMP.
 */
export interface EntropySource {
  /** Source ports that carry no data until a probe over them is answered; undefined: none ever are. */
  readonly retired?: RetiredPorts;
  /** The source port of the packet that leaves now. @param sequence first byte of its segment, if it is data. */
  take(now: Instant, sequence?: number): number;
  /** An acknowledgement of a packet with that source port has arrived. */
  handleReturn?(now: Instant, sourcePort: number, isCongested: boolean): void;
  /** The segment at `sequence` is taken for lost; trimmed ones return congested. */
  handleLoss?(now: Instant, sequence: number): void;
  /** Nothing was acknowledged for as long as the retransmission timeout. */
  handleTimeout?(now: Instant): void;
}

/** The source ports of a flow, and its random numbers. */
export interface EntropySpace {
  /** Number of source ports. */
  readonly count: number;
  /** The source port of number `entropy`, from 0 to `count` - 1. */
  readonly portOf: (entropy: number) => number;
  readonly random: Random;
  /** Number of the path of a source port, where the host knows it. Default: each port may be a path of its own. */
  readonly pathOf?: ((port: number) => number) | undefined;
}

/** Draws a source port of the space. */
export const drawnPort = ({ count, portOf, random }: EntropySpace): number =>
  portOf(random.below(count));
