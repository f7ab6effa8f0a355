import type { EventEmitter } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { sendUnaryData, UntypedHandleCall, UntypedServiceImplementation } from '@grpc/grpc-js';
import { assert } from '../../../common/assert';
import { stayBehindPackets } from '../../../common/io/loop/thread-priority';
import { countConnectionsIn } from '../../../common/io/net/descriptors';
import { libc } from '../../../common/io/net/libc';
import { NetworkNamespace } from '../../../common/io/net/network-namespace';
import { Limits } from '../limits/limits';
import type { LimitName } from '../limits/limits';
import { listenOverTcp } from '../listener';
import type { LeavableDoor, ServedMethod } from '../listener';
import { StateVersion } from '../state/state-version';
import { parted } from '../turns/repeated-field';
import { KeptAnswers } from './kept-answers';
import { ownBytes } from './messages';
import type { CarriedMethod, DoorOrder, DoorThreadData, FromDoors, ToDoors } from './messages';
import { OpenCall } from './open-call';
import type { BytesCall } from './open-call';
import { Window } from './window';
import type { Held } from './window';

/** A call whose client has left shows it by one or more of these. */
const ENDS = ['cancelled', 'close', 'error'] as const;
/** Time for which limits that were met are gathered, in ms. */
const GATHER_MS = 20;

/** The thread of its own that has connections, TLS and HTTP/2 of the doors, and none of their switches. */
class DoorThread {
  readonly #doors = new Map<
    number,
    { readonly listening: LeavableDoor; readonly limits: ToldLimits; readonly restMs: number }
  >();
  readonly #calls = new Map<number, { readonly open: OpenCall; readonly kept?: KeptAnswers }>();
  readonly #window: Window;
  /** Doors open one after the other, as each may belong to another network. */
  #opening: Promise<void> = Promise.resolve();
  #openingCount = 0;
  /** Runs since a last connection has ended, or a door has been opened. */
  #resting: NodeJS.Timeout | undefined;
  #hasLeft = false;
  #lastCall = 0;
  /** Answers taken that were not told yet, by call. */
  readonly #taken = new Map<number, number>();

  constructor(
    private readonly port: MessagePort,
    handled: Int32Array,
  ) {
    this.#window = new Window(handled);
  }

  receive(message: ToDoors): void {
    // Whoever has sent it gets the doors back, and begins again.
    if (this.#hasLeft && message.kind !== 'no-more') return;
    switch (message.kind) {
      case 'open':
        this.#openingCount++;
        this.#opening = this.#opening
          .then(() => this.#open(message.order))
          .finally(() => this.#openingCount--);
        break;
      case 'close':
        void this.#close(message.door);
        break;
      case 'answer': {
        const { call } = message;
        const taken = (): void => this.#tellTaken(call);
        const answered = this.#calls.get(call);
        answered?.kept?.note(call, message.bytes);
        answered?.open.write(message.bytes, taken);
        break;
      }
      case 'end':
        this.#end(message);
        break;
      case 'no-more':
        // Ends the thread, which keeps what it has compiled for the next one.
        process.exit();
    }
  }

  async #open({
    door,
    methods,
    address,
    name,
    tls,
    namespace,
    sockets,
    restMs,
    ...order
  }: DoorOrder): Promise<void> {
    const limits = new ToldLimits(order.limits, (limit, count) =>
      this.#post({ kind: 'met', door, limit, count }),
    );
    const { version } = order;
    const kept = version && new KeptAnswers(new StateVersion(version), limits);
    try {
      if (namespace !== undefined && sockets === undefined) NetworkNamespace.moveThread(namespace);
      const listening = await listenOverTcp({
        definition: Object.fromEntries(methods.map((each) => [each.name, ofBytes(each, limits)])),
        calls: this.#handlers(door, methods, kept),
        address,
        limits,
        left: () => this.#restLater(),
        ...(name !== undefined && { name }),
        ...(tls !== undefined && { tls }),
        ...(sockets !== undefined && { sockets }),
      });
      this.#doors.set(door, { listening, limits, restMs });
      this.#restLater();
      this.#post({ kind: 'opened', door, port: listening.port });
    } catch (error) {
      this.#post({ kind: 'refused', door, reason: (error as Error).message });
    }
  }

  #restLater(): void {
    clearTimeout(this.#resting);
    const restMs = Math.max(...[...this.#doors.values()].map((door) => door.restMs));
    this.#resting = setTimeout(() => this.#rest(), restMs);
  }

  /** Leaves all doors unless somebody is connected, whose end comes here again. */
  #rest(): void {
    const doors = [...this.#doors];
    if (doors.length === 0 || doors.some(([, { listening }]) => listening.isNeeded())) return;
    // What has not been told yet would be lost.
    if (this.#openingCount > 0 || this.#calls.size > 0 || !this.#window.isEmpty) {
      this.#restLater();
      return;
    }
    const sockets = new Map<number, readonly number[]>();
    try {
      for (const [door, { listening }] of doors) sockets.set(door, listening.sockets());
    } catch {
      // There are no descriptors left; there may be some later.
      for (const fd of [...sockets.values()].flat()) libc().close(fd);
      this.#restLater();
      return;
    }
    this.#hasLeft = true;
    for (const [, { listening, limits }] of doors) {
      limits.tell();
      void listening.stop();
    }
    this.#post({ kind: 'left', sockets });
  }

  #end({ call: number, bytes, status, version }: ToDoors & { kind: 'end' }): void {
    const call = this.#calls.get(number);
    this.#calls.delete(number);
    call?.kept?.ended(number, version);
    call?.open.end(bytes, status);
  }

  async #close(door: number): Promise<void> {
    const open = this.#doors.get(door);
    this.#doors.delete(door);
    await open?.listening.stop();
    open?.limits.tell();
    this.#post({ kind: 'closed', door });
  }

  #handlers(
    door: number,
    methods: readonly CarriedMethod[],
    keeper: KeptAnswers | undefined,
  ): UntypedServiceImplementation {
    const handler = ({ name, requestStream, isKept }: CarriedMethod): UntypedHandleCall => {
      const kept = isKept ? keeper : undefined;
      return (call: BytesCall, answer?: sendUnaryData<Uint8Array>) => {
        const number = ++this.#lastCall;
        const open = new OpenCall(call, answer);
        const { whole, head } = requestOf(call);
        const emitter: EventEmitter = call;
        if (whole !== undefined && kept?.answers(open, number, name, whole) === true) {
          for (const event of ENDS) emitter.on(event, () => open.gone());
          return;
        }
        this.#calls.set(number, { open, ...(kept && { kept }) });
        const begin = this.#held(
          { kind: 'call', door, call: number, method: name, request: whole, head },
          whole,
        );
        this.#window.send(begin);
        if (requestStream) this.#streamRequests(number, call);
        let isGone = false;
        const gone = (): void => {
          if (isGone) return;
          isGone = true;
          kept?.ended(number);
          if (!this.#calls.delete(number) || this.#window.takeBack(begin)) return;
          this.#window.send(this.#held({ kind: 'cancelled', call: number }));
        };
        for (const event of ENDS) emitter.on(event, gone);
      };
    };
    return Object.fromEntries(methods.map((method) => [method.name, handler(method)]));
  }

  /** A client gets no further than the window lets it. */
  #streamRequests(number: number, call: BytesCall): void {
    if (!('resume' in call)) return;
    call.on('data', (message: Uint8Array) => {
      const bytes = ownBytes(message);
      const request = this.#held({ kind: 'request', call: number, bytes }, bytes, () =>
        call.resume(),
      );
      if (!this.#window.send(request)) call.pause();
    });
    call.on('end', () => this.#window.send(this.#held({ kind: 'half-closed', call: number })));
  }

  #held(message: FromDoors, bytes?: Uint8Array, sent?: () => void): Held {
    const transferred = bytes === undefined ? [] : [bytes.buffer as ArrayBuffer];
    return {
      bytes: bytes?.length ?? 0,
      send: () => {
        this.port.postMessage(message, transferred);
        sent?.();
      },
    };
  }

  #tellTaken(call: number): void {
    if (!this.#calls.has(call)) return;
    if (this.#taken.size === 0) setImmediate(() => this.#tellAllTaken());
    this.#taken.set(call, (this.#taken.get(call) ?? 0) + 1);
  }

  #tellAllTaken(): void {
    for (const [call, count] of this.#taken) this.#post({ kind: 'taken', call, count });
    this.#taken.clear();
  }

  #post(message: FromDoors): void {
    this.port.postMessage(message);
  }
}

/** A method whose messages stay bytes. */
function ofBytes(method: CarriedMethod, limits: Limits): ServedMethod {
  const { later, ...carried } = method;
  const same = (bytes: Buffer): Buffer => bytes;
  const most = limits.of('small-message-bytes');
  return {
    ...carried,
    requestSerialize: same,
    // To look for the parts of a long request takes a while.
    requestDeserialize:
      later === undefined ? same : (bytes) => parted(ownBytes(bytes), later, most),
    responseSerialize: (bytes: Uint8Array) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    responseDeserialize: same,
  };
}

/** The request of a call that has one, in memory that another thread may have. */
function requestOf(call: BytesCall): {
  readonly whole: Uint8Array | undefined;
  readonly head: Uint8Array | undefined;
} {
  if (!('request' in call)) return { whole: undefined, head: undefined };
  const { request } = call;
  return 'whole' in request ? request : { whole: ownBytes(request), head: undefined };
}

/** Limits that are counted elsewhere. */
class ToldLimits extends Limits {
  readonly #met = new Map<LimitName, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    values: DoorOrder['limits'],
    private readonly told: (limit: LimitName, count: number) => void,
  ) {
    super(new Map(values));
  }

  override met(name: LimitName, count = 1): void {
    this.#met.set(name, (this.#met.get(name) ?? 0) + count);
    this.#timer ??= setTimeout(() => this.tell(), GATHER_MS);
  }

  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [limit, count] of this.#met) this.told(limit, count);
    this.#met.clear();
  }
}

/** Serves doors in this thread, as another one orders. */
export function serveDoors({ handled, connections }: DoorThreadData): void {
  assert(parentPort !== null, 'a thread that another one has begun');
  countConnectionsIn(connections);
  stayBehindPackets();
  const thread = new DoorThread(parentPort, new Int32Array(handled));
  parentPort.on('message', (message: ToDoors) => thread.receive(message));
}
