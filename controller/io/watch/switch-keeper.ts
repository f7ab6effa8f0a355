import { failureText } from '../../../common/errors';
import { describeUpdate } from '../../entities/describe';
import { ClientKeeper } from '../../p4runtime/keeper';
import type { KeeperEvent } from '../../p4runtime/keeper';
import type { P4RuntimeClient } from '../../p4runtime/client';
import { tally } from '../../plan/switch-plan';
import type { Tally } from '../../plan/switch-plan';
import { applySwitch, SwitchProgress } from '../apply-switch';
import { clientOptions } from '../connect';
import type { ConnectOptions } from '../connect';
import type { PreparedSwitch } from '../prepare';
import type { QueueRecords } from '../queue-records';

/** Events at a switch that is being watched. */
export type SwitchEvent =
  | { readonly kind: 'connected' }
  /** This controller leads and may write. */
  | { readonly kind: 'primary'; readonly electionId: bigint }
  /** Another controller leads. */
  | { readonly kind: 'backup'; readonly highest: bigint | undefined }
  /** The switch holds everything; the numbers are what that took. */
  | {
      readonly kind: 'reconciled';
      readonly programLoaded: boolean;
      readonly updates: Tally;
      readonly queues: number;
      readonly ports: number;
      readonly milliseconds: number;
    }
  /** The switch has refused some updates. */
  | { readonly kind: 'incomplete'; readonly refused: number; readonly reason: string }
  /** The connection or a call has failed; it will be tried again. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryMs: number };

/** Called for every event, with the name of the switch. */
export type SwitchObserver = (name: string, event: SwitchEvent) => void;

export interface SwitchKeeperOptions extends ConnectOptions {
  readonly records: QueueRecords;
  readonly observer: SwitchObserver;
  /** Interval at which the switch is read back, in ms. */
  readonly interval: number;
  /** Pause after a first failure, in ms; doubled with each further one, up to `retryMax`. */
  readonly retry: number;
  readonly retryMax: number;
}

/**
 * Keeps one switch at what it shall hold: a {@link ClientKeeper} whose handler repairs what differs,
 * again and again, and which takes over where the former primary has gone.
 */
export class SwitchKeeper {
  private keeper: ClientKeeper | undefined;
  private role: 'primary' | 'backup' | undefined;

  constructor(
    private prepared: PreparedSwitch,
    private readonly options: SwitchKeeperOptions,
  ) {}

  /** See {@link reachOf}. */
  get reach(): string {
    return reachOf(this.prepared);
  }

  start(): void {
    const { interval, retry, retryMax } = this.options;
    this.keeper ??= new ClientKeeper({
      ...clientOptions(this.prepared.spec, this.options),
      ready: (client) => this.reconcile(client),
      every: interval,
      backOff: { first: retry, factor: 2, max: retryMax },
      whenVacant: 'bid',
      // A defect is told like a failure of the switch, and the other switches go on.
      passes: () => true,
      report: (event) => this.report(event),
    });
  }

  /** Another state is wanted from now on. */
  update(prepared: PreparedSwitch): void {
    this.prepared = prepared;
    this.keeper?.wake();
  }

  /** Ends the connection; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    await this.keeper?.stop();
  }

  private report(event: KeeperEvent): void {
    switch (event.kind) {
      case 'connected':
        this.role = undefined;
        this.tell({ kind: 'connected' });
        return;
      case 'standing': {
        const { standing, electionId } = event;
        // A vacant place is bid for, and the answer tells who has got it.
        if (standing.kind === 'no-primary' || standing.kind === this.role) return;
        this.role = standing.kind;
        if (standing.kind === 'primary') this.tell({ kind: 'primary', electionId });
        else this.tell({ kind: 'backup', highest: standing.highest });
        return;
      }
      case 'lost':
        this.tell({
          kind: 'failed',
          reason: failureText(event.reason),
          retryMs: event.retryAfter,
        });
        return;
      case 'pipeline':
      case 'ready':
    }
  }

  private async reconcile(client: P4RuntimeClient): Promise<void> {
    const { records, deadline, folder } = this.options;
    const context = { records, deadline, folder };
    const progress = new SwitchProgress();
    const startedAt = performance.now();
    const complete = await applySwitch(client, this.prepared, context, progress);
    const { done, refused, queuesSet, portsSet, programLoaded } = progress;
    if (!complete) {
      const [first] = refused;
      const reason = first && `${describeUpdate(first.update)}: ${first.codeName}: ${first.reason}`;
      this.tell({ kind: 'incomplete', refused: refused.length, reason: reason ?? '' });
      return;
    }
    this.tell({
      kind: 'reconciled',
      programLoaded,
      updates: tally([done]),
      queues: queuesSet.length,
      ports: portsSet.length,
      milliseconds: Math.round(performance.now() - startedAt),
    });
  }

  private tell(event: SwitchEvent): void {
    this.options.observer(this.prepared.spec.node.name, event);
  }
}

/** Equal for two states of one switch that is reached in the same way. */
export function reachOf({ spec: { node, tls } }: PreparedSwitch): string {
  return JSON.stringify([node.name, node.grpcAddress, node.deviceId, tls]);
}
