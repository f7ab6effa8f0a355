import { failureText } from '../../../common/errors';
import { describeUpdate } from '../../entities/describe';
import { tally } from '../../plan/switch-plan';
import { backOffDelay } from '../../p4runtime/keeper';
import type { P4RuntimeClient } from '../../p4runtime/client';
import type { SwitchError } from '../../p4runtime/session/errors';
import type { Standing } from '../../p4runtime/session/stream-event';
import { applySwitch, SwitchProgress } from '../apply-switch';
import { connectTo, succeed } from '../connect';
import type { ConnectOptions } from '../connect';
import type { PreparedSwitch } from '../prepare';
import type { QueueRecords } from '../queue-records';
import { Alarm } from './alarm';
import type { KeeperObserver } from './events';

export interface KeeperOptions extends ConnectOptions {
  readonly records: QueueRecords;
  readonly observer: KeeperObserver;
  /** How often the switch is read back, in ms. */
  readonly interval: number;
  /** Pause after a first failure, in ms; doubled with each further one, up to `retryMax`. */
  readonly retry: number;
  readonly retryMax: number;
}

/*
 *               +------------------- failure, stream ended -------------------+
 *               v                                                             |
 *   pause --> connecting --> bidding --> primary: reconcile, wait, reconcile -+
 *               ^              ^  |                                           |
 *               |    no primary|  +----> backup: wait ------------------------+
 */

/**
 * Keeps one switch at what it shall hold: connects, becomes primary when it can, repairs, reads
 * back from time to time, and begins again after every failure.
 */
export class SwitchKeeper {
  private readonly alarm = new Alarm();
  private running: Promise<void> | undefined;
  private stopped = false;
  private failures = 0;
  private client: P4RuntimeClient | undefined;

  constructor(
    private prepared: PreparedSwitch,
    private readonly options: KeeperOptions,
  ) {}

  get name(): string {
    return this.prepared.spec.node.name;
  }

  /** See {@link reachOf}. */
  get reach(): string {
    return reachOf(this.prepared);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Another state is wanted from now on. */
  update(prepared: PreparedSwitch): void {
    this.prepared = prepared;
    this.alarm.ring();
  }

  /** Ends the connection; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.client?.close();
    this.alarm.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.session();
      } catch (error) {
        if (this.stopped) return;
        const { retry, retryMax } = this.options;
        this.failures += 1;
        const retryMs = backOffDelay({ first: retry, factor: 2, max: retryMax }, this.failures);
        this.tell({ kind: 'failed', reason: failureText(error), retryMs });
        // The failure itself may have rung.
        this.alarm.clear();
        await this.alarm.wait(retryMs);
      }
    }
  }

  /** From connecting to the end of the connection. */
  private async session(): Promise<void> {
    const client = await connectTo(this.prepared.spec, this.options);
    this.client = client;
    const stream: Stream = { ended: undefined };
    client.watch((change) => {
      if (change instanceof Error) stream.ended = change;
      this.alarm.ring();
    });
    try {
      this.tell({ kind: 'connected' });
      let last: Standing | undefined;
      while (!this.stopped) {
        const standing = await this.standing(client);
        requireStream(stream);
        this.tellStanding(client, standing, last);
        last = standing;
        if (standing.kind === 'primary') await this.reconcile(client);
        requireStream(stream);
        await this.alarm.wait(this.options.interval);
      }
    } finally {
      client.close();
    }
  }

  /** Bids at first, and again when there is no primary any more. */
  private async standing(client: P4RuntimeClient): Promise<Standing> {
    const standing = client.standing ?? (await client.bid());
    return succeed(client, standing, this.options.electionId);
  }

  private tellStanding(
    client: P4RuntimeClient,
    standing: Standing,
    last: Standing | undefined,
  ): void {
    if (standing.kind === last?.kind) return;
    if (standing.kind === 'primary') {
      this.tell({ kind: 'primary', electionId: client.electionId });
    } else {
      this.tell({ kind: 'backup', highest: standing.highest });
    }
  }

  private async reconcile(client: P4RuntimeClient): Promise<void> {
    const { records, deadline } = this.options;
    const progress = new SwitchProgress();
    const startedAt = performance.now();
    const complete = await applySwitch(client, this.prepared, { records, deadline }, progress);
    const { done, refused, queuesSet, programLoaded } = progress;
    if (!complete) {
      const [first] = refused;
      const reason = first && `${describeUpdate(first.update)}: ${first.codeName}: ${first.reason}`;
      this.tell({ kind: 'incomplete', refused: refused.length, reason: reason ?? '' });
      return;
    }
    this.failures = 0;
    this.tell({
      kind: 'reconciled',
      programLoaded,
      updates: tally([done]),
      queues: queuesSet.length,
      milliseconds: Math.round(performance.now() - startedAt),
    });
  }

  private tell(event: Parameters<KeeperObserver>[1]): void {
    this.options.observer(this.name, event);
  }
}

interface Stream {
  ended: SwitchError | undefined;
}

function requireStream({ ended }: Stream): void {
  if (ended !== undefined) throw ended;
}

/** Equal for two states of one switch that is reached in the same way. */
export function reachOf({ spec: { node, tls } }: PreparedSwitch): string {
  return JSON.stringify([node.name, node.grpcAddress, node.deviceId, tls]);
}
