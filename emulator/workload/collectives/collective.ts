/** Operations of several ranks, by the names that MPI and NCCL have for them. */
export const OPERATIONS = [
  'all-reduce',
  'all-gather',
  'reduce-scatter',
  'all-to-all',
  'broadcast',
  'reduce',
  'gather',
  'scatter',
  'barrier',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** One collective; its ranks are counted from 0 in the order of their group. */
export interface Collective {
  readonly operation: Operation;
  readonly ranks: number;
  /** Length of the larger of the input and output of a rank, as nccl-tests count. */
  readonly bytes: number;
  readonly root: number;
  /** Host of each rank: those of one host reach each other without the network. */
  readonly hosts: readonly string[];
}

/** Takes the messages of a collective, one by one. */
export interface Messages {
  /**
   * Adds a message, which waits until the messages `after` have arrived: ones that `from` gets or sends.
   * @returns its number
   */
  send(from: number, to: number, bytes: number, after?: readonly number[]): number;
}

/** The messages by which an operation is done. */
export type Algorithm = (collective: Collective, messages: Messages) => void;

/** First byte of a part, where `bytes` are cut into `parts` that differ by a byte at most. */
export const partStart = (bytes: number, parts: number, part: number): number =>
  Math.floor((bytes * part) / parts);

/** Length of that part. */
export const partBytes = (bytes: number, parts: number, part: number): number =>
  partStart(bytes, parts, part + 1) - partStart(bytes, parts, part);

/**
 * The share of its bandwidth that each rank's link carries, by which nccl-tests multiply bytes over time: the
 * bandwidth of the bus.
 */
export function busFactor(operation: Operation, ranks: number): number {
  switch (operation) {
    case 'all-reduce':
      return (2 * (ranks - 1)) / ranks;
    case 'all-gather':
    case 'reduce-scatter':
    case 'all-to-all':
    case 'gather':
    case 'scatter':
      return (ranks - 1) / ranks;
    case 'broadcast':
    case 'reduce':
    case 'barrier':
      return 1;
  }
}
