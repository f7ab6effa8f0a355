import { InputError } from '../../common/errors';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { EntityUpdate, NamedEntity } from '../intent/entities';
import { Connection } from './connection';
import type { ConnectionOptions } from './connection';
import { SwitchError } from './errors';
import { getPipeline, setPipeline } from './pipeline';
import type { Pipeline, PipelineAction, RunningPipeline } from './pipeline';
import { readEntities } from './read';
import type { ReadFilter } from './read';
import { Session } from './session';
import type { SessionOptions, Standing } from './session';
import { writeUpdates } from './write';
import type { WriteResult } from './write';

export type ClientOptions = ConnectionOptions & SessionOptions;

/**
 * A controller of one device: connects, becomes primary, sets the pipeline, writes and reads by
 * name. Refused updates are values; everything else that fails throws a SwitchError.
 */
export class P4RuntimeClient {
  private readonly session: Session;
  private index: P4InfoIndex | undefined;

  private constructor(
    private readonly connection: Connection,
    private readonly options: ClientOptions,
  ) {
    this.session = new Session(connection, options);
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

  /** Calls back on every change of standing, and once when the stream ends. */
  watch(listener: (change: Standing | SwitchError) => void): void {
    this.session.watch(listener);
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

  /** @throws NotPrimaryError when another controller is. */
  async becomePrimary(): Promise<void> {
    await this.session.becomePrimary();
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

  /** Any action of SetForwardingPipelineConfig. @throws SwitchError */
  async setPipeline(action: PipelineAction, pipeline?: Pipeline): Promise<void> {
    await setPipeline(this.connection, this.options, action, pipeline);
  }

  /** What the switch runs. @throws SwitchError */
  async getPipeline(): Promise<RunningPipeline> {
    return getPipeline(this.connection, this.options.deviceId);
  }

  /** Names entities by this P4Info, for a switch whose program is already in place. */
  useP4Info(p4info: P4Info): void {
    this.index = new P4InfoIndex(p4info);
  }

  /**
   * Writes updates in order.
   * @throws InputError before anything is sent, SwitchError when a whole batch is refused.
   */
  async write(updates: readonly EntityUpdate[]): Promise<WriteResult> {
    return writeUpdates(this.connection, this.options, this.requireIndex(), updates);
  }

  /** Reads entities one by one. @throws SwitchError */
  read(...filters: readonly ReadFilter[]): AsyncGenerator<NamedEntity> {
    return readEntities(this.connection, this.options.deviceId, this.requireIndex(), filters);
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
