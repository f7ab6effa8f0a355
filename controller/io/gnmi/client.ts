import type { CallOptions, requestCallback } from '@grpc/grpc-js';
import { codeName } from '../../../common/p4runtime/rpc-code';
import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import { gNMIClient } from '../../../common/p4runtime/generated/gnmi/gnmi-client';
import { quietGrpc } from '../../../common/p4runtime/io/quiet-grpc';
import { ENCODINGS, SET_OPERATIONS } from '../../gnmi/notification';
import type {
  GnmiDataType,
  GnmiEncoding,
  GnmiNotification,
  GnmiOperation,
  GnmiUpdate,
} from '../../gnmi/notification';
import type { GnmiPath } from '../../gnmi/path';
import {
  channelCredentials,
  channelOptions,
  isServiceError,
  untilOpen,
} from '../../p4runtime/session/connection';
import type { ConnectionOptions } from '../../p4runtime/session/connection';
import { SwitchError } from '../../p4runtime/session/errors';
import { DATA_TYPE, ENCODING, subscribeRequest } from './subscribe-request';
import { EMPTY, pathMessage, readNotification, readPath, updateMessage } from './messages';
import type { SubscribeOptions } from './subscribe-request';
import { GnmiSubscription } from './subscription';

/** Address, deadline in ms, and credentials, as for P4Runtime. */
export type GnmiConnectOptions = Omit<ConnectionOptions, 'name'>;

export interface GnmiCapabilities {
  readonly version: string;
  readonly encodings: readonly string[];
  readonly models: readonly {
    readonly name: string;
    readonly organization: string;
    readonly version: string;
  }[];
}

/** The changes of one transaction, which a device makes in this order. */
export interface GnmiChanges {
  readonly deletes?: readonly GnmiPath[];
  readonly replaces?: readonly GnmiUpdate[];
  readonly updates?: readonly GnmiUpdate[];
}

export interface GnmiSetResult {
  /** Nanoseconds of Unix time, by the clock of the device. */
  readonly timestamp: bigint;
  readonly results: readonly { readonly path: GnmiPath; readonly operation: GnmiOperation }[];
}

export interface GetOptions {
  /** Everything unless given. */
  readonly type?: GnmiDataType;
  /** JSON unless given, as in the specification. */
  readonly encoding?: GnmiEncoding;
}

/** A gNMI 0.10 client of one device: its configuration and state as paths and values. */
export class GnmiClient {
  /** First words of messages about the device. */
  readonly place: string;
  private readonly subscriptions = new Set<GnmiSubscription>();
  private closed = false;

  private constructor(
    private readonly stub: gNMIClient,
    private readonly deadline: number,
    address: string,
  ) {
    this.place = `gNMI at ${address}`;
  }

  /** @throws SwitchUnreachableError when nobody answers within the deadline. */
  static async connect(options: GnmiConnectOptions): Promise<GnmiClient> {
    quietGrpc();
    const { address, deadline } = options;
    const stub = new gNMIClient(address, channelCredentials(options), channelOptions(options));
    const client = new GnmiClient(stub, deadline, address);
    try {
      await untilOpen(stub, { place: client.place, deadline }, (call, done) =>
        stub.Capabilities(new gnmi.CapabilityRequest({}), call, done),
      );
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** Asks for the capabilities of the device. @throws SwitchError, as every call, when it is refused. */
  async capabilities(): Promise<GnmiCapabilities> {
    const response = await this.unary<gnmi.CapabilityResponse>('Capabilities', (options, done) =>
      this.stub.Capabilities(new gnmi.CapabilityRequest({}), options, done),
    );
    return {
      version: response.gNMIVersion,
      encodings: response.supportedEncodings.map(encodingName),
      models: response.supportedModels.map(({ name, organization, version }) => {
        return { name, organization, version };
      }),
    };
  }

  /** Reads subtrees once. */
  async get(
    paths: readonly GnmiPath[],
    { type = 'all', encoding = 'json' }: GetOptions = {},
  ): Promise<readonly GnmiNotification[]> {
    const request = new gnmi.GetRequest({
      path: paths.map(pathMessage),
      type: DATA_TYPE[type],
      encoding: ENCODING[encoding],
    });
    const response = await this.unary<gnmi.GetResponse>('Get', (options, done) =>
      this.stub.Get(request, options, done),
    );
    return response.notification.map(readNotification);
  }

  /** Makes all changes or none. */
  async set({ deletes = [], replaces = [], updates = [] }: GnmiChanges): Promise<GnmiSetResult> {
    const request = new gnmi.SetRequest({
      delete: deletes.map(pathMessage),
      replace: replaces.map(updateMessage),
      update: updates.map(updateMessage),
    });
    const response = await this.unary<gnmi.SetResponse>('Set', (options, done) =>
      this.stub.Set(request, options, done),
    );
    const results = response.response.map(({ hasPath, path, op }) => {
      const place = readPath(hasPath ? path : EMPTY);
      return { path: place, operation: SET_OPERATIONS[op] ?? 'invalid' };
    });
    return { timestamp: BigInt(response.timestamp), results };
  }

  /**
   * Subscribes to subtrees. Failures come out of the iterator. Only a subscription of mode `once`
   * has the deadline of a call.
   */
  subscribe(paths: readonly GnmiPath[], options: SubscribeOptions): GnmiSubscription {
    if (this.closed) throw this.failure('Subscribe', undefined);
    const request = subscribeRequest(paths, options);
    const endsAtSync = options.mode === 'once';
    const call = this.stub.Subscribe(endsAtSync ? { deadline: this.until() } : {});
    const subscription: GnmiSubscription = new GnmiSubscription(call, {
      endsAtSync,
      failure: (error) => this.failure('Subscribe', error),
      detach: () => this.subscriptions.delete(subscription),
    });
    this.subscriptions.add(subscription);
    call.write(request);
    return subscription;
  }

  /** Ends the subscriptions, whose loops then end, and the connection. */
  close(): void {
    this.closed = true;
    for (const each of this.subscriptions) each.end();
    this.stub.close();
  }

  private unary<Response>(what: string, start: Start<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw this.failure(what, undefined);
      start({ deadline: this.until() }, (error, response) => {
        if (response !== undefined) resolve(response);
        else reject(this.failure(what, error));
      });
    });
  }

  private failure(what: string, error: unknown): SwitchError {
    if (this.closed || !isServiceError(error)) {
      return new SwitchError(this.place, `${what}: the connection was closed`, 'CANCELLED');
    }
    const name = codeName(error.code);
    return new SwitchError(this.place, `${what}: ${name}: ${error.details}`, name);
  }

  private until(): number {
    return Date.now() + this.deadline;
  }
}

type Start<Response> = (options: CallOptions, done: requestCallback<Response>) => unknown;

function encodingName(number: number): string {
  return ENCODINGS[number] ?? `encoding ${number}`;
}
