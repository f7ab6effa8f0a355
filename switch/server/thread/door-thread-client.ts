import * as path from 'node:path';
import { Worker } from 'node:worker_threads';
import { assert } from '../../../common/assert';
import { InputError } from '../../../common/errors';
import { flagsAgain, optimiseFromNow } from '../../../common/io/loop/optimising';
import { ownDescriptors } from '../../../common/io/net/descriptors';
import type { NetworkPlace } from '../../../common/io/net/network-place';
import { letPacketsPass } from '../../../common/io/packets-first';
import { LIMIT_NAMES } from '../limits/limits';
import type { Listen, Listening, ServedMethod, ServiceOptions } from '../listener';
import { CarriedCall } from './carried-call';
import type { CarriedMethod, DoorOrder, DoorThreadData, FromDoors, ToDoors } from './messages';
import { noteHandled, windowMemory } from './window';

const DOOR_THREAD = path.join(__dirname, 'door-thread.js');

/**
 * gRPC over TCP or a socket of the file system in a thread of its own, which all doors of the process share: connections,
 * TLS, HTTP/2 and their garbage are there, and this thread, which forwards packets, gets whole messages, few at a time.
 * @param network where it listens.
 */
export const listenInThread =
  (network: NetworkPlace): Listen =>
  (served) =>
    DoorThreadClient.shared().open(served, network);

/** Calls after which a controller is at work; those that prepare a switch are fewer. */
const CALLS_MANY = 16;

/** A method's handler: of a call with one answer, or of one with a stream of them. */
type Handler = (call: CarriedCall, answer?: CarriedCall['answer']) => void;

/** A door as this thread has it. */
class Door {
  readonly calls = new Set<CarriedCall>();
  opened: (port: number) => void = () => undefined;
  refused: (error: Error) => void = () => undefined;
  closed: () => void = () => undefined;
  isOpen = false;

  constructor(readonly served: ServiceOptions) {}

  /** Its calls end as if their clients had gone. */
  cancelCalls(): void {
    for (const call of [...this.calls]) call.cancel();
  }
}

/** The other end of the thread with the doors. */
class DoorThreadClient {
  static #shared: DoorThreadClient | undefined;
  readonly #worker: Worker;
  readonly #handled: Int32Array;
  readonly #doors = new Map<number, Door>();
  readonly #calls = new Map<number, CarriedCall>();
  /** Settles when the thread has ended. */
  readonly #end: Promise<unknown>;
  #lastDoor = 0;
  readonly #post = (message: ToDoors): void => this.#worker.postMessage(message);

  private constructor() {
    const handled = windowMemory();
    this.#handled = new Int32Array(handled);
    const data: DoorThreadData = { handled, connections: ownDescriptors().connections };
    this.#worker = new Worker(DOOR_THREAD, { workerData: data });
    this.#worker.on('message', (message: FromDoors) => this.#receive(message));
    let reason = '';
    this.#worker.on('error', ({ message }) => (reason = `: ${message}`));
    this.#end = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('exit', () => this.#ended(reason));
  }

  /** The thread of this process, as long as it has a door. */
  static shared(): DoorThreadClient {
    return (DoorThreadClient.#shared ??= new DoorThreadClient());
  }

  /** @throws InputError when the address cannot be used. */
  async open(served: ServiceOptions, network: NetworkPlace): Promise<Listening> {
    const number = ++this.#lastDoor;
    const door = new Door(served);
    this.#doors.set(number, door);
    try {
      const port = await new Promise<number>((resolve, reject) => {
        [door.opened, door.refused] = [resolve, reject];
        this.#post({ kind: 'open', order: orderOf(number, served, network) });
      });
      door.isOpen = true;
      return { port, stop: () => this.#close(number, door) };
    } catch (error) {
      await this.#forget(number);
      throw error;
    }
  }

  async #close(number: number, door: Door): Promise<void> {
    if (!this.#doors.has(number)) return;
    door.isOpen = false;
    await new Promise<void>((resolve) => {
      door.closed = resolve;
      this.#post({ kind: 'close', door: number });
    });
    door.cancelCalls();
    await this.#forget(number);
  }

  async #forget(number: number): Promise<void> {
    this.#doors.delete(number);
    if (this.#doors.size > 0) return;
    if (DoorThreadClient.#shared === this) DoorThreadClient.#shared = undefined;
    this.#post({ kind: 'no-more' });
    await this.#end;
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
    noteHandled(this.#handled, bytes?.length ?? 0);
  }

  #ended(reason: string): void {
    flagsAgain();
    if (DoorThreadClient.#shared === this) DoorThreadClient.#shared = undefined;
    const error = new InputError(`the thread of gRPC's connections has ended${reason}`);
    for (const door of [...this.#doors.values()]) {
      door.cancelCalls();
      door.refused(error);
      door.closed();
      if (door.isOpen) door.served.failed?.(error);
    }
    this.#doors.clear();
  }
}

function orderOf(door: number, served: ServiceOptions, { fd }: NetworkPlace): DoorOrder {
  const { definition, address, limits, name, tls, version } = served;
  const method = ([key, each]: [string, ServedMethod]): CarriedMethod => {
    const { path: at, requestStream, responseStream, later } = each;
    const { isSmall = false, isKept = false } = each;
    return { name: key, path: at, requestStream, responseStream, later, isSmall, isKept };
  };
  return {
    door,
    methods: Object.entries(definition).map(method),
    address,
    name,
    limits: LIMIT_NAMES.map((each) => [each, limits.of(each)]),
    tls,
    version: version?.memory,
    namespace: fd,
  };
}
