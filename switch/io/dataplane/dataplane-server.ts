import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { InputError } from '../../../common/errors';
import { RpcError } from '../../../common/p4runtime/codes';
import * as bm from '../../../common/p4runtime/generated/p4/bm/dataplane_interface';
import { quietGrpc } from '../../../common/p4runtime/io/quiet-grpc';
import { respond } from '../../server/errors/status';
import { PacketStream } from './packet-stream';
import type { PacketCall } from './packet-stream';
import type { PortNumber } from '../../../common/units/units';
import type { LiveSwitch } from '../live/live-switch';

/** Many times the longest frame. */
const RECEIVE_BYTES_MAX = 16 * 1024 * 1024;

export interface DataplaneOptions {
  /** Address to listen at, such as "127.0.0.1:0" for a free port. */
  readonly address: string;
  readonly deviceId: number;
  readonly live: LiveSwitch;
  /** Called for links that a client takes away or gives back. */
  readonly setPortUp: (port: PortNumber, up: boolean) => void;
}

export interface DataplaneServer {
  readonly port: number;
  stop(): void;
}

/**
 * Serves the packets of a switch over gRPC, as bmv2 does with `--dp-grpc-server-addr`: the client
 * is at the other end of all links. It needs neither interfaces nor root.
 * @throws InputError when the address cannot be used.
 */
export async function startDataplaneServer(options: DataplaneOptions): Promise<DataplaneServer> {
  quietGrpc();
  const server = new Server({ 'grpc.max_receive_message_length': RECEIVE_BYTES_MAX });
  const stream = new PacketStream(options.live, options.deviceId);
  const service = new DataplaneService(stream, options);
  server.addService(bm.UnimplementedDataplaneInterfaceService.definition, service);
  const port = await bind(server, options.address);
  options.live.carryBy(stream);
  return { port, stop: () => server.forceShutdown() };
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(new InputError(`packets over gRPC: cannot use ${address}: ${error.message}`));
    });
  });
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
