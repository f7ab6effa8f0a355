import type { ChannelExit } from '../network/channel';

/** The part of a network that a worker runs. It builds the rest too, where nothing happens. */
export interface Part {
  /** Whether events of this node happen here. */
  readonly has: (node: string) => boolean;
  /** Where packets go whose link leads out of the part. */
  readonly exit: ChannelExit;
}
