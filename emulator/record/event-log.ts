import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import { PS_PER_US } from '../../common/units/units';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { LoggedEvent } from '../result/packet-story';
import { flowFrame } from './flow-frame';
import type { PacketWatcher } from './packet-watcher';

/** What happened since somebody last asked: what leaves and reaches hosts and switches, with contents. */
export class EventLog implements PacketWatcher {
  #events: LoggedEvent[] = [];
  readonly isDone = false;

  /** Events that nobody has taken yet. */
  get size(): number {
    return this.#events.length;
  }

  take(): readonly LoggedEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  hostSent({ name }: HostNode, packet: Packet, start: Instant): void {
    this.#note(start, `${name} sends`, packet);
  }

  switchReceived({ name }: SwitchNode, packet: Packet, now: Instant): void {
    this.#note(now, `${name} receives`, packet);
  }

  switchTransmitted({ name }: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    this.#note(start, `${name} sends at port ${port}`, packet);
  }

  hostReceived({ name }: HostNode, packet: Packet, now: Instant): void {
    this.#note(now, `${name} receives`, packet);
  }

  hostHandled(): void {
    // What the host did with it shows in what it sends.
  }

  #note(now: Instant, what: string, packet: Packet): void {
    const frame = flowFrame(packet);
    const about =
      frame === undefined
        ? `${packet.length} bytes`
        : `${frame.purpose} of flow id ${frame.flow}, sequence ${frame.sequence}, ${packet.length} bytes`;
    const digest = digestOf(packet.bytes);
    this.#events.push({ atUs: now / PS_PER_US, what: `${what} ${about}`, digest });
  }
}

/** FNV-1a. */
function digestOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
