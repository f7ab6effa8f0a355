/** Paths to the hosts behind one switch, all over as many switches. */
export interface SourcePaths {
  /** IPv6 destinations with the uSIDs of the switches of each path, and zeros behind. */
  readonly destinations: readonly Uint8Array[];
  /** Place of the host's uSID in them. */
  readonly hostAt: number;
}

/** The paths to a host by its IPv4 address; undefined: packets to it go as switches route them. */
export type SourceRoutes = (destination: number) => SourcePaths | undefined;
