import type { Bytes, PortNumber } from '../../common/units/units';

/** Why a packet did not leave the switch. */
export type DropReason =
  /** No program was loaded when it arrived. */
  | 'no-program'
  /** Ingress set the drop port. */
  | 'ingress-drop'
  /** Egress set the drop port. */
  | 'egress-drop'
  /** The queue of its egress port was at its limit. */
  | 'queue-full'
  /** The other end of its egress port has paused the queue for ever; see storm-watch.ts. */
  | 'pause-storm'
  /** Ingress set a multicast group that has no copies. */
  | 'empty-group'
  /** Its priority has no queue. */
  | 'unknown-priority'
  /** It went through the pipeline too often. */
  | 'pass-limit'
  /** It came from or was sent to a port that the switch does not have. */
  | 'unknown-port'
  /** It waited in a queue when another program was loaded. */
  | 'program-replaced';

export interface PortCounters {
  readonly rxPackets: number;
  readonly rxBytes: Bytes;
  /** Counted when transmission starts. */
  readonly txPackets: number;
  readonly txBytes: Bytes;
}

/** Cells of a row. */
const RX_PACKETS = 0;
const RX_BYTES = 1;
const TX_PACKETS = 2;
const TX_BYTES = 3;
const ROW_CELLS = 4;

/**
 * Counters of the ports of a switch, a row of numbers for each port that it has had. PERF: a packet counts
 * twice, and a count beyond 31 bits in a field of an object is an object of its own.
 */
export class PortRows {
  #cells = new Float64Array(0);
  /** Ports that have a row, in the order in which they came. */
  readonly #ports = new Set<PortNumber>();

  /** Gives a port its row, if it has none yet. */
  add(port: PortNumber): void {
    this.#ports.add(port);
    const needed = (port + 1) * ROW_CELLS;
    if (needed <= this.#cells.length) return;
    const cells = new Float64Array(Math.max(needed, 2 * this.#cells.length));
    cells.set(this.#cells);
    this.#cells = cells;
  }

  noteReceived(port: PortNumber, bytes: Bytes): void {
    const row = port * ROW_CELLS;
    (this.#cells[row + RX_PACKETS] as number) += 1;
    (this.#cells[row + RX_BYTES] as number) += bytes;
  }

  noteSent(port: PortNumber, bytes: Bytes): void {
    const row = port * ROW_CELLS;
    (this.#cells[row + TX_PACKETS] as number) += 1;
    (this.#cells[row + TX_BYTES] as number) += bytes;
  }

  /** The present figures by port. */
  figures(): ReadonlyMap<PortNumber, PortCounters> {
    return new Map(Array.from(this.#ports, (port) => [port, this.#figuresOf(port)]));
  }

  #figuresOf(port: PortNumber): PortCounters {
    const read = (cell: number): number => this.#cells[port * ROW_CELLS + cell] as number;
    return {
      rxPackets: read(RX_PACKETS),
      rxBytes: read(RX_BYTES),
      txPackets: read(TX_PACKETS),
      txBytes: read(TX_BYTES),
    };
  }
}

export interface SwitchCounters {
  readonly drops: Readonly<Record<DropReason, number>>;
  readonly ports: ReadonlyMap<PortNumber, PortCounters>;
}

export function noDrops(): Record<DropReason, number> {
  return {
    'no-program': 0,
    'ingress-drop': 0,
    'egress-drop': 0,
    'queue-full': 0,
    'pause-storm': 0,
    'empty-group': 0,
    'unknown-priority': 0,
    'pass-limit': 0,
    'unknown-port': 0,
    'program-replaced': 0,
  };
}
