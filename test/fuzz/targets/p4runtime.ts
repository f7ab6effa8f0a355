import type { ServerDuplexStream } from '@grpc/grpc-js';
import { EventEmitter } from 'node:events';
import { RpcError } from '../../../common/p4runtime/codes';
import { RPC_CODE } from '../../../common/p4runtime/rpc-code';
import { electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { applyWrite, planRead } from '../../../switch/server/batches';
import { Device } from '../../../switch/server/device';
import { BatchError, Outcomes } from '../../../switch/server/errors/outcomes';
import { serviceError } from '../../../switch/server/errors/status';
import { Limits } from '../../../switch/server/limits/limits';
import { ENTITIES, readBatch, UPDATES, writeBatch } from '../../../switch/server/requests';
import { parted } from '../../../switch/server/turns/repeated-field';
import { serveStream } from '../../../switch/server/stream-channel';
import { withoutPauses } from '../../../switch/server/turns/lazily';
import { finish } from '../../support/finish';
import * as ext from '../../support/p4runtime/externs-updates';
import { EXTERNS_PROGRAM } from '../../support/p4runtime/externs-program';
import { readEverything } from '../../support/p4runtime/full-state';
import { ManualClock } from '../../support/p4runtime/manual-clock';
import { bytes, insert, modify, remove } from '../../support/p4runtime/sample-updates';
import { ServedV1Model } from '../../support/p4runtime/served-v1model';
import { readOrRefused, holds } from '../target';
import type { FuzzTarget } from '../target';

const DEVICE = { deviceId: '1', electionId: electionIdMessage(1n) };
const STREAM: readonly p4.StreamMessageRequest[] = [
  new p4.StreamMessageRequest({ arbitration: new p4.MasterArbitrationUpdate(DEVICE) }),
  new p4.StreamMessageRequest({
    packet: new p4.PacketOut({
      payload: bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
      metadata: [new p4.PacketMetadata({ metadataId: 1, value: bytes(1) })],
    }),
  }),
  new p4.StreamMessageRequest({ digestAck: new p4.DigestListAck({ digestId: 1, listId: '1' }) }),
];

const MESSAGE = ext.externsConfig();
const CONFIG = { message: MESSAGE, info: new P4InfoIndex(MESSAGE.p4info) };

/** Kinds of requests, chosen by the first byte; the others are the message. */
const KINDS = ['write', 'read', 'stream'] as const;

/** One byte says which request, the others are its message. */
export const target: FuzzTarget = {
  about: 'P4Runtime Write, Read and StreamMessageRequest, as bytes to a switch with a program',
  bytesMax: 400,
  inSuite: 3_000,
  seeds: () => [
    ...[insert, modify, remove].flatMap((update) =>
      ext.EXTERN_ENTITIES.map((entity) => {
        const request = new p4.WriteRequest({ ...DEVICE, updates: [update(entity)] });
        return Buffer.concat([bytes(0), request.serialize()]);
      }),
    ),
    ...[
      readEverything(1n),
      new p4.ReadRequest({ deviceId: '1', entities: [...ext.EXTERN_ENTITIES] }),
    ].map((request) => Buffer.concat([bytes(1), request.serialize()])),
    ...STREAM.map((message) => Buffer.concat([bytes(2), message.serialize()])),
  ],
  start: () => {
    let served = new Served();
    return (input) => {
      const kind = KINDS[(input[0] ?? 0) % KINDS.length] ?? 'write';
      const hasChanged = served[kind](input.slice(1));
      if (hasChanged) served = new Served();
    };
  },
};

/** The answer of a request; a fault of the server is a breach, refusals are none. */
function answerOf(ask: () => unknown): { readonly hasChanged: boolean } {
  try {
    ask();
    return { hasChanged: true };
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof BatchError)) throw error;
    const { first, refused, total } =
      error instanceof BatchError ? error.outcomes : Outcomes.of([error]);
    const fault = first.find((each) => each?.codeName === 'INTERNAL');
    holds(fault === undefined, () => `the server failed: ${fault?.stack ?? ''}`);
    serviceError(error);
    return { hasChanged: refused < total };
  }
}

/** A message that is read, written and read again is the same. */
function sameAgain(
  type: { deserialize(bytes: Uint8Array): { serialize(): Uint8Array } },
  message: Uint8Array,
): void {
  const once = readOrRefused(() => type.deserialize(message).serialize(), Error);
  if (once === undefined) return;
  const twice = type.deserialize(once).serialize();
  holds(Buffer.compare(once, twice) === 0, () => 'read and written, it is another message');
}

/** A device with a primary and some of each entity. Its requests answer whether they changed it. */
class Served {
  readonly #devices: ReadonlyMap<bigint, Device>;

  constructor() {
    const control = new ServedV1Model();
    const clock = new ManualClock();
    const device = new Device({ id: 1n, control, compatible: 'specification', clock });
    const bid = { electionId: 1n, config: undefined };
    device.roles.bid(
      { hasRoomForPacketIn: true, send: () => undefined, end: () => undefined },
      '',
      bid,
    );
    control.loadProgram(EXTERNS_PROGRAM);
    device.started(CONFIG);
    this.#devices = new Map([[1n, device]]);
    const updates = ext.EXTERN_ENTITIES.map((entity) =>
      (isPresent(entity) ? modify : insert)(entity),
    );
    const request = new p4.WriteRequest({ ...DEVICE, updates });
    finish(applyWrite(this.#devices, writeBatch(parted(request.serialize(), UPDATES))));
  }

  write(message: Uint8Array): boolean {
    sameAgain(p4.WriteRequest, message);
    const batch = readOrRefused(() => writeBatch(parted(message, UPDATES)), Error);
    if (batch === undefined) return false;
    return answerOf(() => finish(applyWrite(this.#devices, batch))).hasChanged;
  }

  read(message: Uint8Array): boolean {
    sameAgain(p4.ReadRequest, message);
    const batch = readOrRefused(() => readBatch(parted(message, ENTITIES)), Error);
    if (batch === undefined) return false;
    answerOf(() => {
      const answer = finish(planRead(this.#devices, batch));
      for (const part of withoutPauses(answer.parts())) part.serialize();
    });
    return false;
  }

  stream(message: Uint8Array): boolean {
    sameAgain(p4.StreamMessageRequest, message);
    const request = readOrRefused(() => p4.StreamMessageRequest.deserialize(message), Error);
    if (request === undefined) return false;
    const channel = new Channel();
    const refusals = { answered: true, log: (): void => undefined };
    serveStream(this.#devices, channel as unknown as Stream, { limits: LIMITS, refusals });
    for (const each of [request, ...STREAM]) channel.emit('data', each);
    channel.emit('end');
    return true;
  }
}

type Stream = ServerDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse>;

/** The connection of a controller, which reads all that it is sent. */
class Channel extends EventEmitter {
  write(response: p4.StreamMessageResponse): true {
    const { error } = response;
    holds(
      !response.hasError || error.canonicalCode !== RPC_CODE.INTERNAL,
      () => `the server failed: ${error.message}`,
    );
    response.serialize();
    return true;
  }

  end(): void {
    this.removeAllListeners();
  }
}

const LIMITS = new Limits();

/** Cells of arrays and value sets are always there. */
const isPresent = ({ entity }: p4.Entity): boolean =>
  /^(counter|meter|register|valueSet)/.test(entity.replaceAll('_', ''));
