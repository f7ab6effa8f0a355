import {
  Metadata,
  Server,
  ServerCredentials,
  credentials as clientCredentials,
  status,
} from '@grpc/grpc-js';
import type {
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  sendUnaryData,
} from '@grpc/grpc-js';
import { RpcError } from '../../../../../common/p4runtime/codes';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import type { Random } from '../../../../../common/random/random';
import { BatchError, Outcomes } from '../../../../../switch/server/errors/outcomes';
import { serviceError } from '../../../../../switch/server/errors/status';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

/** Faults of one call or of the stream. */
export type Fault =
  /** The request never arrives. */
  | 'lost-request'
  /** The switch does it, but nobody hears. */
  | 'lost-response'
  /** The connection breaks in the middle of a batch. */
  | 'half-batch'
  /** Some updates of a batch are refused. */
  | 'refusals'
  /** The switch dies in the middle of a batch, and starts without any state. */
  | 'restart'
  /** The answer takes some ms. */
  | 'slow'
  /** The stream ends, the calls go on. */
  | 'stream-cut';

const FAULTS: readonly Fault[] = [
  'lost-request',
  'lost-response',
  'half-batch',
  'refusals',
  'restart',
  'slow',
  'stream-cut',
];

const SLOW_MS = 3;

type Unary<Request> = ServerUnaryCall<Request, unknown>;
type Callback<Response> = sendUnaryData<Response>;
type StreamCall = ServerDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse>;
type UnaryMethod = 'GetForwardingPipelineConfig' | 'SetForwardingPipelineConfig' | 'Capabilities';

/**
 * A P4Runtime server in front of an embedded switch that makes faults, as many as it is told and
 * drawn from a seed. When all have been made, it only passes on what comes.
 */
export class FaultyProxy {
  /** Faults that have happened, in order. */
  readonly made: Fault[] = [];
  device = new StateSwitch();
  private behind: P4RuntimeServer | undefined;
  private stub: P4RuntimeClient | undefined;
  private readonly server = new Server();
  private readonly streams = new Set<StreamCall>();
  private port = 0;
  private restarting: Promise<void> | undefined;

  private constructor(
    private readonly random: Random,
    private faultsLeft: number,
  ) {}

  static async start(random: Random, faults: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(random, faults);
    await proxy.startDevice();
    proxy.server.addService(p4.UnimplementedP4RuntimeService.definition, new Service(proxy));
    proxy.port = await new Promise((resolve, reject) => {
      proxy.server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    return proxy;
  }

  /** Where controllers connect. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The switch itself, past all faults. */
  get directAddress(): string {
    return `127.0.0.1:${this.behind?.port}`;
  }

  async stop(): Promise<void> {
    await this.restarting;
    this.server.forceShutdown();
    this.stub?.close();
    await this.behind?.stop();
  }

  /** Draws whether something goes wrong now, and what. */
  draw(): Fault | undefined {
    if (this.faultsLeft === 0 || this.random.below(3) !== 0) return undefined;
    this.faultsLeft -= 1;
    const fault = FAULTS[this.random.below(FAULTS.length)] ?? 'slow';
    this.made.push(fault);
    return fault;
  }

  below(bound: number): number {
    return this.random.below(bound);
  }

  /** Ends all streams. */
  cutStreams(): void {
    for (const call of this.streams) call.emit('error', failure('the stream was cut'));
    this.streams.clear();
  }

  /** The switch starts again with nothing. */
  restart(): Promise<void> {
    // Two calls may want it at once; the switch dies once.
    this.restarting ??= this.startAgain().finally(() => (this.restarting = undefined));
    return this.restarting;
  }

  private async startAgain(): Promise<void> {
    this.cutStreams();
    this.stub?.close();
    await this.behind?.stop();
    this.device = new StateSwitch();
    await this.startDevice();
  }

  write(request: p4.WriteRequest): Promise<Answer<p4.WriteResponse>> {
    return this.call((stub, done) => stub.Write(request, done));
  }

  unary(method: UnaryMethod, request: unknown): Promise<Answer<unknown>> {
    return this.call((stub, done) => {
      const start = stub[method] as unknown as (
        this: P4RuntimeClient,
        message: unknown,
        callback: Done<unknown>,
      ) => unknown;
      return start.call(stub, request, done);
    });
  }

  async read(request: p4.ReadRequest): Promise<p4.ReadResponse[]> {
    const found: p4.ReadResponse[] = [];
    const stream = this.upstream().Read(request) as AsyncIterable<p4.ReadResponse>;
    for await (const response of stream) found.push(response);
    return found;
  }

  /** Joins a controller's stream to one of the switch. */
  join(call: StreamCall): void {
    const stream = this.upstream().StreamChannel();
    this.streams.add(call);
    const end = (): void => {
      this.streams.delete(call);
      stream.cancel();
    };
    call.on('data', (message: p4.StreamMessageRequest) => stream.write(message));
    call.on('end', () => {
      end();
      call.end();
    });
    call.on('cancelled', end);
    call.on('error', end);
    stream.on('data', (message: p4.StreamMessageResponse) => call.write(message));
    stream.on('error', (error: ServiceError) => {
      if (this.streams.delete(call)) call.emit('error', error);
    });
  }

  private upstream(): P4RuntimeClient {
    if (this.stub === undefined) throw new Error('the switch has not started');
    return this.stub;
  }

  private call<T>(start: (stub: P4RuntimeClient, done: Done<T>) => unknown): Promise<Answer<T>> {
    return new Promise((resolve) => {
      start(this.upstream(), (error, response) => resolve({ error, response }));
    });
  }

  private async startDevice(): Promise<void> {
    const devices = new Map([[1, this.device]]);
    this.behind = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    const channel = clientCredentials.createInsecure();
    this.stub = new P4RuntimeClient(`127.0.0.1:${this.behind.port}`, channel);
  }
}

type Done<T> = (error: ServiceError | null, response?: T) => void;

interface Answer<T> {
  readonly error: ServiceError | null;
  readonly response?: T | undefined;
}

/** The calls, each passed on or spoilt. */
class Service extends p4.UnimplementedP4RuntimeService {
  readonly #proxy: FaultyProxy;

  constructor(proxy: FaultyProxy) {
    super();
    this.#proxy = proxy;
  }

  override Write(call: Unary<p4.WriteRequest>, callback: Callback<p4.WriteResponse>): void {
    void spoiltWrite(this.#proxy, call.request).then((answer) => reply(callback, answer));
  }

  override Read(call: ServerWritableStream<p4.ReadRequest, p4.ReadResponse>): void {
    void spoiltRead(this.#proxy, call);
  }

  override SetForwardingPipelineConfig(
    call: Unary<p4.SetForwardingPipelineConfigRequest>,
    callback: Callback<p4.SetForwardingPipelineConfigResponse>,
  ): void {
    void spoiltUnary(this.#proxy, 'SetForwardingPipelineConfig', call.request).then((answer) =>
      reply(callback, answer as Answer<p4.SetForwardingPipelineConfigResponse>),
    );
  }

  override GetForwardingPipelineConfig(
    call: Unary<p4.GetForwardingPipelineConfigRequest>,
    callback: Callback<p4.GetForwardingPipelineConfigResponse>,
  ): void {
    void spoiltUnary(this.#proxy, 'GetForwardingPipelineConfig', call.request).then((answer) =>
      reply(callback, answer as Answer<p4.GetForwardingPipelineConfigResponse>),
    );
  }

  override Capabilities(
    call: Unary<p4.CapabilitiesRequest>,
    callback: Callback<p4.CapabilitiesResponse>,
  ): void {
    void this.#proxy
      .unary('Capabilities', call.request)
      .then((answer) => reply(callback, answer as Answer<p4.CapabilitiesResponse>));
  }

  override StreamChannel(call: StreamCall): void {
    this.#proxy.join(call);
  }
}

async function spoiltWrite(
  proxy: FaultyProxy,
  request: p4.WriteRequest,
): Promise<Answer<p4.WriteResponse>> {
  const { updates } = request;
  switch (proxy.draw()) {
    case undefined:
      return proxy.write(request);
    case 'lost-request':
      return lost();
    case 'lost-response':
      await proxy.write(request);
      return lost();
    case 'half-batch':
      await proxy.write(withUpdates(request, updates.slice(0, proxy.below(updates.length))));
      return lost();
    case 'refusals':
      return refusing(proxy, request);
    case 'restart':
      await proxy.write(withUpdates(request, updates.slice(0, proxy.below(updates.length))));
      await proxy.restart();
      return lost();
    case 'slow':
      await pause();
      return proxy.write(request);
    case 'stream-cut': {
      const answer = await proxy.write(request);
      proxy.cutStreams();
      return answer;
    }
  }
}

/** Every third update from a random one on is refused, with a status for each of the batch. */
async function refusing(
  proxy: FaultyProxy,
  request: p4.WriteRequest,
): Promise<Answer<p4.WriteResponse>> {
  const first = proxy.below(3);
  const isRefused = (i: number): boolean => i % 3 === first;
  const passed = request.updates.filter((_, i) => !isRefused(i));
  const answer = await proxy.write(withUpdates(request, passed));
  if (answer.error !== null) return answer;
  const outcomes = request.updates.map((_, i) =>
    isRefused(i) ? new RpcError('RESOURCE_EXHAUSTED', 'no room today') : undefined,
  );
  if (outcomes.every((each) => each === undefined)) return answer;
  return { error: serviceError(new BatchError('write', Outcomes.of(outcomes))) };
}

async function spoiltRead(
  proxy: FaultyProxy,
  call: ServerWritableStream<p4.ReadRequest, p4.ReadResponse>,
): Promise<void> {
  const fault = proxy.draw();
  try {
    if (fault === 'slow') await pause();
    if (fault === 'restart') await proxy.restart();
    if (fault === 'stream-cut') proxy.cutStreams();
    const isLost = fault === 'lost-request' || fault === 'restart' || fault === 'half-batch';
    if (fault !== 'lost-request' && fault !== 'restart') {
      for (const response of await proxy.read(call.request)) call.write(response);
    }
    if (isLost) call.emit('error', failure('the connection broke'));
    else call.end();
  } catch (error) {
    call.emit('error', error);
  }
}

async function spoiltUnary(
  proxy: FaultyProxy,
  method: UnaryMethod,
  request: unknown,
): Promise<Answer<unknown>> {
  const fault = proxy.draw();
  if (fault === 'slow') await pause();
  if (fault === 'lost-request' || fault === 'half-batch') return lost();
  if (fault === 'restart') {
    await proxy.restart();
    return lost();
  }
  const answer = await proxy.unary(method, request);
  if (fault === 'stream-cut') proxy.cutStreams();
  return fault === 'lost-response' ? lost() : answer;
}

function withUpdates(request: p4.WriteRequest, updates: p4.Update[]): p4.WriteRequest {
  const { deviceId, electionId } = request;
  return new p4.WriteRequest({ deviceId, electionId, updates });
}

function reply<T>(callback: Callback<T>, { error, response }: Answer<T>): void {
  if (error !== null) callback(error);
  else callback(null, response);
}

const lost = <T>(): Answer<T> => ({ error: failure('the connection broke') });

function failure(details: string): ServiceError {
  const error = new Error(details);
  return Object.assign(error, {
    code: status.UNAVAILABLE,
    details,
    metadata: new Metadata(),
  });
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SLOW_MS));
