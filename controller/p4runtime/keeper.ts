import { P4RuntimeClient } from './client';
import type { ClientOptions } from './client';
import { SwitchError } from './session/errors';
import type { Pipeline } from './requests/pipeline';
import type { Standing } from './session/stream-event';

/** How long to wait between attempts, in ms. */
export interface BackOff {
  /** Before the second attempt. */
  readonly first: number;
  /** Each wait is so many times the one before. */
  readonly factor: number;
  readonly max: number;
}

export const DEFAULT_BACK_OFF: BackOff = { first: 100, factor: 2, max: 15_000 };

/** The wait after so many failures in a row, the first failure being 1. */
export function backOffDelay({ first, factor, max }: BackOff, failures: number): number {
  return Math.min(max, first * factor ** (failures - 1));
}

/** How often an election id that another controller uses is lowered before giving up for a while. */
const COLLISIONS_MAX = 5n;

export interface KeeperOptions extends ClientOptions {
  /**
   * Runs whenever this controller is primary on a fresh connection, or has become primary again. It
   * brings the switch into the wanted state and may go on for as long as it likes.
   * @param lost is aborted when the connection or the primary role is gone; whatever the handler
   * still awaits then fails with a SwitchError.
   */
  readonly ready: (client: P4RuntimeClient, lost: AbortSignal) => Promise<void> | void;
  /** Made sure of before `ready`; without one the handler sees to the program itself. */
  readonly pipeline?: Pipeline;
  readonly backOff?: BackOff;
  /**
   * What a backup does when there is no primary any more: `bid` raises the election id above the
   * highest one known, `wait` (the default) leaves it to somebody else.
   */
  readonly whenVacant?: 'bid' | 'wait';
  /** Tells what happens, for logs. */
  readonly report?: (event: KeeperEvent) => void;
}

export type KeeperEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'standing'; readonly standing: Standing }
  | { readonly kind: 'pipeline'; readonly outcome: 'kept' | 'pushed' }
  /** The handler begins. */
  | { readonly kind: 'ready' }
  /** Connection, session or handler failed; the next attempt follows after so many ms. */
  | { readonly kind: 'lost'; readonly reason: SwitchError; readonly retryAfter: number };

/** How keeping has ended: on request, or by an error that another attempt would meet again. */
export type KeeperEnd =
  { readonly kind: 'stopped' } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Keeps a controller at a switch, through restarts of the switch, breaks of the connection and
 * changes of the primary:
 *
 *            connected           primary, pipeline in place
 *   waiting ----------> standing -------------------------> handler runs
 *      ^  |  failed        |  ^          role lost            |
 *      +--+                |  +-------------------------------+
 *      ^   stream ends     |                                  |
 *      +-------------------+----------------------------------+
 */
export class ClientKeeper {
  /** Never rejects. */
  readonly ended: Promise<KeeperEnd>;
  private readonly stopping = new AbortController();
  private client: P4RuntimeClient | undefined;
  private failures = 0;
  private collisions = 0n;
  /** When the connection of the moment was made, by the clock of the machine, in ms. */
  private connectedAt: number | undefined;

  constructor(private readonly options: KeeperOptions) {
    this.ended = this.keep();
  }

  /** Ends handler and connection; resolves when both have ended. */
  async stop(): Promise<KeeperEnd> {
    this.stopping.abort();
    this.client?.close();
    return this.ended;
  }

  private async keep(): Promise<KeeperEnd> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.attend();
      } catch (error) {
        if (this.stopping.signal.aborted) break;
        if (!(error instanceof SwitchError)) return { kind: 'failed', error };
        await this.lost(error);
      }
    }
    return { kind: 'stopped' };
  }

  /** One connection from its beginning to its end. @throws SwitchError when it ends. */
  private async attend(): Promise<void> {
    const { stopping, options } = this;
    const electionId = options.electionId - this.collisions;
    this.connectedAt = undefined;
    const client = await unlessAborted(
      P4RuntimeClient.connect({ ...options, electionId }),
      stopping.signal,
    );
    if (client === undefined) return;
    this.client = client;
    this.connectedAt = Date.now();
    try {
      options.report?.({ kind: 'connected' });
      if (options.pipeline !== undefined) client.useP4Info(options.pipeline.p4info);
      const attendance = new Attendance(client, options, () => (this.failures = 0));
      await attendance.run();
    } finally {
      client.close();
    }
  }

  private async lost(reason: SwitchError): Promise<void> {
    const { backOff = DEFAULT_BACK_OFF, electionId, report } = this.options;
    // What has lasted was no failure to connect.
    const lasted = Date.now() - (this.connectedAt ?? Infinity) > backOff.max;
    this.failures = lasted ? 1 : this.failures + 1;
    const retryAfter = backOffDelay(backOff, this.failures);
    // The specification has switches refuse an id that is in use with this code and no other sign.
    const collided = reason.codeName === 'INVALID_ARGUMENT' && reason.message.includes('stream');
    const mayLower = this.collisions < COLLISIONS_MAX && electionId > this.collisions + 1n;
    this.collisions = collided && mayLower ? this.collisions + 1n : 0n;
    report?.({ kind: 'lost', reason, retryAfter });
    await sleep(retryAfter, this.stopping.signal);
  }
}

/** The stay at one connection: follows the standing and runs the handler while it is primary. */
class Attendance {
  private handler: RunningHandler | undefined;

  constructor(
    private readonly client: P4RuntimeClient,
    private readonly options: KeeperOptions,
    private readonly succeeded: () => void,
  ) {}

  /** @throws SwitchError at the end of the stream, or whatever the handler has thrown. */
  async run(): Promise<void> {
    const events = this.client.events({ kinds: ['arbitration'] });
    try {
      await this.client.bid();
      for await (const event of events) {
        if (event.kind === 'ended') throw event.reason;
        if (event.kind === 'arbitration') await this.placed(event.standing);
      }
    } catch (error) {
      const failure = await this.stopHandler();
      throw failure?.error ?? error;
    }
  }

  private async placed(standing: Standing): Promise<void> {
    this.options.report?.({ kind: 'standing', standing });
    if (standing.kind === 'primary') {
      this.handler ??= new RunningHandler(this.client, this.options, this.succeeded);
      return;
    }
    const failure = await this.stopHandler();
    if (failure !== undefined && !(failure.error instanceof SwitchError)) throw failure.error;
    if (standing.kind === 'no-primary' && this.options.whenVacant === 'bid') {
      await this.client.bid((standing.highest ?? this.client.electionId) + 1n);
    }
  }

  private async stopHandler(): Promise<HandlerFailure | undefined> {
    const { handler } = this;
    this.handler = undefined;
    return handler?.stop();
  }
}

interface HandlerFailure {
  readonly error: unknown;
}

/** One run of the handler. */
class RunningHandler {
  private readonly lost = new AbortController();
  private readonly done: Promise<HandlerFailure | undefined>;

  constructor(client: P4RuntimeClient, options: KeeperOptions, succeeded: () => void) {
    this.done = this.run(client, options, succeeded);
  }

  /** @returns what the handler failed with, unless it failed because it was stopped. */
  async stop(): Promise<HandlerFailure | undefined> {
    this.lost.abort();
    return this.done;
  }

  private async run(
    client: P4RuntimeClient,
    { pipeline, ready, report }: KeeperOptions,
    succeeded: () => void,
  ): Promise<HandlerFailure | undefined> {
    const { signal } = this.lost;
    try {
      if (pipeline !== undefined) {
        report?.({ kind: 'pipeline', outcome: await client.ensurePipeline(pipeline) });
      }
      if (signal.aborted) return undefined;
      report?.({ kind: 'ready' });
      await ready(client, signal);
      succeeded();
      return undefined;
    } catch (error) {
      if (signal.aborted && (error instanceof SwitchError || isAbort(error))) return undefined;
      // The end of the stream wakes whoever follows the standing.
      client.close();
      return { error };
    }
  }
}

/** Does not wait for a connection that nobody wants any more, but closes it. */
function unlessAborted(
  connecting: Promise<P4RuntimeClient>,
  signal: AbortSignal,
): Promise<P4RuntimeClient | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    connecting.then((client) => {
      if (signal.aborted) client.close();
      resolve(signal.aborted ? undefined : client);
    }, reject);
  });
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
