import { credentials } from '@grpc/grpc-js';
import type { ClientDuplexStream, ServiceError, StatusObject } from '@grpc/grpc-js';
import { decodeStatusDetails, STATUS_DETAILS_KEY } from '../../../common/p4runtime/codes';
import { codeName } from '../../../common/p4runtime/rpc-code';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { electionIdMessage } from '../../../common/p4runtime/election-id';

/** End of a call: the name of its status code, and the codes of a batch's elements. */
export interface CallStatus {
  readonly code: string;
  readonly message: string;
  readonly elements?: readonly { readonly code: string; readonly message: string }[];
}

/** P4Runtime message by message, to say what a well-behaved client would not. */
export class RawController {
  private readonly stub: P4RuntimeClient;
  private stream: ClientDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse> | undefined;
  private readonly received: p4.StreamMessageResponse[] = [];
  private readonly waiting: ((message: p4.StreamMessageResponse) => void)[] = [];
  private streamEnd: Promise<CallStatus> | undefined;

  constructor(
    address: string,
    private readonly deviceId: bigint,
  ) {
    this.stub = new P4RuntimeClient(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
  }

  /** Sends a bid; without an id the controller can only be a backup. */
  bid(electionId: bigint | undefined, changes: Partial<p4.MasterArbitrationUpdate> = {}): void {
    const arbitration = new p4.MasterArbitrationUpdate({ deviceId: String(this.deviceId) });
    if (electionId !== undefined) arbitration.electionId = electionIdMessage(electionId);
    Object.assign(arbitration, changes);
    this.send(new p4.StreamMessageRequest({ arbitration }));
  }

  send(message: p4.StreamMessageRequest): void {
    this.stream ??= this.openStream();
    this.stream.write(message);
  }

  /** The next message of the stream, whenever it comes. */
  next(): Promise<p4.StreamMessageResponse> {
    const message = this.received.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The next message as a standing: the status code's name and the highest election id. */
  async standing(): Promise<readonly [string, string | undefined]> {
    const { arbitration } = await this.next();
    const { high, low } = arbitration.hasElectionId
      ? arbitration.electionId
      : { high: '', low: undefined };
    const highest = low === undefined ? undefined : String((BigInt(high) << 64n) | BigInt(low));
    return [codeName(arbitration.hasStatus ? arbitration.status.code : 0), highest];
  }

  /** Waits until the server has taken what was sent on the stream: bids answer in order. */
  async settle(electionId = 1n): Promise<void> {
    await this.bidAndWait(electionId);
  }

  /** Bids and waits for the answer. */
  async bidAndWait(electionId: bigint | undefined): Promise<string> {
    this.bid(electionId);
    return (await this.standing())[0];
  }

  /** The status of the stream once it ends. */
  async ended(): Promise<CallStatus> {
    return this.streamEnd ?? { code: 'OK', message: 'never opened' };
  }

  async write(
    electionId: bigint | undefined,
    updates: p4.Update[],
    changes: Partial<p4.WriteRequest> = {},
  ): Promise<CallStatus> {
    const request = new p4.WriteRequest({ deviceId: String(this.deviceId), updates });
    if (electionId !== undefined) request.electionId = electionIdMessage(electionId);
    Object.assign(request, changes);
    return this.status((callback) => this.stub.Write(request, callback));
  }

  /** Calls Write with these bytes as its request. */
  writeBytes(request: Uint8Array): Promise<CallStatus> {
    return this.callBytes('Write', request);
  }

  /** Calls a method that has one answer with these bytes as its request. */
  callBytes(method: string, request: Uint8Array): Promise<CallStatus> {
    const path = `/p4.v1.P4Runtime/${method}`;
    const same = (bytes: Buffer): Buffer => bytes;
    return this.status((callback) =>
      this.stub.makeUnaryRequest(path, same, same, Buffer.from(request), callback),
    );
  }

  async setPipeline(
    electionId: bigint,
    action: p4.SetForwardingPipelineConfigRequestAction,
    config?: p4.ForwardingPipelineConfig,
    role = '',
  ): Promise<CallStatus> {
    const request = new p4.SetForwardingPipelineConfigRequest({
      deviceId: String(this.deviceId),
      role,
      electionId: electionIdMessage(electionId),
      action,
    });
    if (config !== undefined) request.config = config;
    return this.status((callback) => this.stub.SetForwardingPipelineConfig(request, callback));
  }

  async getPipeline(
    responseType: p4.GetForwardingPipelineConfigRequestResponseType,
    deviceId = this.deviceId,
  ): Promise<p4.GetForwardingPipelineConfigResponse | CallStatus> {
    const request = new p4.GetForwardingPipelineConfigRequest({
      deviceId: String(deviceId),
      responseType,
    });
    return new Promise((resolve) => {
      this.stub.GetForwardingPipelineConfig(request, (error, response) =>
        resolve(response ?? statusOf(error)),
      );
    });
  }

  async capabilities(deviceId: bigint): Promise<string> {
    const request = new p4.CapabilitiesRequest({ deviceId: String(deviceId) });
    return new Promise((resolve) => {
      this.stub.Capabilities(request, (error, response) =>
        resolve(response?.p4runtimeApiVersion ?? statusOf(error).code),
      );
    });
  }

  /** Reads to the end. */
  read(
    entities: p4.Entity[],
    deviceId = this.deviceId,
    role = '',
  ): Promise<{ readonly responses: p4.ReadResponse[]; readonly status: CallStatus }> {
    const request = new p4.ReadRequest({ deviceId: String(deviceId), entities, role });
    const call = this.stub.Read(request);
    const responses: p4.ReadResponse[] = [];
    return new Promise((resolve) => {
      call.on('data', (response: p4.ReadResponse) => responses.push(response));
      call.on('error', (error: ServiceError) => resolve({ responses, status: statusOf(error) }));
      call.on('end', () => resolve({ responses, status: statusOf(null) }));
    });
  }

  close(): void {
    this.stream?.cancel();
    this.stub.close();
  }

  private openStream(): NonNullable<RawController['stream']> {
    const stream = this.stub.StreamChannel();
    stream.on('data', (message: p4.StreamMessageResponse) => {
      const waiter = this.waiting.shift();
      if (waiter === undefined) this.received.push(message);
      else waiter(message);
    });
    this.streamEnd = new Promise((resolve) => {
      stream.on('error', () => undefined);
      stream.on('status', ({ code, details }: StatusObject) =>
        resolve({ code: codeName(code), message: details }),
      );
    });
    return stream;
  }

  private status(
    start: (callback: (error: ServiceError | null) => void) => unknown,
  ): Promise<CallStatus> {
    return new Promise((resolve) => start((error) => resolve(statusOf(error))));
  }
}

function statusOf(error: ServiceError | null): CallStatus {
  if (error === null) return { code: 'OK', message: '' };
  const [trailer] = error.metadata.get(STATUS_DETAILS_KEY);
  const details = decodeStatusDetails(trailer instanceof Uint8Array ? trailer : undefined);
  const elements = details?.map(({ code, message }) => ({ code: codeName(code), message }));
  const status = { code: codeName(error.code), message: error.details };
  return elements === undefined ? status : { ...status, elements };
}
