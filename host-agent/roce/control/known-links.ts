import type { HopRecord } from '../../../common/hop/hop';
import { withNewerHop } from '../../feedback/newer-hop';

/**
 * The links of a path from responses that name one each. The newest record takes its place among
 * those of the other links, which then show no time passed.
 */
export class KnownLinks {
  #links: readonly HopRecord[] = [];

  /** All links with what `hop` says, or undefined if what is known of it is as new. Keeps nothing. */
  with(hop: HopRecord, isOtherPath: boolean): readonly HopRecord[] | undefined {
    if (isOtherPath) return [hop];
    const isKnown = this.#links.some(
      ({ switchId, portId }) => switchId === hop.switchId && portId === hop.portId,
    );
    return isKnown ? withNewerHop(this.#links, hop) : [...this.#links, hop];
  }

  /** What was told has been used. */
  keep(links: readonly HopRecord[]): void {
    this.#links = links;
  }
}
