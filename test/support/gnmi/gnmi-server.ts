import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { sendUnaryData, ServerDuplexStream, ServerUnaryCall } from '@grpc/grpc-js';
import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import { parsePath, printPath } from '../../../controller/gnmi/path';
import type { PathElement } from '../../../controller/gnmi/path';
import type { GnmiValue } from '../../../controller/gnmi/value';
import {
  pathMessage,
  readPath,
  readValue,
  updateMessage,
  valueMessage,
} from '../../../controller/io/gnmi/messages';

type Stream = ServerDuplexStream<gnmi.SubscribeRequest, gnmi.SubscribeResponse>;
type UnaryCall<Request, Response> = ServerUnaryCall<Request, Response>;

/** A device with a tree of values by the text of their paths, served over gNMI on loopback. */
export class GnmiServer {
  readonly tree = new Map<string, GnmiValue>();
  /** The subscriptions that were asked for, as they came. */
  readonly subscriptions: gnmi.SubscriptionList[] = [];
  /** Streams that live. */
  readonly streams = new Set<Stream>();
  /** True if calls are left without an answer. */
  silent = false;
  /** Takes what is put in place of the whole tree; nobody may where there is none. */
  replaceRoot: ((config: Uint8Array) => void) | undefined;
  /** Encodings that it does not answer in. */
  readonly refusedEncodings = new Set([gnmi.Encoding.BYTES]);
  port = 0;
  private readonly server = new Server();

  static async start(credentials = ServerCredentials.createInsecure()): Promise<GnmiServer> {
    const own = new GnmiServer();
    own.server.addService(gnmi.UnimplementedgNMIService.definition, {
      Capabilities: own.capabilities,
      Get: own.get,
      Set: own.set,
      Subscribe: own.subscribe,
    });
    own.port = await new Promise((resolve, reject) =>
      own.server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      }),
    );
    return own;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Changes a value, and tells those who have subscribed. */
  change(path: string, value: GnmiValue): void {
    this.tree.set(path, value);
    for (const stream of this.streams) stream.write(this.response([[path, value]]));
  }

  stop(): void {
    this.server.forceShutdown();
  }

  private readonly capabilities = (
    _call: UnaryCall<gnmi.CapabilityRequest, gnmi.CapabilityResponse>,
    done: sendUnaryData<gnmi.CapabilityResponse>,
  ): void => {
    if (this.silent) return;
    const model = new gnmi.ModelData({ name: 'interfaces', organization: 'test', version: '1.0' });
    const response = new gnmi.CapabilityResponse({
      supportedModels: [model],
      supportedEncodings: [gnmi.Encoding.JSON, gnmi.Encoding.PROTO],
      gNMIVersion: '0.10.0',
    });
    done(null, response);
  };

  private readonly get = (
    call: UnaryCall<gnmi.GetRequest, gnmi.GetResponse>,
    done: sendUnaryData<gnmi.GetResponse>,
  ): void => {
    const { path: paths, encoding } = call.request;
    if (this.refusedEncodings.has(encoding)) {
      const details = `no encoding ${gnmi.Encoding[encoding]}`;
      done({ code: status.UNIMPLEMENTED, details });
      return;
    }
    const found = paths.map((path) => this.below(path));
    const missing = found.findIndex((each) => each.length === 0);
    if (missing >= 0) {
      const text = printPath(readPath(paths[missing] ?? new gnmi.Path()));
      done({ code: status.NOT_FOUND, details: `no value below ${text}` });
      return;
    }
    const notification = found.map((each) => this.notification(each));
    done(null, new gnmi.GetResponse({ notification }));
  };

  private readonly set = (
    call: UnaryCall<gnmi.SetRequest, gnmi.SetResponse>,
    done: sendUnaryData<gnmi.SetResponse>,
  ): void => {
    const { UpdateResultOperation: Operation } = gnmi;
    const response: gnmi.UpdateResult[] = [];
    const removeBelow = (path: gnmi.Path): void => {
      for (const [text] of this.below(path)) this.tree.delete(text);
    };
    for (const path of call.request.delete) {
      removeBelow(path);
      response.push(new gnmi.UpdateResult({ path, op: Operation.DELETE }));
    }
    for (const { path, val } of call.request.replace) {
      const value = readValue(val);
      if (path.elem.length === 0 && value.kind === 'bytes' && this.replaceRoot !== undefined) {
        this.replaceRoot(value.value);
        response.push(new gnmi.UpdateResult({ path, op: Operation.REPLACE }));
        continue;
      }
      removeBelow(path);
      this.tree.set(printPath(readPath(path)), value);
      response.push(new gnmi.UpdateResult({ path, op: Operation.REPLACE }));
    }
    for (const { path, val } of call.request.update) {
      this.tree.set(printPath(readPath(path)), readValue(val));
      response.push(new gnmi.UpdateResult({ path, op: Operation.UPDATE }));
    }
    done(null, new gnmi.SetResponse({ response, timestamp: '7' }));
  };

  private readonly subscribe = (stream: Stream): void => {
    this.streams.add(stream);
    const forget = (): boolean => this.streams.delete(stream);
    stream.on('cancelled', forget).on('error', forget).on('end', forget);
    let wanted: gnmi.SubscriptionList | undefined;
    stream.on('data', (request: gnmi.SubscribeRequest) => {
      if (request.hasSubscribe) {
        wanted = request.subscribe;
        this.subscriptions.push(wanted);
        if (wanted.mode === gnmi.SubscriptionListMode.POLL) return;
      }
      if (this.silent || wanted === undefined) return;
      const found = wanted.subscription.flatMap(({ path }) => this.below(path));
      if (found.length === 0) {
        const code = status.INVALID_ARGUMENT;
        stream.emit('error', { code, details: 'no such path' });
        return;
      }
      stream.write(this.response(found));
      stream.write(new gnmi.SubscribeResponse({ syncResponse: true }));
      if (wanted.mode === gnmi.SubscriptionListMode.ONCE) stream.end();
    });
  };

  private below(path: gnmi.Path): readonly (readonly [string, GnmiValue])[] {
    const wanted = readPath(path).elements;
    return [...this.tree].filter(([each]) => isBelow(parsePath(each).elements, wanted));
  }

  private response(values: readonly (readonly [string, GnmiValue])[]): gnmi.SubscribeResponse {
    return new gnmi.SubscribeResponse({ update: this.notification(values) });
  }

  /** With the first element of the first path as prefix, as devices like to do. */
  private notification(values: readonly (readonly [string, GnmiValue])[]): gnmi.Notification {
    const paths = values.map(([text]) => parsePath(text));
    const prefix = pathMessage({
      origin: '',
      target: '',
      elements: paths[0]?.elements.slice(0, 1) ?? [],
    });
    const update = values.map(([, value], i) => {
      const { elements = [], origin = '', target = '' } = paths[i] ?? {};
      const made = updateMessage({
        path: { origin, target, elements: elements.slice(1) },
        value: { kind: 'none' },
      });
      made.val = valueMessage(value);
      return made;
    });
    return new gnmi.Notification({ timestamp: '1700000000000000001', prefix, update });
  }
}

/** True if a path begins as another says, in which a key may be any (`*`). */
function isBelow(path: readonly PathElement[], wanted: readonly PathElement[]): boolean {
  return wanted.every(({ name, keys }, i) => {
    const found = path[i];
    const has = ([key, value]: [string, string]): boolean =>
      value === '*' || found?.keys[key] === value;
    return found?.name === name && Object.entries(keys).every(has);
  });
}
