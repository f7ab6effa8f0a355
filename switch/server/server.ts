import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerUnaryCall,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { assert } from '../../common/assert';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { SYSTEM_CLOCK } from './streams/clock';
import type { ServerClock } from './streams/clock';
import type { ServedSwitch } from './state/served-switch';
import { Device, deviceOf } from './device';
import type { Devices } from './device';
import { setPipelineConfig } from './pipeline-config';
import type { Compatibility } from './roles/compatibility';
import { applyWrite } from './batches';
import { Limits } from './limits/limits';
import { answerPipelineConfig, answerRead } from './read-stream';
import type { PipelineConfigCall, ReadCall } from './read-stream';
import { CONFIG, ENTITIES, pushedConfig, UPDATES, writeBatch } from './requests';
import { parted } from './turns/repeated-field';
import type { PartedRequest } from './turns/repeated-field';
import { listenHere } from './listen-here';
import type { Listen, ServedMethod, TlsMaterial } from './listener';
import { StateVersion } from './state/state-version';
import { Turns } from './turns/turns';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import type { SharedState } from './state/running-pipeline';
import { respond, serviceError } from './errors/status';
import { serveStream } from './stream-channel';
import type { StreamRefusals } from './stream-channel';

/** The version of the specification that the server follows. */
export const P4RUNTIME_API_VERSION = '1.5.0';

export interface P4RuntimeServerOptions {
  /** The switches by device id; ids are at least 1, unless `acceptDeviceZero`. */
  readonly devices: ReadonlyMap<number | bigint, ServedSwitch>;
  /** Address to listen at, such as "127.0.0.1:0" for a free port. */
  readonly address: string;
  /** Certificates for TLS; without them connections are plain. */
  readonly tls?: TlsMaterial;
  /**
   * Rules to follow where bmv2 departs from the specification; the specification's unless given.
   */
  readonly compatible?: Compatibility;
  /** Receives each refusal on streams once. Default: none. */
  readonly log?: (sentence: string) => void;
  /** bmv2's own device id is 0, which the specification forbids because it means unset. */
  readonly acceptDeviceZero?: boolean;
  /** For tests; the machine's clock unless given. */
  readonly clock?: ServerClock;
  /** The usual ones unless given; they count how often they were met. */
  readonly limits?: Limits;
  /** Listener for calls; TCP, in this thread, unless given. */
  readonly listen?: Listen;
  /** Called when the server cannot stay open. */
  readonly failed?: (error: Error) => void;
}

export interface P4RuntimeServer {
  readonly port: number;
  /** Tells that a port has come up or gone down; all begin as up. */
  setPortUp(deviceId: number | bigint, port: number, up: boolean): void;
  /** For another server of the device. @throws AssertionError for an unknown device. */
  shared(deviceId: number | bigint): SharedState;
  /** Ends all streams and stops listening. */
  stop(): Promise<void>;
}

/**
 * Serves P4Runtime for several devices on one port.
 * @throws InputError when the address cannot be used.
 */
export async function startP4RuntimeServer(
  options: P4RuntimeServerOptions,
): Promise<P4RuntimeServer> {
  const { compatible = 'specification', clock = SYSTEM_CLOCK } = options;
  const { limits = new Limits() } = options;
  const turns = new Turns();
  const version = new StateVersion();
  const devices = new Map<bigint, Device>();
  for (const [id, control] of options.devices) {
    const valid = BigInt(id) > 0n || options.acceptDeviceZero === true;
    assert(valid, 'device ids are at least 1, because 0 means unset');
    devices.set(
      BigInt(id),
      new Device({ id: BigInt(id), control, compatible, clock, limits, turns, version }),
    );
  }
  const { listen = listenHere, address, tls, failed } = options;
  const { port, stop } = await listen({
    definition: servedMethods(limits),
    calls: serviceOf(devices, limits, refusalsOf(options)),
    address,
    limits,
    version,
    ...(tls && { tls }),
    ...(failed && { failed }),
  });
  return {
    port,
    setPortUp: (deviceId, number, up) => devices.get(BigInt(deviceId))?.setPortUp(number, up),
    shared: (deviceId) => {
      const device = devices.get(BigInt(deviceId));
      assert(device !== undefined, `the server has no device ${deviceId}`);
      return device.shared;
    },
    stop: () => {
      for (const device of devices.values()) device.stop();
      return stop();
    },
  };
}

/** Different sentences about refusals that are logged; clients that repeat themselves fill no disk. */
const LOGGED_MAX = 100;

function refusalsOf({ compatible, log }: P4RuntimeServerOptions): StreamRefusals {
  const logged = new Set<string>();
  return {
    answered: compatible !== 'bmv2',
    log: (sentence) => {
      if (logged.has(sentence) || logged.size >= LOGGED_MAX) return;
      logged.add(sentence);
      log?.(sentence);
    },
  };
}

const { definition } = p4.UnimplementedP4RuntimeService;

/** The generated service, but for requests that may be long: their parts are decoded later. */
function servedMethods(limits: Limits): Record<string, ServedMethod> {
  const most = limits.of('small-message-bytes');
  const later = (method: ServedMethod, field: number): ServedMethod => ({
    ...method,
    later: field,
    requestDeserialize: (bytes: Uint8Array) => parted(bytes, field, most),
  });
  return {
    Write: later(definition.Write, UPDATES),
    Read: { ...later(definition.Read, ENTITIES), isKept: true },
    SetForwardingPipelineConfig: later(definition.SetForwardingPipelineConfig, CONFIG),
    GetForwardingPipelineConfig: {
      ...definition.GetForwardingPipelineConfig,
      responseStream: true,
      responseSerialize: (bytes: Uint8Array) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      isSmall: true,
      isKept: true,
    },
    StreamChannel: { ...definition.StreamChannel, isSmall: true },
    Capabilities: { ...definition.Capabilities, isSmall: true },
  };
}

type Unary<Request> = ServerUnaryCall<Request, unknown>;
type Callback<Response> = sendUnaryData<Response>;

/** The calls of the service; each answers with what its handler returns or throws. */
function serviceOf(
  devices: Devices,
  limits: Limits,
  refusals: StreamRefusals,
): UntypedServiceImplementation {
  /** Changes of a device's state happen one after the other, each in slices. */
  const changing = async <Result>(
    deviceId: string,
    work: (turns: Turns) => Promise<Result>,
  ): Promise<Result> => {
    const { writing, turns, version } = deviceOf(devices, deviceId);
    return writing.serve(() => work(turns).finally(() => version.changed()));
  };
  return {
    Write(call: Unary<PartedRequest>, callback: Callback<p4.WriteResponse>): void {
      void respond(() => {
        const batch = writeBatch(call.request);
        requireWriter(devices, batch.request);
        return changing(batch.request.deviceId, (turns) =>
          turns.run(applyWrite(devices, batch, () => call.cancelled)),
        );
      }, callback);
    },

    Read(call: ReadCall): void {
      ending(answerRead(devices, call), call);
    },

    SetForwardingPipelineConfig(
      call: Unary<PartedRequest>,
      callback: Callback<p4.SetForwardingPipelineConfigResponse>,
    ): void {
      void respond(() => {
        const { request, complete } = pushedConfig(call.request);
        requireWriter(devices, request);
        return changing(request.deviceId, () => setPipelineConfig(devices, complete()));
      }, callback);
    },

    GetForwardingPipelineConfig(call: PipelineConfigCall): void {
      ending(answerPipelineConfig(devices, call), call);
    },

    StreamChannel(
      call: ServerDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse>,
    ): void {
      serveStream(devices, call, { limits, refusals });
    },

    Capabilities(
      { request }: Unary<p4.CapabilitiesRequest>,
      callback: Callback<p4.CapabilitiesResponse>,
    ): void {
      void respond(() => handleCapabilities(devices, request), callback);
    },
  };
}

/** Ends a call when it is answered, or with the status of what its answering throws. */
function ending(answering: Promise<void>, call: ReadCall | PipelineConfigCall): void {
  answering.then(
    () => call.end(),
    (error: unknown) => call.emit('error', serviceError(error)),
  );
}

interface ChangingRequest {
  readonly deviceId: string;
  readonly role: string;
  readonly electionId: p4.Uint128;
}

/** Refuses a client that is not primary, before its request waits. @throws RpcError */
function requireWriter(devices: Devices, { deviceId, role, electionId }: ChangingRequest): void {
  deviceOf(devices, deviceId).requirePrimary(role, electionIdFrom(electionId));
}

function handleCapabilities(
  devices: Devices,
  request: p4.CapabilitiesRequest,
): p4.CapabilitiesResponse {
  if (request.deviceId !== '0') deviceOf(devices, request.deviceId);
  return new p4.CapabilitiesResponse({ p4runtimeApiVersion: P4RUNTIME_API_VERSION });
}
