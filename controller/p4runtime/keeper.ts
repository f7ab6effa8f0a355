import { Alarm } from './alarm';
import { P4RuntimeClient } from './client';
import type { ClientOptions } from './client';
import type { Pipeline } from './requests/pipeline';
import { SwitchError } from './session/errors';
import { successorId } from './session/session';
import type { Standing } from './session/stream-event';

/** Waits between attempts, in ms. */
export interface BackOff {
  /** Wait before the second attempt. */
  readonly first: number;
  /** Each wait is so many times the one before. */
  readonly factor: number;
  readonly max: number;
}

/** Waits of 100 ms, then twice as long each time, at most 15 s. */
export const DEFAULT_BACK_OFF: BackOff = { first: 100, factor: 2, max: 15_000 };

/** The wait after so many failures in a row, the first failure being 1. */
export function backOffDelay({ first, factor, max }: BackOff, failures: number): number {
  return Math.min(max, first * factor ** (failures - 1));
}

/**
 * Number of times that an election id in use by another controller is lowered before giving up for a while.
 */
const COLLISIONS_MAX = 5n;

/** Options of keeping a switch. */
export interface KeeperOptions extends ClientOptions {
  /**
   * Brings the switch into the wanted state. Runs whenever this controller is primary on a fresh
   * connection, has become primary again, or as `every` says, and never twice at once; it may go on
   * for as long as it likes.
   * @param lost is aborted when the connection or the primary role is gone; whatever the handler
   * still awaits then fails with a SwitchError.
   */
  readonly ready: (client: P4RuntimeClient, lost: AbortSignal) => Promise<void> | void;
  /** Made sure of before `ready`; without one the handler sees to the program itself. */
  readonly pipeline?: Pipeline;
  /** Runs the handler again so many ms after it has ended, as long as this controller is primary. */
  readonly every?: number;
  readonly backOff?: BackOff;
  /**
   * Action of a backup when there is no primary any more: `bid` goes above the highest election id known by
   * the own one, so that of several successors the highest wins; `wait` (the default) leaves it to somebody
   * else.
   */
  readonly whenVacant?: 'bid' | 'wait';
  /** True for an error that may pass with another attempt; every SwitchError does unless given. */
  readonly passes?: (error: unknown) => boolean;
  /** Tells what happens, for logs. */
  readonly report?: (event: KeeperEvent) => void;
}

/** Events while a switch is kept. */
export type KeeperEvent =
  | { readonly kind: 'connected' }
  /** The election id is that of the latest bid. */
  | { readonly kind: 'standing'; readonly standing: Standing; readonly electionId: bigint }
  | { readonly kind: 'pipeline'; readonly outcome: 'kept' | 'pushed' }
  /** The handler begins. */
  | { readonly kind: 'ready' }
  /** Connection, session or handler failed; the next attempt follows after so many ms. */
  | { readonly kind: 'lost'; readonly reason: unknown; readonly retryAfter: number };

/** End of keeping: on request, or by an error that another attempt would meet again. */
export type KeeperEnd =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Keeps a controller at a switch, through restarts of the switch, breaks of the connection and
 * changes of the primary:
 *
 *            connected           primary, pipeline in place
 *   waiting ----------> standing -------------------------> handler runs
 *      ^  |  failed        |  ^   role lost, handler ended    |
 *      +--+                |  +-------------------------------+
 *      ^   stream ends     |                                  |
 *      +-------------------+----------------------------------+
 */
export class ClientKeeper {
  /** Never rejects. */
  readonly ended: Promise<KeeperEnd>;
  private readonly stopping = new AbortController();
  private readonly alarm = new Alarm();
  private client: P4RuntimeClient | undefined;
  private failures = 0;
  private collisions = 0n;
  /** Time at which the present connection was made, by the clock of the machine, in ms. */
  private connectedAt: number | undefined;

  constructor(private readonly options: KeeperOptions) {
    this.ended = this.keep();
  }

  /** Ends handler and connection; resolves when both have ended. */
  async stop(): Promise<KeeperEnd> {
    this.stopping.abort();
    this.client?.close();
    this.alarm.ring();
    return this.ended;
  }

  /** Does not wait any longer: for the next attempt, or, with `every`, for the handler's next run. */
  wake(): void {
    this.alarm.ring();
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async keep(): Promise<KeeperEnd> {
    const { passes = (error) => error instanceof SwitchError } = this.options;
    while (!this.stopped) {
      try {
        await this.attend();
      } catch (error) {
        if (this.stopped) break;
        if (!passes(error)) return { kind: 'failed', error };
        await this.lost(error);
      }
    }
    return { kind: 'stopped' };
  }

  /** One connection from its beginning to its end. @throws SwitchError when it ends. */
  private async attend(): Promise<void> {
    const { options } = this;
    const electionId = options.electionId - this.collisions;
    this.connectedAt = undefined;
    const connecting = P4RuntimeClient.connect({ ...options, electionId });
    const client = await unlessAborted(connecting, this.stopping.signal);
    if (client === undefined) return;
    this.client = client;
    this.connectedAt = Date.now();
    try {
      options.report?.({ kind: 'connected' });
      if (options.pipeline !== undefined) client.useP4Info(options.pipeline.p4info);
      await this.follow(client, electionId);
    } finally {
      client.close();
    }
  }

  /** Follows the standing, and runs the handler while it is primary. @throws SwitchError */
  private async follow(client: P4RuntimeClient, electionId: bigint): Promise<void> {
    const { every, whenVacant, report } = this.options;
    const stream: { ended?: SwitchError } = {};
    /** Aborted once this controller is no longer the primary that it was. */
    let reign = new AbortController();
    let served = false;
    client.watch((change) => {
      if (change instanceof SwitchError) stream.ended = change;
      else report?.({ kind: 'standing', standing: change, electionId: client.electionId });
      if (change instanceof SwitchError || change.kind !== 'primary') reign.abort();
      this.alarm.ring();
    });
    await client.bid();
    while (!this.stopped) {
      if (stream.ended !== undefined) throw stream.ended;
      const { standing } = client;
      if (standing?.kind === 'primary') {
        if (reign.signal.aborted) {
          reign = new AbortController();
          served = false;
        }
        // This run answers all alarms so far.
        this.alarm.clear();
        if (!served || every !== undefined) await this.serve(client, reign.signal);
        served = true;
      } else if (standing?.kind === 'no-primary' && whenVacant === 'bid') {
        await client.bid(successorId(standing, electionId));
        continue;
      }
      await this.alarm.wait(every);
    }
  }

  /** One run of the handler. @throws what it fails with, unless because of what it lost. */
  private async serve(client: P4RuntimeClient, lost: AbortSignal): Promise<void> {
    const { pipeline, ready, report } = this.options;
    try {
      if (pipeline !== undefined) {
        report?.({ kind: 'pipeline', outcome: await client.ensurePipeline(pipeline) });
      }
      if (lost.aborted) return;
      report?.({ kind: 'ready' });
      await ready(client, lost);
      this.failures = 0;
    } catch (error) {
      if (!lost.aborted || !(error instanceof SwitchError || isAbort(error))) throw error;
    }
  }

  private async lost(reason: unknown): Promise<void> {
    const { backOff = DEFAULT_BACK_OFF, electionId, report } = this.options;
    // A connection that has lasted was no failure to connect.
    const lasted = Date.now() - (this.connectedAt ?? Infinity) > backOff.max;
    this.failures = lasted ? 1 : this.failures + 1;
    const retryAfter = backOffDelay(backOff, this.failures);
    const mayLower = this.collisions < COLLISIONS_MAX && electionId > this.collisions + 1n;
    this.collisions = isCollision(reason) && mayLower ? this.collisions + 1n : 0n;
    report?.({ kind: 'lost', reason, retryAfter });
    // The failure itself may have rung.
    this.alarm.clear();
    if (!this.stopped) await this.alarm.wait(retryAfter);
  }
}

/** The specification has switches refuse an id that is in use with this code and no other sign. */
const isCollision = (reason: unknown): boolean =>
  reason instanceof SwitchError &&
  reason.codeName === 'INVALID_ARGUMENT' &&
  reason.message.includes('stream');

/** Does not wait for a connection that nobody wants any more, but closes it. */
function unlessAborted(
  connecting: Promise<P4RuntimeClient>,
  signal: AbortSignal,
): Promise<P4RuntimeClient | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
    connecting
      .then((client) => {
        if (signal.aborted) client.close();
        resolve(signal.aborted ? undefined : client);
      }, reject)
      // One signal outlives any number of connections.
      .finally(() => signal.removeEventListener('abort', leave));
  });
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
