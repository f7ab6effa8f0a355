import type { ChannelExit } from '../network/channel';

/** The part of a network that a worker runs. It builds the rest too, where nothing happens. */
export interface Part {
  /** True if events of this node happen here. */
  readonly has: (node: string) => boolean;
  /** Takes packets whose link leads out of the part. */
  readonly exit: ChannelExit;
}
