/**
 * A network in which interfaces are looked up and sockets are made; sockets belong to it for good.
 */
export interface NetworkPlace {
  /** Descriptor by which another thread can enter it; undefined in a process that has one network only. */
  readonly fd?: number;
  /** Runs `act`; sockets that it makes before it returns belong to this place. */
  run<T>(act: () => T): T;
  /**
   * The same for all that `act` makes until it has ended. Others who do the same wait for their turn,
   * so it is for what does not take long; within it there must be no second one.
   */
  during<T>(act: () => Promise<T>): Promise<T>;
}

/** The place of a process that has one only. */
export const ONLY_PLACE: NetworkPlace = { run: (act) => act(), during: (act) => act() };
