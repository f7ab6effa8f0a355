import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { flagsAgain, optimiseFromNow } from '../../../common/io/loop/optimising';
import { Reactor } from '../../../common/io/loop/reactor';
import { ownDescriptors } from '../../../common/io/net/descriptors';
import type { NetworkPlace } from '../../../common/io/net/network-place';
import { letPacketsPass } from '../../../common/io/packets-first';
import { LIMIT_NAMES } from '../limits/limits';
import type { Listen, Listening, ServedMethod, ServiceOptions } from '../listener';
import { CarriedCall } from './carried-call';
import type { CarriedMethod, DoorOrder, DoorThreadData, FromDoors, ToDoors } from './messages';
import { WaitingDoor } from './waiting-door';
import { noteHandled, windowMemory } from './window';

const DOOR_THREAD = path.join(__dirname, 'door-thread.js');

/**
 * gRPC over TCP or a socket of the file system in a thread of its own, which all doors of the process share: connections,
 * TLS, HTTP/2 and their garbage are there, and this thread, which forwards packets, gets whole messages, few at a time.
 * That thread takes 18 MB, so it is there only while controllers are, and a while longer.
 * @param network where it listens.
 * @param restMs time without a connection after which no thread is needed, in ms.
 */
export const listenInThread =
  (network: NetworkPlace, restMs = REST_MS): Listen =>
  (served) =>
    DoorThreadClient.shared().open(served, network, restMs);

/** Longer than a person waits between two commands: to begin the thread again takes a tenth of a second. */
const REST_MS = 12_000;

/** Calls after which a controller is at work; those that prepare a switch are fewer. */
const CALLS_MANY = 16;

/** A method's handler: of a call with one answer, or of one with a stream of them. */
type Handler = (call: CarriedCall, answer?: CarriedCall['answer']) => void;

/** A door as this thread has it. */
class Door {
  readonly calls = new Set<CarriedCall>();
  opened: (port: number) => void = () => undefined;
  /** It cannot be opened, or cannot stay open. */
  refused: (error: Error) => void = () => undefined;
  closed: () => void = () => undefined;
  state: 'opening' | 'open' | 'closing' = 'opening';
  /** While no thread has it. */
  waiting: WaitingDoor | undefined;

  constructor(
    readonly served: ServiceOptions,
    readonly network: NetworkPlace,
    readonly restMs: number,
  ) {}

  /** Its calls end as if their clients had gone. */
  cancelCalls(): void {
    for (const call of [...this.calls]) call.cancel();
  }
}

/** A thread that has doors. */
interface DoorThread {
  readonly worker: Worker;
  /** Requests of its that were handled here. */
  readonly handled: Int32Array;
  /** Settles when it has ended. */
  readonly end: Promise<unknown>;
}

/** The other end of the thread with the doors, which is there while anybody is connected, and some time longer. */
class DoorThreadClient {
  static #shared: DoorThreadClient | undefined;
  #thread: DoorThread | undefined;
  readonly #doors = new Map<number, Door>();
  readonly #calls = new Map<number, CarriedCall>();
  #lastDoor = 0;
  readonly #post = (message: ToDoors): void => this.#thread?.worker.postMessage(message);

  /** The one of this process, as long as it has a door. */
  static shared(): DoorThreadClient {
    return (DoorThreadClient.#shared ??= new DoorThreadClient());
  }

  /** @throws InputError when the address cannot be used. */
  async open(served: ServiceOptions, network: NetworkPlace, restMs: number): Promise<Listening> {
    const number = ++this.#lastDoor;
    const door = new Door(served, network, restMs);
    this.#doors.set(number, door);
    try {
      const port = await new Promise<number>((resolve, reject) => {
        door.refused = reject;
        door.opened = (port) => {
          door.state = 'open';
          // It is opened again by each thread to come.
          door.opened = () => undefined;
          door.refused = (error) => served.failed?.(error);
          resolve(port);
        };
        this.#awaken();
        this.#post({ kind: 'open', order: orderOf(number, door) });
      });
      return { port, stop: () => this.#close(number, door) };
    } catch (error) {
      await this.#forget(number);
      throw error;
    }
  }

  /** A thread takes over the doors that wait, unless there is one. */
  #awaken(): void {
    if (this.#thread !== undefined) return;
    const handled = windowMemory();
    const data: DoorThreadData = { handled, connections: ownDescriptors().connections };
    const worker = new Worker(DOOR_THREAD, { workerData: data });
    const end = new Promise((resolve) => worker.once('exit', resolve));
    const thread = { worker, handled: new Int32Array(handled), end };
    this.#thread = thread;
    worker.on('message', (message: FromDoors) => this.#receive(message));
    let reason = '';
    worker.on('error', ({ message }) => (reason = `: ${message}`));
    worker.on('exit', () => this.#ended(thread, reason));
    for (const [number, door] of this.#doors) {
      const sockets = door.waiting?.takeSockets();
      door.waiting = undefined;
      if (sockets) this.#post({ kind: 'open', order: orderOf(number, door, sockets) });
    }
  }

  /** Doors wait for the next client, without a thread. */
  #left(sockets: ReadonlyMap<number, readonly number[]>): void {
    this.#post({ kind: 'no-more' });
    this.#thread = undefined;
    for (const [number, fds] of sockets) {
      const door = this.#doors.get(number);
      assert(door !== undefined, 'a door is closed before it is forgotten');
      // The loop tells of one client again and again until its turn is over.
      door.waiting = new WaitingDoor(fds, () => setImmediate(() => this.#awaken()));
      if (door.state === 'closing') this.#closeWaiting(door);
    }
    const orders = [...this.#doors].filter(([, { state }]) => state === 'opening');
    if (orders.length > 0) this.#awaken();
    for (const [number, door] of orders) this.#post({ kind: 'open', order: orderOf(number, door) });
  }

  #closeWaiting(door: Door): void {
    void door.waiting?.close().then(() => door.closed());
    door.waiting = undefined;
  }

  async #close(number: number, door: Door): Promise<void> {
    if (!this.#doors.has(number)) return;
    door.state = 'closing';
    door.refused = () => undefined;
    await new Promise<void>((resolve) => {
      door.closed = resolve;
      if (door.waiting !== undefined) this.#closeWaiting(door);
      else this.#post({ kind: 'close', door: number });
    });
    door.cancelCalls();
    await this.#forget(number);
  }

  async #forget(number: number): Promise<void> {
    this.#doors.delete(number);
    if (this.#doors.size > 0) return;
    if (DoorThreadClient.#shared === this) DoorThreadClient.#shared = undefined;
    this.#post({ kind: 'no-more' });
    await this.#thread?.end;
  }

  #receive(message: FromDoors): void {
    letPacketsPass();
    switch (message.kind) {
      case 'opened':
        this.#doors.get(message.door)?.opened(message.port);
        break;
      case 'refused':
        this.#doors.get(message.door)?.refused(new InputError(message.reason));
        break;
      case 'closed':
        this.#doors.get(message.door)?.closed();
        break;
      case 'met':
        this.#doors.get(message.door)?.served.limits.met(message.limit, message.count);
        break;
      case 'call':
        this.#begin(message);
        this.#noteHandled(message.request);
        break;
      case 'request':
        this.#calls.get(message.call)?.receive(message.bytes);
        this.#noteHandled(message.bytes);
        break;
      case 'half-closed':
        this.#calls.get(message.call)?.emit('end');
        this.#noteHandled();
        break;
      case 'cancelled':
        this.#calls.get(message.call)?.cancel();
        this.#noteHandled();
        break;
      case 'taken':
        this.#calls.get(message.call)?.taken(message.count);
        break;
      case 'left':
        this.#left(message.sockets);
    }
  }

  #begin({ door: number, call: id, method, request, head }: FromDoors & { kind: 'call' }): void {
    const door = this.#doors.get(number);
    if (door === undefined) return;
    const { definition, calls } = door.served;
    const codec = definition[method];
    const handler = calls[method] as Handler | undefined;
    assert(codec !== undefined && handler !== undefined, 'the thread has the methods from here');
    const call = new CarriedCall(id, codec, this.#post, () => {
      door.calls.delete(call);
      this.#calls.delete(id);
    });
    door.calls.add(call);
    this.#calls.set(id, call);
    if (id === CALLS_MANY) optimiseFromNow();
    if (request !== undefined) {
      const isParted = codec.later !== undefined;
      call.request = isParted ? { head, whole: request } : call.decoded(request);
      if (call.request === undefined) return;
    }
    try {
      if (codec.requestStream || codec.responseStream) handler.call(calls, call);
      else handler.call(calls, call, call.answer);
    } catch (error) {
      // As gRPC's own server does: the call is refused, and others go on.
      call.emit('error', error);
    }
  }

  #noteHandled(bytes?: Uint8Array): void {
    if (this.#thread) noteHandled(this.#thread.handled, bytes?.length ?? 0);
  }

  #ended(thread: DoorThread, reason: string): void {
    flagsAgain();
    if (this.#thread !== thread) {
      // What it had is given back to the system, too.
      Reactor.shared().collectWhenQuiet();
      return;
    }
    if (DoorThreadClient.#shared === this) DoorThreadClient.#shared = undefined;
    const error = new InputError(`the thread of gRPC's connections has ended${reason}`);
    for (const door of [...this.#doors.values()]) {
      door.cancelCalls();
      door.refused(error);
      door.closed();
    }
    this.#doors.clear();
  }
}

function orderOf(number: number, door: Door, sockets?: readonly number[]): DoorOrder {
  const { served, network, restMs } = door;
  const { definition, address, limits, name, tls, version } = served;
  const method = ([key, each]: [string, ServedMethod]): CarriedMethod => {
    const { path: at, requestStream, responseStream, later } = each;
    const { isSmall = false, isKept = false } = each;
    return { name: key, path: at, requestStream, responseStream, later, isSmall, isKept };
  };
  return {
    door: number,
    methods: Object.entries(definition).map(method),
    address,
    name,
    limits: LIMIT_NAMES.map((each) => [each, limits.of(each)]),
    tls,
    version: version?.memory,
    namespace: network.fd,
    sockets,
    restMs,
  };
}
