import { ONLY_PLACE } from '../../../../../common/io/net/network-place';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { listenInThread } from '../../../../../switch/server/thread/door-thread-client';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

/** P4Runtime servers of a test whose doors are in a thread, and controllers at them. */
export class ThreadedDoors {
  /** Reasons that kept a door from staying open. */
  readonly failures: Error[] = [];
  readonly #servers: P4RuntimeServer[] = [];
  readonly #controllers: RawController[] = [];

  /** @param restMs time without a connection after which no thread is needed, in ms; default: the product's. */
  constructor(private readonly restMs?: number) {}

  async start(address = '127.0.0.1:0', restMs = this.restMs): Promise<P4RuntimeServer> {
    const devices = new Map([[1, new StateSwitch()]]);
    const failed = (error: Error): void => void this.failures.push(error);
    const listen = listenInThread(ONLY_PLACE, restMs);
    const server = await startP4RuntimeServer({ devices, address, listen, failed });
    this.#servers.push(server);
    return server;
  }

  controllerAt(address: string): RawController {
    const controller = new RawController(address, 1n);
    this.#controllers.push(controller);
    return controller;
  }

  controllerOf({ port }: P4RuntimeServer): RawController {
    return this.controllerAt(`127.0.0.1:${port}`);
  }

  /** Ends all that there are. */
  async end(): Promise<void> {
    for (const each of this.#controllers.splice(0)) each.close();
    for (const each of this.#servers.splice(0)) await each.stop();
  }
}
