import { isOperationalError } from '../../../common/errors';
import { applyNetwork } from '../../../controller/io/apply-network';
import { planNetwork } from '../../../controller/io/plan-network';
import { loadNetwork } from '../../../controller/io/network-file';
import { QueueRecords } from '../../../controller/io/queue-records';
import { NetworkWatch } from '../../../controller/io/watch/network-watch';
import { changesOf } from '../../../controller/plan/diff';
import { Process } from '../kernel/process';
import type { World } from '../world';

/** Path of the network document on the simulated disk. */
export const NETWORK_FILE = '/simulated/network.yaml';

/** Times of controllers, in ms. */
const DEADLINE_MS = 400;
const INTERVAL_MS = 1000;
const POLL_MS = 500;
const RETRY_MS = 50;
const RETRY_MAX_MS = 400;
const RETRIES = 2;

/** `hpcc controller watch`. */
export class WatchNode {
  readonly process: Process;
  #watch: NetworkWatch | undefined;
  #busy: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    private readonly electionId: bigint,
    private readonly world: World,
  ) {
    this.process = new Process(name);
  }

  start(): void {
    this.#busy = this.#inTurn(async () => {
      if (this.#watch !== undefined) return;
      const { name, electionId, world } = this;
      try {
        this.#watch = await NetworkWatch.start(NETWORK_FILE, {
          electionId,
          deadline: DEADLINE_MS,
          interval: INTERVAL_MS,
          poll: POLL_MS,
          retry: RETRY_MS,
          retryMax: RETRY_MAX_MS,
          records: QueueRecords.inMemory(),
          observer: (at, event) => world.note(`${name} at ${at}`, textOf(event)),
          onNetwork: (event) => world.note(name, textOf(event)),
          channel: (address) => world.control.channel(name, address),
        });
      } catch (error) {
        world.violated(`${name} could not start`, error);
      }
    });
  }

  stop(): Promise<void> {
    this.#busy = this.#inTurn(async () => {
      await this.#watch?.stop();
      this.#watch = undefined;
    });
    return this.#busy;
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    await this.#busy;
    await this.world.system.machine.turnOf(this.process);
    await act();
  }
}

let prepared: ReturnType<typeof loadNetwork> | undefined;

/** The document, which is the same for all seeds, and what follows from it. */
const network = (): ReturnType<typeof loadNetwork> => (prepared ??= loadNetwork(NETWORK_FILE));

/** `hpcc controller apply`, which may fail for a reason that it names. */
export async function applyOnce(world: World, electionId: bigint): Promise<void> {
  const name = `apply ${electionId}`;
  const { switches, folder } = await network();
  try {
    await applyNetwork(switches, {
      electionId,
      deadline: DEADLINE_MS,
      folder,
      retries: RETRIES,
      records: QueueRecords.inMemory(),
      channel: (address) => world.control.channel(name, address),
    });
    world.note(name, 'everything is applied');
  } catch (error) {
    if (!isOperationalError(error)) world.violated(name, error);
    world.note(name, (error as Error).message);
  }
}

/** Counts the changes that switches still need; undefined while they cannot be asked. */
export async function lacking(world: World): Promise<number | undefined> {
  const { switches, folder } = await network();
  const reach = {
    electionId: 1n,
    deadline: DEADLINE_MS,
    folder,
    channel: (address: string) => world.control.channel('inspector', address),
  };
  try {
    const plans = await planNetwork(switches, reach, QueueRecords.inMemory());
    const changes = plans.map(({ stages, load }) => changesOf(stages).length + (load ? 1 : 0));
    return changes.reduce((sum, count) => sum + count, 0);
  } catch (error) {
    if (!isOperationalError(error)) world.violated('the inspector', error);
    return undefined;
  }
}

const textOf = (event: object): string =>
  JSON.stringify(event, (key, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return key === 'milliseconds' ? undefined : value;
  });
