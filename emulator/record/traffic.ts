import type { Packet } from '../../common/packet/packet';
import { readUint16 } from '../../common/wire/bytes';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import {
  congestionRecordLength,
  HPCC_ACK,
  HPCC_DATA,
  HPCC_PROBE,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
} from '../../common/wire/hpcc/hpcc-transport';
import type { HostFrames } from './host-frames';
import type { RoceFrameInfo } from './roce-frame';
import type { RunObserver } from './run-observer';
import { roceFrameInfo } from './roce-frame';

const FLAGS = 1;
const LENGTH = 4;

/** Packets and wire bytes. */
export interface Amount {
  packets: number;
  bytes: number;
}

/** Packets and bytes that hosts have sent, by purpose. */
export interface Traffic {
  readonly data: Amount;
  readonly probes: Amount;
  readonly acks: Amount;
  /**
   * Congestion feedback to senders: of acknowledgements only the records count; responses,
   * notifications and windows count as a whole.
   */
  readonly feedback: Amount;
}

/** Tells the frames of our hosts apart as they leave, before any switch has touched them. */
export class TrafficCounter implements RunObserver {
  readonly traffic: Traffic = {
    data: { packets: 0, bytes: 0 },
    probes: { packets: 0, bytes: 0 },
    acks: { packets: 0, bytes: 0 },
    feedback: { packets: 0, bytes: 0 },
  };
  /** Wire bytes of the largest acknowledgement. */
  ackBytesMax = 0;
  readonly #frames: HostFrames;

  constructor(frames: HostFrames) {
    this.#frames = frames;
  }

  frameSent(packet: Packet): void {
    const { length } = packet;
    const roce = roceFrameInfo(packet, this.#frames.carrier);
    if (roce !== undefined) {
      this.#countRoce(roce, length);
      return;
    }
    const { bytes } = withoutTag(packet);
    const transportAt = this.#frames.transportAt(bytes);
    const { data, probes, feedback } = this.traffic;
    switch ((bytes[transportAt] as number) & 0xf) {
      case HPCC_DATA:
        add(data, length);
        break;
      case HPCC_PROBE:
        add(probes, length);
        break;
      case HPCC_ACK:
        this.#countAck(bytes, transportAt, length);
        break;
      case HPCC_TELEMETRY:
      case HPCC_WINDOW:
        add(feedback, length);
    }
  }

  #countRoce({ purpose, recordBytes }: RoceFrameInfo, length: number): void {
    const { data, probes, acks, feedback } = this.traffic;
    switch (purpose) {
      case 'data':
        add(data, length);
        return;
      case 'probe':
        add(probes, length);
        return;
      case 'response':
        add(feedback, length);
        return;
      case 'acknowledgement':
        add(acks, length);
        this.ackBytesMax = Math.max(this.ackBytesMax, length);
        if (recordBytes > 0) add(feedback, recordBytes);
    }
  }

  #countAck(bytes: Uint8Array, at: number, length: number): void {
    add(this.traffic.acks, length);
    this.ackBytesMax = Math.max(this.ackBytesMax, length);
    const flags = bytes[at + FLAGS] as number;
    const body = readUint16(bytes, at + LENGTH);
    const record = congestionRecordLength({ type: HPCC_ACK, flags, length: body });
    if (record > 0) add(this.traffic.feedback, record);
  }
}

function add(amount: Amount, bytes: number): void {
  amount.packets++;
  amount.bytes += bytes;
}
