import {
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
} from '@grpc/grpc-js';
import type {
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
} from '@grpc/grpc-js';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../common/p4runtime/p4info';
import { startP4RuntimeServer } from '../../../switch/server/server';
import type { P4RuntimeServer } from '../../../switch/server/server';
import { programOfP4Info } from '../p4runtime/program-of-p4info';
import { ServedStateSwitch } from '../p4runtime/served-state-switch';

/**
 * Our P4Runtime server posing as Stratum on Tofino: it takes that target's device configuration,
 * keeps it as it came, and has the tables that the P4Info with it declares. All other calls go
 * through to a server of switches of state alone, byte for byte.
 */
export class TofinoTarget {
  /** The device configuration of each device, as it came. */
  readonly configs = new Map<string, Uint8Array>();

  private constructor(
    readonly devices: readonly ServedStateSwitch[],
    private readonly behind: P4RuntimeServer,
    private readonly front: Server,
    readonly address: string,
  ) {}

  /** Devices 1 to `count`, behind one address. */
  static async start(count: number): Promise<TofinoTarget> {
    const devices = Array.from({ length: count }, () => new ServedStateSwitch());
    const behind = await startP4RuntimeServer({
      devices: new Map(devices.map((device, i) => [i + 1, device])),
      address: '127.0.0.1:0',
    });
    const front = new Server({ 'grpc.max_receive_message_length': -1 });
    const port = await new Promise<number>((resolve, reject) => {
      front.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    const target = new TofinoTarget(devices, behind, front, `127.0.0.1:${port}`);
    front.addService(RAW, target.relay(`127.0.0.1:${behind.port}`));
    return target;
  }

  async stop(): Promise<void> {
    this.front.forceShutdown();
    await this.behind.stop();
  }

  private relay(address: string): Record<string, Handler> {
    const channel = new Client(address, credentials.createInsecure());
    const unary =
      (
        name: string,
        change: (bytes: Buffer) => Buffer,
        back = same,
      ): handleUnaryCall<Buffer, Buffer> =>
      (call, callback) => {
        const { path } = method(name);
        channel.makeUnaryRequest(path, same, same, change(call.request), (error, answer) =>
          callback(error, answer && back(answer)),
        );
      };
    const read: handleServerStreamingCall<Buffer, Buffer> = (call) => {
      const { path } = method('Read');
      const stream = channel.makeServerStreamRequest(path, same, same, call.request);
      stream.on('error', (error) => call.emit('error', error));
      stream.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end());
    };
    const stream: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
      const through = channel.makeBidiStreamRequest(method('StreamChannel').path, same, same);
      call.on('cancelled', () => through.cancel());
      call.on('data', (bytes: Buffer) => through.write(bytes)).on('end', () => through.end());
      through.on('error', (error) => call.emit('error', error));
      through.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end());
    };
    return {
      ...{ Write: unary('Write', same), Capabilities: unary('Capabilities', same) },
      ...{ Read: read, StreamChannel: stream },
      SetForwardingPipelineConfig: unary('SetForwardingPipelineConfig', (bytes) =>
        this.#set(bytes),
      ),
      GetForwardingPipelineConfig: unary('GetForwardingPipelineConfig', same, (b) => this.#get(b)),
    };
  }

  #set(bytes: Buffer): Buffer {
    const request = p4.SetForwardingPipelineConfigRequest.deserialize(bytes);
    this.configs.set(request.deviceId, request.config.p4DeviceConfig);
    const program = programOfP4Info(new P4InfoIndex(request.config.p4info));
    request.config.p4DeviceConfig = Uint8Array.from(Buffer.from(program));
    return Buffer.from(request.serialize());
  }

  /** What came is what is told: the answer says no device, but all have the same program. */
  #get(bytes: Buffer): Buffer {
    const answer = p4.GetForwardingPipelineConfigResponse.deserialize(bytes);
    const [came] = this.configs.values();
    if (answer.hasConfig && answer.config.p4DeviceConfig.length > 0 && came !== undefined)
      answer.config.p4DeviceConfig = came;
    return Buffer.from(answer.serialize());
  }
}

type Handler =
  | handleUnaryCall<Buffer, Buffer>
  | handleServerStreamingCall<Buffer, Buffer>
  | handleBidiStreamingCall<Buffer, Buffer>;

const same = (bytes: Buffer): Buffer => bytes;

/** The service of P4Runtime with messages as they are on the wire. */
const RAW: ServiceDefinition = Object.fromEntries(
  Object.entries(p4.UnimplementedP4RuntimeService.definition).map(
    ([name, { path, ...streams }]) => [
      name,
      {
        path,
        ...{ requestStream: streams.requestStream, responseStream: streams.responseStream },
        ...{ requestSerialize: same, requestDeserialize: same },
        ...{ responseSerialize: same, responseDeserialize: same },
      },
    ],
  ),
);

function method(name: string): ServiceDefinition[string] {
  const found = RAW[name];
  if (found === undefined) throw new Error(`P4Runtime has no ${name}`);
  return found;
}

const Client = makeGenericClientConstructor(RAW, 'P4Runtime');
