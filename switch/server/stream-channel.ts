import type { ServerDuplexStream } from '@grpc/grpc-js';
import { letPacketsPass } from '../../common/io/packets-first';
import { RpcError } from '../../common/p4runtime/codes';
import { codeName } from '../../common/p4runtime/rpc-code';
import { electionIdFrom, electionIdMessage } from '../../common/p4runtime/election-id';
import { Status } from '../../common/p4runtime/generated/google/rpc/status';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import type { Limits } from './limits/limits';
import { Outbox } from './streams/outbox';
import type { Notice } from './roles/election';
import type { Controller, Role } from './roles/roles';
import { asRpcError, ERROR_SPACE, serviceError } from './errors/status';

const MS_PER_SECOND = 1000;

type Channel = ServerDuplexStream<p4.StreamMessageRequest, p4.StreamMessageResponse>;

/** Handling of messages that are refused without ending their stream. */
export interface StreamRefusals {
  /** True if the sender gets a StreamError. */
  readonly answered: boolean;
  log(sentence: string): void;
}

export interface StreamOptions {
  readonly limits: Limits;
  readonly refusals: StreamRefusals;
}

/** Serves one controller's stream until either side ends it. */
export function serveStream(devices: Devices, channel: Channel, options: StreamOptions): void {
  const controller = new StreamController(devices, channel, options);
  channel.on('data', (message: p4.StreamMessageRequest) => {
    letPacketsPass();
    controller.receive(message);
  });
  channel.on('end', () => {
    controller.leave();
    channel.end();
  });
  // A broken connection shows as one or more of these; leaving twice does nothing.
  channel.on('cancelled', () => controller.leave());
  channel.on('close', () => controller.leave());
  channel.on('error', () => controller.leave());
}

/** One controller, live from its first accepted bid to the end of its stream. */
class StreamController implements Controller {
  private live: { readonly device: Device; readonly role: Role } | undefined;
  private ended = false;
  private readonly outbox: Outbox;
  private readonly refusals: StreamRefusals;
  /** Ends a stream that has not said which device and role it is for. */
  private readonly impatience: NodeJS.Timeout;

  constructor(
    private readonly devices: Devices,
    private readonly channel: Channel,
    { limits, refusals }: StreamOptions,
  ) {
    this.refusals = refusals;
    this.outbox = new Outbox(channel, limits);
    const seconds = limits.of('bid-seconds');
    this.impatience = setTimeout(() => {
      limits.met('bid-seconds');
      const reason = `no arbitration within ${seconds} s (limit bid-seconds)`;
      this.end(new RpcError('DEADLINE_EXCEEDED', reason));
    }, seconds * MS_PER_SECOND);
    this.impatience.unref();
  }

  receive(message: p4.StreamMessageRequest): void {
    if (this.ended) return;
    if (message.hasArbitration) this.arbitrate(message.arbitration);
    else if (message.hasPacket) this.sendPacket(message.packet);
    else if (message.hasDigestAck) this.acknowledge(message.digestAck);
    else this.report(refusedOther());
  }

  /** Ends the part of this controller in elections. */
  leave(): void {
    this.ended = true;
    clearTimeout(this.impatience);
    this.outbox.clear();
    const { live } = this;
    if (live === undefined) return;
    this.live = undefined;
    notify(live.device, live.role, live.role.election.leave(this));
  }

  get hasRoomForPacketIn(): boolean {
    return this.outbox.hasRoomForPacketIn;
  }

  send(response: p4.StreamMessageResponse): void {
    if (this.ended || this.outbox.send(response)) return;
    const reason = `too many messages wait to be read (limit notice-queue)`;
    this.end(new RpcError('RESOURCE_EXHAUSTED', reason));
  }

  end(reason: RpcError): void {
    if (this.ended) return;
    this.leave();
    this.channel.emit('error', serviceError(reason));
  }

  private arbitrate(update: p4.MasterArbitrationUpdate): void {
    try {
      const { device, name } = this.checkedPlace(update);
      const electionId = electionIdFrom(update.electionId);
      const config = update.hasRole && update.role.hasConfig ? update.role.config : undefined;
      const notices = device.roles.bid(this, name, { electionId, config });
      this.live = { device, role: device.roles.of(name) };
      clearTimeout(this.impatience);
      notify(device, this.live.role, notices);
    } catch (error) {
      // Errors of arbitration end the stream, and are its status.
      this.end(asRpcError(error));
    }
  }

  private checkedPlace(update: p4.MasterArbitrationUpdate): { device: Device; name: string } {
    if (this.live !== undefined && String(this.live.device.id) !== update.deviceId) {
      throw new RpcError('FAILED_PRECONDITION', `this stream is of device ${this.live.device.id}`);
    }
    const device = deviceOf(this.devices, update.deviceId);
    const name = device.roles.nameOf(update.hasRole ? update.role.name : '');
    if (this.live !== undefined && this.live.role.name !== name) {
      throw new RpcError(
        'FAILED_PRECONDITION',
        `this stream has the role '${this.live.role.name}'`,
      );
    }
    return { device, name };
  }

  private sendPacket(packet: p4.PacketOut): void {
    this.reporting(
      () => this.requirePrimary('send packets').packets.send(packet),
      (error) => {
        error.packetOut = new p4.PacketOutError({ packetOut: packet });
      },
    );
  }

  private acknowledge(digestListAck: p4.DigestListAck): void {
    this.reporting(
      () => this.requirePrimary('acknowledge digests').digests.acknowledge(digestListAck),
      (error) => {
        error.digestListAck = new p4.DigestListAckError({ digestListAck });
      },
    );
  }

  private requirePrimary(what: string): Device {
    const { live } = this;
    if (live?.role.election.isPrimaryClient(this) === true) return live.device;
    throw new RpcError('PERMISSION_DENIED', `only the primary may ${what}`);
  }

  /** Runs the handler of a message; its exceptions go back on the stream. */
  private reporting(act: () => void, describe: (error: p4.StreamError) => void): void {
    try {
      act();
    } catch (reason) {
      const error = streamError(reason);
      describe(error);
      this.report(error);
    }
  }

  private report(error: p4.StreamError): void {
    this.refusals.log(`P4Runtime: refused on a stream: ${error.message}`);
    if (this.refusals.answered) this.send(new p4.StreamMessageResponse({ error }));
  }
}

function streamError(reason: unknown): p4.StreamError {
  const { code: canonicalCode, message } = asRpcError(reason);
  return new p4.StreamError({ canonicalCode, message, space: ERROR_SPACE });
}

function refusedOther(): p4.StreamError {
  const error = streamError(new RpcError('UNIMPLEMENTED', 'this message is not supported'));
  error.other = new p4.StreamOtherError({});
  return error;
}

function notify(device: Device, role: Role, notices: readonly Notice<Controller>[]): void {
  for (const { client, highest, code } of notices) {
    const message = code === 0 ? '' : codeName(code);
    const arbitration = new p4.MasterArbitrationUpdate({
      deviceId: String(device.id),
      status: new Status({ code, message }),
    });
    if (role.name !== '') arbitration.role = roleMessage(role);
    if (highest !== undefined) arbitration.electionId = electionIdMessage(highest);
    client.send(new p4.StreamMessageResponse({ arbitration }));
  }
}

function roleMessage({ name, config }: Role): p4.Role {
  return new p4.Role(config === undefined ? { name } : { name, config });
}
