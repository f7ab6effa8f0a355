import { InputError } from '../../common/errors';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { EntityUpdate, NamedEntity, UpdateType } from '../entities/named-entity';
import { Connection } from './session/connection';
import type { ConnectionOptions } from './session/connection';
import { SwitchError, WriteFailedError } from './session/errors';
import { EventQueue } from './session/event-queue';
import { unsigned64 } from './entities/wire-values';
import { encodePacketOut } from './session/packet-io';
import type { PacketOut } from './session/packet-io';
import { getPipeline, pipelineCookie, setPipeline } from './requests/pipeline';
import type { Pipeline, PipelineAction, PipelineParts, RunningPipeline } from './requests/pipeline';
import { readEntities } from './requests/read';
import type { ReadFilter } from './requests/read';
import { Session } from './session/session';
import type { SessionOptions } from './session/session';
import type { DigestList, Standing, StreamEvent } from './session/stream-event';
import { writeUpdates } from './requests/write';
import type { WriteOptions, WriteResult } from './requests/write';

/** Connection to a switch, and the identity of the controller. */
export type ClientOptions = ConnectionOptions & SessionOptions;

/** Events that wait for a reader unless it asks for another number. */
const EVENTS_MAX = 10_000;

/** Choice of events of the stream. */
export interface EventOptions {
  /** Kinds of events; the end of the stream always comes. */
  readonly kinds?: readonly StreamEvent['kind'][];
  /** Most events that may wait; then the oldest are dropped, which is an event too. */
  readonly limit?: number;
}

/**
 * A controller of one device: connects, becomes primary, sets the pipeline, writes and reads by
 * name, exchanges packets and digests. Refused updates are values; everything else that fails
 * throws a SwitchError.
 */
export class P4RuntimeClient {
  private readonly session: Session;
  private index: P4InfoIndex | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly options: ClientOptions,
  ) {
    this.session = new Session(connection, options, () => this.index);
  }

  /** @throws SwitchUnreachableError when nobody answers within the deadline. */
  static async connect(options: ClientOptions): Promise<P4RuntimeClient> {
    return new P4RuntimeClient(await Connection.open(options), options);
  }

  /** Name and address of the switch, as messages begin. */
  get place(): string {
    return this.connection.place;
  }

  /** The standing that the switch last gave, if the stream lives. */
  get standing(): Standing | undefined {
    return this.session.standing;
  }

  /** The election id of the latest bid. */
  get electionId(): bigint {
    return this.session.sender.electionId;
  }

  /** Calls back on every change of standing, and once when the stream ends. */
  watch(listener: (change: Standing | SwitchError) => void): void {
    this.session.subscribe((event) => {
      if (event.kind === 'arbitration') listener(event.standing);
      else if (event.kind === 'ended') listener(event.reason);
    });
  }

  /** Calls back on every event of the stream. @returns what ends it. */
  subscribe(listener: (event: StreamEvent) => void): () => void {
    return this.session.subscribe(listener);
  }

  /** The events from now on, one by one; the last is the end of the stream. */
  events({ kinds, limit = EVENTS_MAX }: EventOptions = {}): AsyncIterableIterator<StreamEvent> {
    const wanted = kinds && new Set<StreamEvent['kind']>([...kinds, 'ended']);
    const queue = new EventQueue(limit, () => unsubscribe());
    const unsubscribe = this.session.subscribe((event) => {
      if (wanted?.has(event.kind) !== false) queue.push(event);
    });
    return queue;
  }

  /**
   * The version of P4Runtime that the switch speaks. The call itself came with version 1.1, so a
   * switch that lacks it is taken for 1.0.
   * @throws SwitchError
   */
  async capabilities(): Promise<{ readonly apiVersion: string }> {
    const request = new p4.CapabilitiesRequest({ deviceId: String(this.options.deviceId) });
    try {
      const response = await this.connection.unary<p4.CapabilitiesResponse>(
        'capabilities',
        (options, callback) => this.connection.stub.Capabilities(request, options, callback),
      );
      return { apiVersion: response.p4runtimeApiVersion };
    } catch (error) {
      const failure = this.connection.failure('capabilities', error);
      const missing = failure instanceof SwitchError && failure.codeName === 'UNIMPLEMENTED';
      if (missing) return { apiVersion: '1.0.0' };
      throw failure;
    }
  }

  /**
   * Becomes primary, also where the former one has gone and its election id is above the own one.
   * @throws NotPrimaryError when another controller is there, SwitchError when the stream fails.
   */
  async becomePrimary(): Promise<void> {
    await this.session.becomePrimary();
  }

  /**
   * Bids for the primary role and takes the answer as it is.
   * @param electionId for this bid and all requests after it.
   * @throws SwitchError when the stream fails, as it does for an id that another controller uses.
   */
  async bid(electionId?: bigint): Promise<Standing> {
    return this.session.bid(electionId);
  }

  /** Asks whether the switch could run a program; nothing changes. @throws SwitchError */
  async verifyPipeline(pipeline: Pipeline): Promise<void> {
    await this.setPipeline('verify', pipeline);
  }

  /** Replaces the program and clears all state. @throws SwitchError; then nothing has changed. */
  async pushPipeline(pipeline: Pipeline): Promise<void> {
    await this.setPipeline('verify-and-commit', pipeline);
    this.useP4Info(pipeline.p4info);
  }

  /**
   * Replaces the program and keeps the state that fits it. bmv2 offers this too, but loses all state
   * when the program has indirect counters or meters. @throws SwitchError
   */
  async reconcilePipeline(pipeline: Pipeline): Promise<void> {
    await this.setPipeline('reconcile-and-commit', pipeline);
    this.useP4Info(pipeline.p4info);
  }

  /**
   * Sees to it that the switch runs this program: what it runs already is known by its cookie, which
   * is the pipeline's own or one made from its contents, and left alone with all state.
   * @throws SwitchError
   */
  async ensurePipeline(pipeline: Pipeline): Promise<'kept' | 'pushed'> {
    const cookie = pipelineCookie(pipeline);
    const running = await this.getPipeline('cookie');
    if (running.cookie === cookie) {
      this.useP4Info(pipeline.p4info);
      return 'kept';
    }
    await this.pushPipeline({ ...pipeline, cookie });
    return 'pushed';
  }

  /** Any action of SetForwardingPipelineConfig. @throws SwitchError */
  async setPipeline(action: PipelineAction, pipeline?: Pipeline): Promise<void> {
    await setPipeline(this.connection, this.session.sender, action, pipeline);
  }

  /** Reads the program that the switch runs, or the parts of it that are asked for. @throws SwitchError */
  async getPipeline(parts?: PipelineParts): Promise<RunningPipeline> {
    return getPipeline(this.connection, this.options.deviceId, parts);
  }

  /** Names entities by this P4Info, for a switch whose program is already in place. */
  useP4Info(p4info: P4Info): void {
    this.index = P4InfoIndex.of(p4info);
  }

  /**
   * Writes updates in order; a refused update does not stop those after it.
   * @throws InputError before anything is sent, SwitchError when a whole batch is refused.
   */
  async write(updates: readonly EntityUpdate[], options?: WriteOptions): Promise<WriteResult> {
    const request = { sender: this.session.sender, index: this.requireIndex(), ...options };
    return writeUpdates(this.connection, request, updates);
  }

  /** Writes one kind of update for all entities. @throws WriteFailedError listing the refused. */
  async writeAll(type: UpdateType, entities: readonly NamedEntity[]): Promise<void> {
    const updates = entities.map((entity) => ({ type, entity }));
    const { outcomes, failures } = await this.write(updates);
    if (failures.length > 0) throw new WriteFailedError(this.place, failures, outcomes.length);
  }

  /** Reads entities one by one. @throws SwitchError */
  read(...filters: readonly ReadFilter[]): AsyncGenerator<NamedEntity> {
    const { deviceId, role } = this.session.sender;
    return readEntities(this.connection, { deviceId, role }, this.requireIndex(), filters);
  }

  /** Reads everything that the filters let through. @throws SwitchError */
  async readAll(...filters: readonly ReadFilter[]): Promise<NamedEntity[]> {
    const found: NamedEntity[] = [];
    for await (const entity of this.read(...filters)) found.push(entity);
    return found;
  }

  /**
   * Sends a packet into the data plane; resolves when it is on its way. Whether the switch takes it
   * is told by an event, if at all.
   * @throws InputError for metadata that P4Info lacks, SwitchError when the stream has ended.
   */
  async packetOut(packet: PacketOut): Promise<void> {
    const message = encodePacketOut(this.requireIndex(), packet);
    await this.session.send(new p4.StreamMessageRequest({ packet: message }));
  }

  /** Acknowledges a digest list, where this is not done by itself. @throws SwitchError */
  async acknowledge({ digest, listId }: Pick<DigestList, 'digest' | 'listId'>): Promise<void> {
    const digestAck = new p4.DigestListAck({
      digestId: this.requireIndex().digests.get(digest).id,
      listId: unsigned64(listId, `digest '${digest}', list id`),
    });
    await this.session.send(new p4.StreamMessageRequest({ digestAck }));
  }

  /** Ends the stream and the connection. */
  close(): void {
    this.session.close();
    this.connection.close();
  }

  private requireIndex(): P4InfoIndex {
    if (this.index !== undefined) return this.index;
    throw new InputError(`${this.place}: no P4Info yet: push a pipeline or name a P4Info first`);
  }
}
