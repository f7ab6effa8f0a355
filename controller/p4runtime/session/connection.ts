import { credentials as grpcCredentials } from '@grpc/grpc-js';
import type {
  CallOptions,
  ChannelInterface,
  Client,
  ChannelCredentials,
  ChannelOptions,
  Metadata,
  requestCallback,
  ServiceError,
} from '@grpc/grpc-js';
import { InputError } from '../../../common/errors';
import { decodeStatusDetails, STATUS_DETAILS_KEY } from '../../../common/p4runtime/codes';
import { codeName, RPC_CODE } from '../../../common/p4runtime/rpc-code';
import type { ElementStatus } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { quietGrpc } from '../../../common/p4runtime/io/quiet-grpc';
import { SwitchError, SwitchUnreachableError } from './errors';

/** Servers such as bmv2's answer a read in one message, however large. */
const RECEIVE_BYTES_MAX = 256 * 1024 * 1024;

/** Time limit of a probe of an idle channel, in ms: long enough to learn why it fails. */
const PROBE_MS = 500;

/** Options of the connection to a switch. */
export interface ConnectionOptions {
  /** Name of the switch, for messages. */
  readonly name: string;
  /** Host and port of its P4Runtime server. */
  readonly address: string;
  /** Time limit of the connection and of each call, in ms. */
  readonly deadline: number;
  /**
   * Without credentials the connection is plain. A function is asked for each connection, so that
   * certificates may be renewed.
   */
  readonly credentials?: ChannelCredentials | (() => ChannelCredentials);
  /** The name that the switch's certificate must have, when it is not that of the address. */
  readonly serverName?: string;
  /**
   * Interval of keep-alive pings on an idle connection, in ms. Off unless given, because the stream is a
   * sign of life, and because bmv2 hangs up on pings more frequent than every 5 minutes.
   */
  readonly keepAlive?: number;
  /** Largest message that is received, in bytes; 256 MiB unless given. */
  readonly receiveBytesMax?: number;
  /** Largest message that is sent, in bytes; without limit unless given. */
  readonly sendBytesMax?: number;
  /** Carries the calls instead of a connection over TCP, as inside one process; asked for each connection. */
  readonly channel?: () => ChannelInterface;
}

/** A channel to one P4Runtime server, with a deadline on every call. */
export class Connection {
  /** Name and address of the switch, as messages begin. */
  readonly place: string;
  private closed = false;

  private constructor(
    readonly stub: P4RuntimeClient,
    readonly options: ConnectionOptions,
  ) {
    this.place = `switch ${options.name} at ${options.address}`;
  }

  /** @throws SwitchUnreachableError when nobody answers within the deadline. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    quietGrpc();
    const { address } = options;
    const stub = new P4RuntimeClient(address, channelCredentials(options), channelOptions(options));
    const connection = new Connection(stub, options);
    try {
      await untilOpen(stub, { place: connection.place, deadline: options.deadline }, (call, done) =>
        stub.Capabilities(new p4.CapabilitiesRequest({}), call, done),
      );
      return connection;
    } catch (error) {
      stub.close();
      throw error;
    }
  }

  /**
   * Makes a unary call.
   * @param start begins it with the options and the callback that it is given.
   * @throws SwitchError saying what failed; see {@link failure}.
   */
  unary<Response>(what: string, start: Start<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      start({ deadline: Date.now() + this.options.deadline }, (error, response) => {
        if (response !== undefined) resolve(response);
        else reject(error === null ? new Error(`${what}: no response`) : error);
      });
    });
  }

  /** Turns the status of a failed call into an error for a person. */
  failure(what: string, error: unknown): unknown {
    if (!isServiceError(error)) return this.closed ? this.closedFailure(what, error) : error;
    const name = codeName(error.code);
    const reasons = reasonsOf(detailsOf(error.metadata) ?? []);
    return new SwitchError(this.place, `${what}: ${name}: ${error.details}${reasons}`, name);
  }

  close(): void {
    this.closed = true;
    this.stub.close();
  }

  /** gRPC throws a plain error for calls on a channel that was closed. */
  private closedFailure(what: string, error: unknown): unknown {
    if (error instanceof InputError) return error;
    return new SwitchError(this.place, `${what}: the connection was closed`, 'CANCELLED');
  }
}

/** Outcomes of the elements of a refused call, where the switch tells them. */
export function detailsOf(metadata: Metadata): readonly ElementStatus[] | undefined {
  const [trailer] = metadata.get(STATUS_DETAILS_KEY);
  return decodeStatusDetails(trailer instanceof Uint8Array ? trailer : undefined);
}

const REASONS_SHOWN = 3;

/** The first reasons of what was refused, behind a colon; empty where there are none. */
function reasonsOf(statuses: readonly ElementStatus[]): string {
  const refused = statuses.filter(({ code, message }) => code !== RPC_CODE.OK && message !== '');
  if (refused.length === 0) return '';
  const shown = refused.slice(0, REASONS_SHOWN).map(({ message }) => message);
  const rest = refused.length - shown.length;
  return `: ${[...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')}`;
}

/**
 * Waits until a channel is open.
 * @param probe makes a call, because waiting for a channel does not tell why it stays closed.
 * @throws SwitchUnreachableError saying why nobody answers.
 */
export async function untilOpen(
  stub: Client,
  { place, deadline }: { readonly place: string; readonly deadline: number },
  probe: (options: CallOptions, done: (error: ServiceError | null) => void) => unknown,
): Promise<void> {
  const connected = await new Promise<boolean>((resolve) => {
    stub.waitForReady(Date.now() + deadline, (error) => resolve(error === undefined));
  });
  if (connected) return;
  const details = await new Promise<string>((resolve) => {
    probe({ deadline: Date.now() + PROBE_MS }, (error) => resolve(error?.details ?? ''));
  });
  const text = `${unreachableReason(details)} within ${deadline / 1000} s`;
  throw new SwitchUnreachableError(place, text, 'UNAVAILABLE');
}

/** The credentials of a channel to a switch. */
export function channelCredentials({
  credentials = grpcCredentials.createInsecure(),
}: Pick<ConnectionOptions, 'credentials'>): ChannelCredentials {
  return typeof credentials === 'function' ? credentials() : credentials;
}

/** Options with which every channel to a switch is opened. */
export function channelOptions(options: Omit<ConnectionOptions, 'name'>): ChannelOptions {
  const { keepAlive, serverName, channel } = options;
  return {
    'grpc.max_receive_message_length': options.receiveBytesMax ?? RECEIVE_BYTES_MAX,
    'grpc.max_send_message_length': options.sendBytesMax ?? -1,
    // Each client has a connection of its own, so that closing one never disturbs another.
    'grpc.use_local_subchannel_pool': 1,
    // Nobody can ask for its figures.
    'grpc.enable_channelz': 0,
    ...(channel && { channelOverride: channel() }),
    ...(serverName !== undefined && { 'grpc.ssl_target_name_override': serverName }),
    ...(keepAlive !== undefined && {
      'grpc.keepalive_time_ms': keepAlive,
      'grpc.keepalive_timeout_ms': options.deadline,
      'grpc.keepalive_permit_without_calls': 1,
    }),
  };
}

type Start<Response> = (options: CallOptions, callback: requestCallback<Response>) => unknown;

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error && 'metadata' in error;
}

/** Returns the reason why nobody answers, from the details of a failed call. */
function unreachableReason(details: string): string {
  if (details.includes('ECONNREFUSED')) return 'connection refused';
  if (/Name resolution|ENOTFOUND|EAI_AGAIN/.test(details)) return 'the name has no address';
  if (/EHOSTUNREACH|ENETUNREACH/.test(details)) return 'no route to the host';
  return 'no answer';
}
