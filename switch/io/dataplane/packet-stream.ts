import type { ServerDuplexStream } from '@grpc/grpc-js';
import { RpcError } from '../../../common/p4runtime/codes';
import * as bm from '../../../common/p4runtime/generated/p4/bm/dataplane_interface';
import { serviceError } from '../../server/errors/status';
import type { Packet } from '../../../common/packet/packet';
import type { PortNumber } from '../../../common/units/units';
import type { LivePortCounters } from '../live/data-port';
import type { LiveSwitch, PacketExchange } from '../live/live-switch';

/** A client that leaves more packets unread loses packets. */
const UNREAD_MAX = 65_536;
/** Interval at which a stream that is to end looks whether packets still wait. */
const LOOK_MS = 2;

export type PacketCall = ServerDuplexStream<bm.PacketStreamRequest, bm.PacketStreamResponse>;

/** The packets of all ports, between the switch and one client. */
export class PacketStream implements PacketExchange {
  readonly #live: LiveSwitch;
  /** As it stands in messages. */
  readonly #deviceId: string;
  readonly #numbers = new PacketNumbers();
  #call: PacketCall | undefined;
  #received = 0;
  #sent = 0;
  #sendFailed = 0;

  constructor(live: LiveSwitch, deviceId: number) {
    this.#live = live;
    this.#deviceId = String(deviceId);
  }

  /** Serves a client; as on bmv2, a second one is refused. */
  serve(call: PacketCall): void {
    if (this.#call !== undefined) {
      const reason = 'another client has the stream of packets, which serves one at a time';
      call.emit('error', serviceError(new RpcError('RESOURCE_EXHAUSTED', reason)));
      return;
    }
    this.#call = call;
    call.on('data', (request: bm.PacketStreamRequest) => this.#receive(request));
    call.on('end', () => this.#endWhenQuiet(call));
    for (const event of ['cancelled', 'error', 'close']) call.on(event, () => this.#forget(call));
  }

  send(port: PortNumber, { bytes, id }: Packet): boolean {
    const call = this.#call;
    if (call === undefined) return false;
    if (call.writableLength >= UNREAD_MAX) {
      this.#sendFailed += 1;
      return true;
    }
    const response = { deviceId: this.#deviceId, id: this.#numbers.idOf(id), port };
    call.write(new bm.PacketStreamResponse({ ...response, packet: bytes.slice() }));
    this.#sent += 1;
    return true;
  }

  counters(): LivePortCounters {
    const [received, sent, sendFailed] = [this.#received, this.#sent, this.#sendFailed];
    return { received, sent, sendFailed, overflowed: 0, oversized: 0 };
  }

  #receive({ id, deviceId, port, packet: bytes }: bm.PacketStreamRequest): void {
    if (deviceId !== this.#deviceId || bytes.length === 0) return;
    this.#received += 1;
    const number = this.#numbers.numberOf(id);
    const packet = { bytes, length: bytes.length, ...(number !== undefined && { id: number }) };
    this.#live.receive(port, packet);
  }

  /** The client has sent its last packet; what waits in queues is still for it. */
  #endWhenQuiet(call: PacketCall): void {
    if (this.#call !== call) return;
    if (this.#live.holdsPackets) {
      setTimeout(() => this.#endWhenQuiet(call), LOOK_MS);
      return;
    }
    call.end();
    this.#forget(call);
  }

  #forget(call: PacketCall): void {
    if (this.#call === call) this.#call = undefined;
  }
}

/** A packet that has not left by then has been dropped. */
const REMEMBERED = 65_536;

/** The ids of requests, which have 64 bits, as the small numbers that packets carry. */
export class PacketNumbers {
  readonly #ids = new Map<number, string>();
  #last = 0;

  /** The number of a packet with this id; undefined for "0", which stands for none. */
  numberOf(id: string): number | undefined {
    if (id === '0') return undefined;
    this.#last += 1;
    this.#ids.set(this.#last, id);
    this.#ids.delete(this.#last - REMEMBERED);
    return this.#last;
  }

  /** The id that a packet came with, or "0". */
  idOf(number: number | undefined): string {
    return (number === undefined ? undefined : this.#ids.get(number)) ?? '0';
  }
}
