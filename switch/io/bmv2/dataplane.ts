import * as grpc from '@grpc/grpc-js';
import { MessageReader } from '../../../common/protobuf/message-reader';
import { MessageWriter } from '../../../common/protobuf/message-writer';

/** A packet that enters or leaves a port of bmv2. */
export interface PortPacket {
  readonly port: number;
  readonly bytes: Uint8Array;
}

/** Field numbers of bmv2's PacketStreamRequest and PacketStreamResponse, which are alike. */
const FIELD = { id: 1, deviceId: 2, port: 3, packet: 4 } as const;
const METHOD = '/p4.bm.DataplaneInterface/PacketStream';

/**
 * bmv2's packet interface over gRPC (`--dp-grpc-server-addr`): packets without interfaces, and so
 * without root. bmv2 serves one such client.
 */
export class Bmv2Dataplane {
  readonly #client: grpc.Client;
  readonly #stream: grpc.ClientDuplexStream<PortPacket, PortPacket>;
  readonly #received: PortPacket[] = [];
  #wake: (() => void) | undefined;

  constructor(
    address: string,
    private readonly deviceId: number,
  ) {
    this.#client = new grpc.Client(address, grpc.credentials.createInsecure());
    this.#stream = this.#client.makeBidiStreamRequest(
      METHOD,
      (packet: PortPacket) => Buffer.from(this.#encode(packet)),
      decode,
    );
    this.#stream.on('data', (packet: PortPacket) => {
      this.#received.push(packet);
      this.#wake?.();
    });
    this.#stream.on('error', () => this.#wake?.());
  }

  send(packet: PortPacket): void {
    this.#stream.write(packet);
  }

  /** The next packet that leaves any port, or undefined after `milliseconds` without one. */
  async receive(milliseconds: number): Promise<PortPacket | undefined> {
    const ready = this.#received.shift();
    if (ready !== undefined) return ready;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
    return this.#received.shift();
  }

  close(): void {
    this.#stream.cancel();
    this.#client.close();
  }

  #encode({ port, bytes }: PortPacket): Uint8Array {
    const writer = new MessageWriter();
    writer.writeUint64(FIELD.deviceId, this.deviceId);
    writer.writeUint32(FIELD.port, port);
    writer.writeBytes(FIELD.packet, bytes);
    return writer.getResultBuffer();
  }
}

function decode(message: Buffer): PortPacket {
  const reader = new MessageReader(message);
  let port = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  while (reader.nextField()) {
    switch (reader.field) {
      case FIELD.port:
        port = reader.readUint32();
        break;
      case FIELD.packet:
        bytes = reader.readBytes();
        break;
      default:
        reader.skipField();
    }
  }
  return { port, bytes };
}
