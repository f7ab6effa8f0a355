import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { LoggedEvent } from '../result/packet-story';
import { flowFrame } from './flow-frame';
import type { RunObserver } from './run-observer';

/** An event of a packet, to be compared. PERF: text is made only for the event that is reported. */
export interface PacketEvent {
  readonly at: Instant;
  readonly node: string;
  /** Port by which it leaves a node; -1: it is received. */
  readonly port: PortNumber;
  readonly length: Bytes;
  /** Array with a copy of its stored bytes, from `from` to `to`; later hops change the original. */
  readonly copies: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** PERF: many copies share one array, since making an array costs more than the copy. */
const COPIES_BYTES = 1 << 20;

const RECEIVES = -1;

/** Logs what leaves and reaches hosts and switches, with contents, until somebody takes it. */
export class EventLog implements RunObserver {
  #events: PacketEvent[] = [];
  #copies = new Uint8Array(COPIES_BYTES);
  #used = 0;

  /** Number of events that have not been taken yet. */
  get size(): number {
    return this.#events.length;
  }

  take(): readonly PacketEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  hostSent({ name }: HostNode, packet: Packet, start: Instant, port: PortNumber): void {
    this.#note(start, name, port, packet);
  }

  switchReceived({ name }: SwitchNode, packet: Packet, now: Instant): void {
    this.#note(now, name, RECEIVES, packet);
  }

  switchTransmitted({ name }: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    this.#note(start, name, port, packet);
  }

  hostReceived({ name }: HostNode, packet: Packet, now: Instant): void {
    this.#note(now, name, RECEIVES, packet);
  }

  hostHandled(): void {
    // The effects of the packet show in what the host sends.
  }

  #note(at: Instant, node: string, port: number, { bytes, length }: Packet): void {
    if (this.#used + bytes.length > this.#copies.length) {
      this.#copies = new Uint8Array(Math.max(COPIES_BYTES, bytes.length));
      this.#used = 0;
    }
    const [copies, from] = [this.#copies, this.#used];
    copies.set(bytes, from);
    this.#used += bytes.length;
    this.#events.push({ at, node, port, length, copies, from, to: this.#used });
  }
}

/** True if the events are equal in time, place and bytes. */
export function isSameEvent(a: PacketEvent, b: PacketEvent): boolean {
  if (a.at !== b.at || a.port !== b.port || a.length !== b.length || a.node !== b.node)
    return false;
  if (a.to - a.from !== b.to - b.from) return false;
  for (let i = a.from, j = b.from; i < a.to; i++, j++) {
    if (a.copies[i] !== b.copies[j]) return false;
  }
  return true;
}

/** The event in words. */
export function toldEvent(event: PacketEvent): LoggedEvent {
  const { at, node, port, length } = event;
  const bytes = event.copies.subarray(event.from, event.to);
  const frame = flowFrame({ bytes, length });
  const about =
    frame === undefined
      ? `${length} bytes`
      : `${frame.purpose} of flow id ${frame.flow}, sequence ${frame.sequence}, ${length} bytes`;
  return {
    atUs: at / PS_PER_US,
    what: `${node} ${verbOf(port)} ${about}`,
    digest: digestOf(bytes),
  };
}

const verbOf = (port: number): string => (port === RECEIVES ? 'receives' : `sends at port ${port}`);

/** FNV-1a. */
function digestOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
