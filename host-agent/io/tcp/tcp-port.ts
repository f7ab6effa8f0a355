import type { FrameHandler } from '../../../common/io/net/packet-ring';
import { PacketSocket } from '../../../common/io/net/packet-socket';
import { filterBytes, segmentFilter, telemetryFilter } from '../../tcp/classic-filter';

/** Frames that are handled before others get their turn. */
const BATCH = 256;

/** Counters of the sockets of a host since they were opened. */
export interface TcpPortCounters {
  /** Probes and responses that arrived. */
  readonly telemetryReceived: number;
  /** TCP segments whose headers were looked at. */
  readonly segmentsObserved: number;
  readonly sent: number;
  readonly sendFailed: number;
  /** Arrived faster than they were fetched. */
  readonly overflowed: number;
}

/**
 * Two packet sockets: one for probes and responses, whose arrival wakes whoever waits, and one for
 * the headers of arriving TCP segments, which are looked at now and then.
 */
export class TcpPort {
  readonly #telemetry: PacketSocket;
  readonly #segments: PacketSocket;
  #telemetryReceived = 0;
  #segmentsObserved = 0;
  #overflowed = 0;

  /** @throws InputError when there is no such interface, or the rights to open it are missing. */
  constructor(device: string, address: number) {
    const telemetry = filterBytes(telemetryFilter(address));
    const segments = filterBytes(segmentFilter(address));
    this.#telemetry = PacketSocket.open(device, { filter: telemetry });
    try {
      this.#segments = PacketSocket.open(device, { filter: segments, takesCutFrames: true });
    } catch (error) {
      this.#telemetry.close();
      throw error;
    }
  }

  /** Becomes readable when telemetry has arrived. */
  get telemetryFd(): number {
    return this.#telemetry.fd;
  }

  /** Becomes readable when any TCP segment has arrived. */
  get segmentsFd(): number {
    return this.#segments.fd;
  }

  drainTelemetry(handle: FrameHandler): number {
    const count = this.#telemetry.ring.drain(BATCH, handle);
    this.#telemetryReceived += count;
    return count;
  }

  drainSegments(handle: FrameHandler): number {
    const count = this.#segments.ring.drain(BATCH, handle);
    this.#segmentsObserved += count;
    return count;
  }

  send(frame: Uint8Array): void {
    this.#telemetry.sending.add(frame);
  }

  flush(): void {
    if (!this.#telemetry.sending.isEmpty) this.#telemetry.sending.flush();
  }

  /** Called after a wake-up without telemetry, which an error at a socket would repeat for ever. */
  forgetErrors(): void {
    this.#telemetry.forgetError();
    this.#segments.forgetError();
  }

  counters(): TcpPortCounters {
    this.#overflowed += this.#telemetry.statistics().overflowed;
    this.#overflowed += this.#segments.statistics().overflowed;
    return {
      telemetryReceived: this.#telemetryReceived,
      segmentsObserved: this.#segmentsObserved,
      sent: this.#telemetry.sending.sent,
      sendFailed: this.#telemetry.sending.failed,
      overflowed: this.#overflowed,
    };
  }

  close(): void {
    this.flush();
    this.#telemetry.close();
    this.#segments.close();
  }
}
