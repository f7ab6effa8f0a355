import type { ClientDuplexStream, ServiceError, StatusObject } from '@grpc/grpc-js';
import { codeName, RPC_CODE } from '../../common/p4runtime/codes';
import { electionIdFrom, electionIdMessage } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Connection } from './connection';
import { NotPrimaryError, SwitchError } from './errors';

export interface SessionOptions {
  readonly deviceId: bigint;
  /** 128-bit election id: the highest one wins. */
  readonly electionId: bigint;
}

/** What the switch last said of this controller. */
export type Standing =
  | { readonly kind: 'primary' }
  /** Somebody else is primary, with this election id. */
  | { readonly kind: 'backup'; readonly highest: bigint | undefined }
  /** Nobody is primary; the highest election id ever seen was this one. */
  | { readonly kind: 'no-primary'; readonly highest: bigint | undefined };

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

/** One controller's stream to one device: arbitration, and notice of losing the primary role. */
export class Session {
  private state: State = { kind: 'closed' };
  private stream: Stream | undefined;
  private waiters: Waiter[] = [];
  private readonly listeners: ((standing: Standing | SwitchError) => void)[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly options: SessionOptions,
  ) {}

  /** The standing that the switch last gave, if the stream lives. */
  get standing(): Standing | undefined {
    return this.state.kind === 'standing' ? this.state.standing : undefined;
  }

  /** Calls back on every answer and change of standing, and once when the stream ends. */
  watch(listener: (change: Standing | SwitchError) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Bids for the primary role.
   * @throws NotPrimaryError when another controller has it, SwitchError when the stream fails.
   */
  async becomePrimary(): Promise<void> {
    const standing = await this.bid();
    if (standing.kind === 'primary') return;
    const { electionId } = this.options;
    const other = standing.highest === undefined ? 'none' : String(standing.highest);
    const reason = `not primary: election id ${electionId} lost against ${other}`;
    throw new NotPrimaryError(this.connection.place, reason, 'PERMISSION_DENIED');
  }

  /** Ends the stream: the switch is then without this primary. */
  close(): void {
    this.ended(new SwitchError(this.connection.place, 'the session was closed', 'CANCELLED'));
    this.stream?.end();
    this.stream?.cancel();
  }

  private bid(): Promise<Standing> {
    if (this.state.kind === 'ended') return Promise.reject(this.state.reason);
    const stream = this.stream ?? this.openStream();
    this.state = { kind: 'bidding' };
    const answered = new Promise<Standing>((answer, fail) => {
      this.waiters.push({ answer, fail });
    });
    const arbitration = new p4.MasterArbitrationUpdate({
      deviceId: String(this.options.deviceId),
      electionId: electionIdMessage(this.options.electionId),
    });
    stream.write(new p4.StreamMessageRequest({ arbitration }));
    return this.withDeadline(answered);
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
    if (!message.hasArbitration || this.state.kind === 'ended') return;
    const { status, electionId } = message.arbitration;
    const highest = electionIdFrom(electionId);
    const standing = standingOf(message.arbitration.hasStatus ? status.code : 0, highest);
    this.state = { kind: 'standing', standing };
    for (const { answer } of this.waiters.splice(0)) answer(standing);
    for (const listener of this.listeners) listener(standing);
  }

  private ended(reason: SwitchError): void {
    if (this.state.kind === 'ended') return;
    this.state = { kind: 'ended', reason };
    for (const { fail } of this.waiters.splice(0)) fail(reason);
    for (const listener of this.listeners) listener(reason);
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

function standingOf(code: number, highest: bigint | undefined): Standing {
  if (code === RPC_CODE.OK) return { kind: 'primary' };
  return { kind: code === RPC_CODE.NOT_FOUND ? 'no-primary' : 'backup', highest };
}
