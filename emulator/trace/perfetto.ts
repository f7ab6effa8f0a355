import type { Instant } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { MessageWriter } from '../../common/protobuf/message-writer';

/**
 * Traces in the protobuf format of Perfetto (protos/perfetto/trace/trace.proto): a sequence of packets, of
 * which each is written when it is known, in any order of time.
 */

/** Field numbers of the messages that are written. */
const TRACE = { packet: 1 } as const;
const PACKET = {
  timestamp: 8,
  sequence: 10,
  event: 11,
  sequenceFlags: 13,
  track: 60,
  isFirst: 87,
} as const;
const TRACK = { uuid: 1, name: 2, process: 3, parent: 5, counter: 8 } as const;
const PROCESS = { pid: 1, name: 6 } as const;
const COUNTER = { unitName: 6 } as const;
const EVENT = {
  annotation: 4,
  type: 9,
  track: 11,
  name: 23,
  value: 44,
  flows: 47,
  lastOfFlows: 48,
} as const;
const ANNOTATION = { double: 5, name: 10 } as const;

const SLICE_BEGIN = 1;
const SLICE_END = 2;
const INSTANT = 3;
const COUNTER_VALUE = 4;
const STATE_CLEARED = 1;
/** All packets are of one writer. */
const SEQUENCE = 1;

/** Something that has a beginning and an end, on a track where nothing else overlaps it. */
export interface Slice {
  readonly track: number;
  readonly name: string;
  readonly start: Instant;
  readonly end: Instant;
  /** Slices with the same number are joined by arrows. */
  readonly arrow?: number | undefined;
  readonly annotations?: Readonly<Record<string, number>>;
}

/** Writes a trace, packet by packet, to wherever it goes. */
export class PerfettoWriter {
  readonly #write: (bytes: Uint8Array) => void;
  #tracks = 0;
  #isFirst = true;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** A group of tracks, such as a node. @returns its number. */
  group(name: string): number {
    const uuid = ++this.#tracks;
    this.#track(uuid, (track) => {
      const described = track.begin(TRACK.process);
      track.writeInt32(PROCESS.pid, uuid);
      track.writeString(PROCESS.name, name);
      track.end(described);
    });
    return uuid;
  }

  /** A track of slices. Those of one group with one name are shown as one. */
  track(group: number, name: string): number {
    const uuid = ++this.#tracks;
    this.#track(uuid, (track) => {
      track.writeUint64(TRACK.parent, group);
      track.writeString(TRACK.name, name);
    });
    return uuid;
  }

  counter(group: number, name: string, unit: string): number {
    const uuid = ++this.#tracks;
    this.#track(uuid, (track) => {
      track.writeUint64(TRACK.parent, group);
      track.writeString(TRACK.name, name);
      const described = track.begin(TRACK.counter);
      track.writeString(COUNTER.unitName, unit);
      track.end(described);
    });
    return uuid;
  }

  slice({ track, name, start, end, arrow, annotations }: Slice): void {
    this.#event(start, SLICE_BEGIN, track, (event) => {
      event.writeString(EVENT.name, name);
      if (arrow !== undefined) event.writeFixed64(EVENT.flows, arrow);
      for (const [key, value] of Object.entries(annotations ?? {})) {
        const annotation = event.begin(EVENT.annotation);
        event.writeDouble(ANNOTATION.double, value);
        event.writeString(ANNOTATION.name, key);
        event.end(annotation);
      }
    });
    this.#event(end, SLICE_END, track, () => undefined);
  }

  /** @param arrow whose end this is. */
  instant(at: Instant, track: number, name: string, arrow?: number): void {
    this.#event(at, INSTANT, track, (event) => {
      event.writeString(EVENT.name, name);
      if (arrow !== undefined) event.writeFixed64(EVENT.lastOfFlows, arrow);
    });
  }

  count(at: Instant, counter: number, value: number): void {
    this.#event(at, COUNTER_VALUE, counter, (event) => event.writeDouble(EVENT.value, value));
  }

  #track(uuid: number, describe: (track: MessageWriter) => void): void {
    this.#packet((packet) => {
      const track = packet.begin(PACKET.track);
      packet.writeUint64(TRACK.uuid, uuid);
      describe(packet);
      packet.end(track);
    });
  }

  #event(at: Instant, type: number, track: number, describe: (event: MessageWriter) => void): void {
    this.#packet((packet) => {
      packet.writeUint64(PACKET.timestamp, Math.floor(at / PS_PER_NS));
      const event = packet.begin(PACKET.event);
      packet.writeEnum(EVENT.type, type);
      packet.writeUint64(EVENT.track, track);
      describe(packet);
      packet.end(event);
    });
  }

  #packet(describe: (packet: MessageWriter) => void): void {
    const trace = new MessageWriter();
    const packet = trace.begin(TRACE.packet);
    trace.writeUint32(PACKET.sequence, SEQUENCE);
    if (this.#isFirst) {
      trace.writeUint32(PACKET.sequenceFlags, STATE_CLEARED);
      trace.writeBool(PACKET.isFirst, true);
    }
    describe(trace);
    trace.end(packet);
    this.#isFirst = false;
    this.#write(trace.getResultBuffer());
  }
}
