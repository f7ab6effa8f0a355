import type { ClientDuplexStream, ServiceError, StatusObject } from '@grpc/grpc-js';
import { codeName } from '../../../common/p4runtime/rpc-code';
import { ELECTION_ID_MAX, electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { Connection } from './connection';
import { NotPrimaryError, SwitchError } from './errors';
import { encodeRole } from './role-config';
import { decodeStreamMessage } from './stream-event';
import type { Standing, StreamEvent } from './stream-event';
import type { RoleConfig } from './role-config';

/** Who a controller is to a switch. */
export interface SessionOptions {
  /** Number of the device that the server shall give: 0 to 2^64 - 1. */
  readonly deviceId: bigint;
  /** 128-bit election id above 0: the highest one wins. */
  readonly electionId: bigint;
  /** Each role has an election of its own; without one, the role that may do everything. */
  readonly role?: Role;
  /** Digest lists wait for {@link P4RuntimeClient.acknowledge} instead of being acknowledged. */
  readonly manualDigestAck?: boolean;
}

/** The role under which a controller speaks. */
export interface Role {
  readonly name: string;
  /** Rights of the role, in Stratum's terms; for servers that know them. */
  readonly config?: RoleConfig;
}

/** Identity of the sender in a request. */
export interface Sender {
  readonly deviceId: bigint;
  readonly electionId: bigint;
  /** Name of the role, empty for the one that may do everything. */
  readonly role: string;
}

/**
 * The election id with which a controller takes the place of a primary that has gone: above the
 * highest one known by the own one, so that of several successors the highest wins. Above the
 * greatest number there is none, but whoever bids it again takes the place too.
 */
export const successorId = (
  { highest }: { readonly highest: bigint | undefined },
  own: bigint,
): bigint => {
  const above = (highest ?? 0n) + own;
  return above > ELECTION_ID_MAX ? ELECTION_ID_MAX : above;
};

/*
 *            bid()            answer             answer
 *   closed --------> bidding --------> standing ---------+
 *                       |                 |  ^           |
 *                       |  stream ends    |  +-----------+
 *                       +------> ended <--+
 */
type State =
  | { readonly kind: 'closed' }
  | { readonly kind: 'bidding' }
  | { readonly kind: 'standing'; readonly standing: Standing }
  | { readonly kind: 'ended'; readonly reason: SwitchError };

interface Waiter {
  readonly answer: (standing: Standing) => void;
  readonly fail: (reason: SwitchError) => void;
}

/** One controller's stream to one device: arbitration, and everything that the switch reports. */
export class Session {
  private state: State = { kind: 'closed' };
  private stream: Stream | undefined;
  private waiters: Waiter[] = [];
  private readonly listeners = new Set<(event: StreamEvent) => void>();
  private electionId: bigint;

  constructor(
    private readonly connection: Connection,
    private readonly options: SessionOptions,
    /** The P4Info of the moment, to name what the switch reports. */
    private readonly index: () => P4InfoIndex | undefined,
  ) {
    this.electionId = options.electionId;
  }

  /** The standing that the switch last gave, if the stream lives. */
  get standing(): Standing | undefined {
    return this.state.kind === 'standing' ? this.state.standing : undefined;
  }

  /** Identity of this controller in requests. */
  get sender(): Sender {
    const { deviceId, role } = this.options;
    return { deviceId, electionId: this.electionId, role: role?.name ?? '' };
  }

  /** Calls back on every event. @returns what ends it. */
  subscribe(listener: (event: StreamEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Becomes primary, also where the former one has gone and its election id is above the own one.
   * @throws NotPrimaryError when another controller is there, SwitchError when the stream fails.
   */
  async becomePrimary(): Promise<void> {
    const own = this.electionId;
    let standing = await this.bid();
    if (standing.kind === 'no-primary') standing = await this.bid(successorId(standing, own));
    if (standing.kind === 'primary') return;
    const other = standing.highest === undefined ? 'none' : String(standing.highest);
    const reason = `not primary: election id ${this.electionId} lost against ${other}`;
    throw new NotPrimaryError(this.connection.place, reason, 'PERMISSION_DENIED');
  }

  /**
   * Bids, with another election id if given, and takes the answer as it is.
   * @throws SwitchError when the stream fails, InputError for a role that P4Info does not fit.
   */
  async bid(electionId = this.electionId): Promise<Standing> {
    if (this.state.kind === 'ended') throw this.state.reason;
    const arbitration = new p4.MasterArbitrationUpdate({
      deviceId: String(this.options.deviceId),
      electionId: electionIdMessage(electionId),
    });
    if (this.options.role !== undefined) arbitration.role = this.roleMessage(this.options.role);
    this.electionId = electionId;
    const stream = this.stream ?? this.openStream();
    this.state = { kind: 'bidding' };
    const answered = new Promise<Standing>((answer, fail) => {
      this.waiters.push({ answer, fail });
    });
    stream.write(new p4.StreamMessageRequest({ arbitration }));
    return this.withDeadline(answered);
  }

  /** Sends on the stream; resolves when gRPC has taken it. @throws SwitchError without a stream. */
  send(message: p4.StreamMessageRequest): Promise<void> {
    if (this.state.kind === 'ended') return Promise.reject(this.state.reason);
    const { stream } = this;
    const { place } = this.connection;
    if (stream === undefined) {
      const reason = 'nothing can be sent before the first bid';
      return Promise.reject(new SwitchError(place, reason, 'FAILED_PRECONDITION'));
    }
    return new Promise((resolve, reject) => {
      stream.write(message, (error?: Error | null) => {
        if (!error) resolve();
        else reject(new SwitchError(place, `the stream: ${error.message}`, 'UNAVAILABLE'));
      });
    });
  }

  /** Ends the stream: the switch is then without this primary. */
  close(): void {
    this.ended(new SwitchError(this.connection.place, 'the session was closed', 'CANCELLED'));
    this.stream?.end();
    this.stream?.cancel();
  }

  private roleMessage({ name, config }: Role): p4.Role {
    const role = new p4.Role({ name });
    if (config !== undefined) role.config = encodeRole(config, this.index());
    return role;
  }

  private openStream(): Stream {
    const stream = this.connection.stub.StreamChannel();
    this.stream = stream;
    stream.on('data', (message: p4.StreamMessageResponse) => this.received(message));
    // gRPC reports one failure as both `error` and `status`; whichever comes first counts.
    stream.on('error', (error: ServiceError) => this.ended(this.endOf(error)));
    stream.on('status', (status: StatusObject) => this.ended(this.endOf(status)));
    return stream;
  }

  private received(message: p4.StreamMessageResponse): void {
    if (this.state.kind === 'ended') return;
    const event = decodeStreamMessage(this.index(), message);
    if (event.kind === 'arbitration') this.placed(event.standing);
    this.tell(event);
    if (message.hasDigest && this.options.manualDigestAck !== true) {
      this.acknowledge(message.digest);
    }
  }

  private placed(standing: Standing): void {
    this.state = { kind: 'standing', standing };
    for (const { answer } of this.waiters.splice(0)) answer(standing);
  }

  /** Lists are acknowledged even if they cannot be read, because the switch would repeat them. */
  private acknowledge({ digestId, listId }: p4.DigestList): void {
    const digestAck = new p4.DigestListAck({ digestId, listId });
    // A stream that cannot take it has ended, which is an event of its own.
    this.send(new p4.StreamMessageRequest({ digestAck })).catch(() => undefined);
  }

  private ended(reason: SwitchError): void {
    if (this.state.kind === 'ended') return;
    this.state = { kind: 'ended', reason };
    for (const { fail } of this.waiters.splice(0)) fail(reason);
    this.tell({ kind: 'ended', reason });
  }

  private tell(event: StreamEvent): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  private endOf({ code, details }: Pick<StatusObject, 'code' | 'details'>): SwitchError {
    const name = codeName(code);
    const reason = `the stream has ended: ${name}${details === '' ? '' : `: ${details}`}`;
    return new SwitchError(this.connection.place, reason, name);
  }

  private async withDeadline(answered: Promise<Standing>): Promise<Standing> {
    const { deadline } = this.connection.options;
    const timer = setTimeout(() => {
      const reason = `no answer to arbitration within ${deadline / 1000} s`;
      this.ended(new SwitchError(this.connection.place, reason, 'DEADLINE_EXCEEDED'));
      this.stream?.cancel();
    }, deadline);
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
    }
  }
}

type Stream = ClientDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse>;
