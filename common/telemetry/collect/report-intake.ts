import { WireFault } from '../../wire/fault';
import { ReportColumns } from './report-columns';
import type { CollectedReport, ReportCollector } from './report-collector';

/** A datagram besides its bytes. */
export interface Arrival {
  /** In ms since 1970; null where a capture does not say. */
  readonly time: number | null;
  /** Datagrams of its source that are missing right before it. */
  readonly lostBefore: number;
}

/** Takes what was read of a datagram: sums, lines, rows. */
export interface ReportOutput {
  /** True if it tells all that the decoder does: columns that do not hold it are then decoded. */
  readonly tellsAll: boolean;
  /** Bytes and columns are the intake's until it returns. */
  addColumns(bytes: Buffer, columns: ReportColumns, arrival: Arrival): void;
  addDecoded(found: CollectedReport, arrival: Arrival): void;
  addFault?(fault: WireFault): void;
  /** Forgets what nothing has been told of since a time, in ms. */
  forget?(before: number): void;
}

/** Reads datagrams of reports, in columns where they can be, and hands them to outputs. */
export class ReportIntake {
  readonly #collector: ReportCollector;
  readonly #outputs: readonly ReportOutput[];
  readonly #columns: ReportColumns;
  readonly #needsAll: boolean;
  readonly #source = { nodeId: 0, hardwareId: 0 };
  readonly #arrival: { time: number | null; lostBefore: number } = { time: null, lostBefore: 0 };

  constructor(collector: ReportCollector, outputs: readonly ReportOutput[]) {
    this.#collector = collector;
    this.#outputs = outputs;
    this.#columns = new ReportColumns(collector.settings.reportPort);
    this.#needsAll = outputs.some(({ tellsAll }) => tellsAll);
  }

  /** Takes the payload of a datagram that came at a time, in ms since 1970. */
  add(datagram: Buffer, time: number | null): void {
    const idleSince = this.#collector.clock.advance(time);
    if (idleSince !== undefined) this.#forget(idleSince);
    this.#arrival.time = time;
    const columns = this.#columns;
    if (columns.read(datagram) && (columns.isWhole || !this.#needsAll)) this.#addColumns(datagram);
    else this.#addDecoded(datagram);
  }

  #addColumns(datagram: Buffer): void {
    const columns = this.#columns;
    this.#source.nodeId = columns.nodeId;
    this.#source.hardwareId = columns.hardwareId;
    this.#arrival.lostBefore = this.#collector.count(this.#source, columns.sequence);
    for (const output of this.#outputs) output.addColumns(datagram, columns, this.#arrival);
  }

  #addDecoded(datagram: Buffer): void {
    const found = this.#collector.add(datagram);
    if (found instanceof WireFault) {
      for (const output of this.#outputs) output.addFault?.(found);
      return;
    }
    this.#arrival.lostBefore = found.lostBefore;
    for (const output of this.#outputs) output.addDecoded(found, this.#arrival);
  }

  #forget(before: number): void {
    this.#collector.gaps.forget(before);
    for (const output of this.#outputs) output.forget?.(before);
  }
}
