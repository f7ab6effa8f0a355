import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { RpcError } from '../../../common/p4runtime/codes';
import * as bm from '../../../common/p4runtime/generated/p4/bm/dataplane_interface';
import { respond } from '../../server/errors/status';
import { Limits } from '../../server/limits/limits';
import type { LimitName } from '../../server/limits/limits';
import { listenHere } from '../../server/listen-here';
import type { Listen } from '../../server/listener';
import { PacketStream } from './packet-stream';
import type { PacketCall } from './packet-stream';
import type { PortNumber } from '../../../common/units/units';
import type { LiveSwitch } from '../live/live-switch';

/** Bounds of the door, by the names that limits of the switch have; messages have many times the longest frame. */
export const DATAPLANE_LIMITS = new Map<LimitName, number>([
  ['message-bytes', 16 * 1024 * 1024],
  ['p4runtime-connections', 8],
]);

export interface DataplaneOptions {
  /** Address to listen at, such as "127.0.0.1:0" for a free port. */
  readonly address: string;
  readonly deviceId: number;
  readonly live: LiveSwitch;
  /** Listener for calls; TCP, in this thread, unless given. */
  readonly listen?: Listen;
  /** Called when the door cannot stay open. */
  readonly failed?: (error: Error) => void;
  /** Called for links that a client takes away or gives back. */
  readonly setPortUp: (port: PortNumber, up: boolean) => void;
}

export interface DataplaneServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves the packets of a switch over gRPC, as bmv2 does with `--dp-grpc-server-addr`: the client
 * is at the other end of all links. It needs neither interfaces nor root.
 * @throws InputError when the address cannot be used.
 */
export async function startDataplaneServer(options: DataplaneOptions): Promise<DataplaneServer> {
  const stream = new PacketStream(options.live, options.deviceId);
  const service = new DataplaneService(stream, options);
  const { listen = listenHere, failed } = options;
  const listening = await listen({
    definition: bm.UnimplementedDataplaneInterfaceService.definition,
    calls: service,
    address: options.address,
    limits: new Limits(DATAPLANE_LIMITS),
    name: 'the door for packets over gRPC',
    ...(failed && { failed }),
  });
  options.live.carryBy(stream);
  return listening;
}

type StatusCall = ServerUnaryCall<bm.SetPortOperStatusRequest, bm.SetPortOperStatusResponse>;

class DataplaneService extends bm.UnimplementedDataplaneInterfaceService {
  readonly #stream: PacketStream;
  readonly #options: DataplaneOptions;

  constructor(stream: PacketStream, options: DataplaneOptions) {
    super();
    this.#stream = stream;
    this.#options = options;
  }

  override PacketStream(call: PacketCall): void {
    this.#stream.serve(call);
  }

  override SetPortOperStatus(
    call: StatusCall,
    callback: sendUnaryData<bm.SetPortOperStatusResponse>,
  ): void {
    void respond(() => this.#setPortStatus(call.request), callback);
  }

  #setPortStatus(request: bm.SetPortOperStatusRequest): bm.SetPortOperStatusResponse {
    const { deviceId, port, operStatus } = request;
    const wanted = String(this.#options.deviceId);
    if (deviceId !== wanted) {
      throw new RpcError('INVALID_ARGUMENT', `device_id: wanted ${wanted}, found ${deviceId}`);
    }
    const { OPER_STATUS_UP: UP, OPER_STATUS_DOWN: DOWN } = bm.PortOperStatus;
    if (operStatus !== UP && operStatus !== DOWN) {
      throw new RpcError('INVALID_ARGUMENT', `oper_status: wanted UP or DOWN, found ${operStatus}`);
    }
    this.#options.setPortUp(port, operStatus === UP);
    return new bm.SetPortOperStatusResponse({});
  }
}
