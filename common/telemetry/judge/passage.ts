import type { Finding } from './clause';
import type { IntView, PacketView } from './packet-view';
import type { ShimView } from './shim-view';

/** A packet that went into a device, and the one that came out. */
export interface Passage {
  readonly sent: PacketView;
  readonly returned: PacketView;
}

/** A packet that went into a device, and all that came out. */
export interface Exchange {
  readonly sent: Uint8Array;
  readonly returned: readonly Uint8Array[];
  /** Frames at the collector; undefined where nobody looks. */
  readonly reports?: readonly Uint8Array[] | undefined;
}

/** Prefix, under which clauses of several roles have names of their own. */
export type Role = 'transit' | 'source' | 'sink' | 'mx-source' | 'mx-transit' | 'mx-sink' | 'xd';

type Check<Part> = (part: Part, passage: Passage) => Finding;

/** A clause about the shim that came out; what has none fails another one. */
export const ofShim =
  (check: Check<ShimView>) =>
  (passage: Passage): Finding =>
    passage.returned.shim === undefined ? undefined : check(passage.returned.shim, passage);

/** The same about the header of INT. */
export const ofInt =
  (check: Check<IntView>) =>
  (passage: Passage): Finding =>
    passage.returned.int === undefined ? undefined : check(passage.returned.int, passage);

/** A clause about a packet that came out without INT; what has it still fails another one. */
export const withoutShim =
  (check: (passage: Passage) => Finding) =>
  (passage: Passage): Finding =>
    passage.returned.shim === undefined ? check(passage) : undefined;
