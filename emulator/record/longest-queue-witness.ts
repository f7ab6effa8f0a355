import type { CarrierHop } from '../../common/hop/hop';
import type { Packet } from '../../common/packet/packet';
import { decodeFrame } from '../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import { WireFault } from '../../common/wire/fault';
import { PS_PER_US } from '../../common/units/units';
import type { Instant } from '../../common/units/units';
import type { RunObserver } from './run-observer';

/** Hops of a data packet, as its receiver reads them from the packet's INT. */
export interface PacketStory {
  readonly source: string;
  readonly destination: string;
  /** When its last bit arrived. */
  readonly receivedUs: number;
  /** In path order; times are of each switch's own clock. */
  readonly hops: readonly CarrierHop[];
}

/** Remembers the received data packet that has seen the longest queue, the first of equal ones. */
export class LongestQueueWitness implements RunObserver {
  story: PacketStory | undefined;
  #queueBytes = -1;

  hostReceived(_host: unknown, { bytes, length }: Packet, now: Instant): void {
    const frame = decodeFrame(bytes, length, DEFAULT_DECODE_SETTINGS, 'int');
    if (frame instanceof WireFault || frame.ip === undefined) return;
    const [int] = frame.telemetry;
    // An acknowledgement brings back what a data packet saw.
    if (int === undefined || 'fault' in int || 'echoOfFlow' in int.details) return;
    const queueBytes = int.hops.reduce((most, hop) => Math.max(most, hop.queueBytes ?? 0), 0);
    if (int.hops.length === 0 || queueBytes <= this.#queueBytes) return;
    this.#queueBytes = queueBytes;
    const { source, destination } = frame.ip;
    this.story = { source, destination, receivedUs: now / PS_PER_US, hops: int.hops };
  }
}
