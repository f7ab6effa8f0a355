import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import { LINK_ETHERNET } from '../../common/wire/capture/link-type';
import { pcapHeader, pcapRecord } from '../../common/wire/capture/pcap-writer';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import type { RunObserver } from './run-observer';

const PS_PER_NS = 1000;
const NS_PER_SECOND = 1_000_000_000;

/** A port to watch, and where its capture goes, a piece at a time. */
export interface CapturedPort {
  readonly node: string;
  /** Undefined: all of them. */
  readonly port?: PortNumber | undefined;
  readonly write: (bytes: Uint8Array) => void;
}

/**
 * Writes the frames that ports send and receive as pcap, in the order of the run: frames sent have the time
 * at which they begin, frames received that of their arrival, both in ns of virtual time.
 */
export class PortCapture implements RunObserver {
  readonly #ports = new Map<string, CapturedPort[]>();

  constructor(ports: readonly CapturedPort[]) {
    for (const port of ports) {
      const known = this.#ports.get(port.node);
      if (known === undefined) this.#ports.set(port.node, [port]);
      else known.push(port);
      port.write(pcapHeader(LINK_ETHERNET));
    }
  }

  hostSent(host: HostNode, packet: Packet, start: Instant, port: PortNumber): void {
    this.#note(host.name, port, packet, start);
  }

  hostReceived(host: HostNode, packet: Packet, now: Instant, port: PortNumber): void {
    this.#note(host.name, port, packet, now);
  }

  switchReceived(node: SwitchNode, packet: Packet, now: Instant, port: PortNumber): void {
    this.#note(node.name, port, packet, now);
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    this.#note(node.name, port, packet, start);
  }

  #note(node: string, port: PortNumber, packet: Packet, at: Instant): void {
    for (const captured of this.#ports.get(node) ?? []) {
      if ((captured.port ?? port) === port) captured.write(record(packet, at));
    }
  }
}

/** Virtual zeros become real ones, so that lengths and checksums are those of a wire. */
function record({ bytes, length, tail }: Packet, at: Instant): Uint8Array {
  const frame = new Uint8Array(length);
  frame.set(bytes);
  if (tail !== undefined) frame.set(tail, length - tail.length);
  const ns = Math.floor(at / PS_PER_NS);
  const time = { seconds: Math.floor(ns / NS_PER_SECOND), nanoseconds: ns % NS_PER_SECOND };
  return pcapRecord(time, frame);
}
