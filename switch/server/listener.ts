import * as dns from 'node:dns/promises';
import * as net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type {
  ServiceDefinition,
  UntypedServiceImplementation,
  ChannelOptions,
  ServerInterceptingCall,
  ServerInterceptor,
} from '@grpc/grpc-js';
import { InputError } from '../../common/errors';
import { checked, libc } from '../../common/io/net/libc';
import { letPacketsPass } from '../../common/io/packets-first';
import { quietGrpc } from '../../common/p4runtime/io/quiet-grpc';
import { AcceptedConnections } from './accepted-connections';
import type { Limits } from './limits/limits';
import type { StateVersion } from './state/state-version';

const F_DUPFD_CLOEXEC = 1030;

/** A method of a service, and what of its requests is to be bounded before anybody knows who sends them. */
export type ServedMethod = ServiceDefinition[string] & {
  /** Number of the field that is looked at later, of requests that are deserialised as a `PartedRequest`. */
  readonly later?: number;
  /** True if no request needs more than the limit of small messages. */
  readonly isSmall?: boolean;
  /** True if equal requests have equal answers, where the answer says so, until the state changes. */
  readonly isKept?: boolean;
};

/** A service to be served: handlers, address, limits and credentials. */
export interface ServiceOptions {
  readonly definition: Readonly<Record<string, ServedMethod>>;
  readonly calls: UntypedServiceImplementation;
  /** Such as "127.0.0.1:0" for a free port. */
  readonly address: string;
  readonly limits: Limits;
  /** Name of the door in errors; P4Runtime unless given. */
  readonly name?: string;
  /** Certificates for TLS; without them connections are plain. */
  readonly tls?: TlsMaterial;
  /** Version of the state that its methods show. */
  readonly version?: StateVersion;
  /** Called when the door cannot stay open. */
  readonly failed?: (error: Error) => void;
  /** Descriptors of sockets that listen at the address already, which become the listener's own. */
  readonly sockets?: readonly number[];
  /** Called when the last connection has ended. */
  readonly left?: () => void;
}

/** Certificates of a server, as PEM. */
export interface TlsMaterial {
  readonly certificate: Uint8Array;
  readonly key: Uint8Array;
  /** Authority of clients' certificates; present for mutual TLS. */
  readonly clientAuthority?: Uint8Array;
  /** Refuse clients that show no certificate of that authority. */
  readonly requireClientCertificate: boolean;
}

export interface Listening {
  readonly port: number;
  /** Ends all calls and takes no more. */
  readonly stop: () => Promise<void>;
}

/** Lets calls come in. @throws InputError when the address cannot be used. */
export type Listen = (served: ServiceOptions) => Promise<Listening>;

/** A door that may be left while nobody is connected: clients wait at its sockets until somebody takes those over. */
export interface LeavableDoor extends Listening {
  /**
   * True while somebody is connected, and always for a socket of the file system: its name goes with the one who
   * has made it.
   */
  readonly isNeeded: () => boolean;
  /** Further descriptors of its sockets, which go on listening when it stops. @throws InputError when there are none left. */
  readonly sockets: () => readonly number[];
}

/** gRPC over TCP, or over a socket of the file system, whose folder says who may connect. */
export async function listenOverTcp(served: ServiceOptions): Promise<LeavableDoor> {
  const { definition, calls, address, limits, name = 'P4Runtime' } = served;
  quietGrpc();
  const accepted = new AcceptedConnections(limits, served.left);
  const server = new Server({
    ...channelOptions(limits),
    interceptors: [callNote(accepted), messageGuard(limits, definition)],
  });
  server.addService(definition, calls);
  const injector = server.createConnectionInjector(credentialsOf(served.tls));
  const take = (socket: net.Socket): void => {
    letPacketsPass();
    if (!accepted.accepts(socket)) return;
    // PERF: a session costs a millisecond, and most of those who attack say nothing.
    socket.once('readable', () => {
      letPacketsPass();
      if (socket.readableLength > 0) injector.injectConnection(socket);
      else socket.destroy();
    });
    socket.on('error', () => socket.destroy());
  };
  const opening = served.sockets ? listenBy(served.sockets, take) : listenAt(address, take);
  const doors = await opening.catch((error: unknown) => {
    throw new InputError(`${name} cannot listen on ${address}: ${(error as Error).message}`);
  });
  return {
    port: portOf(doors[0]),
    stop: () => {
      for (const door of doors) door.close();
      server.forceShutdown();
      accepted.endUncalled();
      return Promise.resolve();
    },
    isNeeded: () => !accepted.isEmpty || UNIX.test(address),
    sockets: () => doors.map(copyOf),
  };
}

/** Another descriptor of the socket that a server listens at. */
function copyOf(door: net.Server): number {
  // Node's documentation has it as what another server may be made to listen by; its types leave it out.
  const { _handle: handle } = door as unknown as { _handle: { fd: number } };
  return checked(libc().fcntl(handle.fd, F_DUPFD_CLOEXEC, 0), 'copying a descriptor');
}

const listenBy = (sockets: readonly number[], take: Take): Promise<net.Server[]> =>
  Promise.all(sockets.map((fd) => openDoor({ fd }, take)));

function credentialsOf(tls: TlsMaterial | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { clientAuthority, requireClientCertificate } = tls;
  const pair = { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) };
  const authority = clientAuthority === undefined ? null : Buffer.from(clientAuthority);
  return ServerCredentials.createSsl(authority, [pair], requireClientCertificate);
}

/** `127.0.0.1:9559`, `[::]:9559`, `name:9559`, with what gRPC may have in front. */
const HOST_AND_PORT = /^(?:(?:ipv4|ipv6|dns):)?((?:\[[^\]]+\])|[^:/]+):(\d+)$/;

/** `unix:name`, `unix:/folder/name`, `unix:///folder/name`. */
const UNIX = /^unix:(?:\/\/(?=\/))?(.+)$/;

type Take = (socket: net.Socket) => void;

/** @throws Error for what is no address, or cannot be used. */
async function listenAt(address: string, take: Take): Promise<net.Server[]> {
  const path = UNIX.exec(address)?.[1];
  if (path !== undefined) {
    return [await openDoor({ path }, (socket) => take(withPeer(socket)))];
  }
  const place = HOST_AND_PORT.exec(address);
  if (place === null) throw new Error('wanted HOST:PORT or unix:PATH');
  const [, host = '', port = ''] = place;
  return listenEverywhere(host.replace(/^\[(.*)\]$/, '$1'), Number(port), take);
}

/** Listens at every address of a name, on one port. */
async function listenEverywhere(host: string, port: number, take: Take): Promise<net.Server[]> {
  const addresses =
    net.isIP(host) > 0 ? [{ address: host }] : await dns.lookup(host, { all: true });
  const doors: net.Server[] = [];
  try {
    for (const { address } of addresses) {
      const at = { host: address, port: doors.length === 0 ? port : portOf(doors[0]) };
      doors.push(await openDoor(at, take));
    }
    return doors;
  } catch (error) {
    for (const door of doors) door.close();
    throw error;
  }
}

async function openDoor(
  at: net.ListenOptions | { readonly fd: number },
  take: Take,
): Promise<net.Server> {
  const door = net.createServer({ noDelay: true }, take);
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen(at, resolve);
  });
  // A descriptor that is lacking for a moment ends no server.
  return door.removeAllListeners('error').on('error', () => undefined);
}

let unixPeers = 0;

/** Gives the other end of a local connection, which has no address, a name by which gRPC tells it from others. */
const withPeer = (socket: net.Socket): net.Socket =>
  Object.defineProperties(socket, {
    remoteAddress: { value: 'unix' },
    remotePort: { value: ++unixPeers },
  });

function portOf(door: net.Server | undefined): number {
  const address = door?.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Tells which connections are called over, and lets packets pass before each call. */
const callNote =
  (accepted: AcceptedConnections): ServerInterceptor =>
  (_, given) => {
    accepted.called(given.getPeer());
    letPacketsPass();
    return given as ServerInterceptingCall;
  };

const MS_PER_SECOND = 1000;
/** Time that a probed connection may take to answer. */
const KEEPALIVE_TIMEOUT_MS = 20_000;

/** gRPC's options that bound messages, calls and connections. */
function channelOptions(limits: Limits): ChannelOptions {
  return {
    'grpc.max_receive_message_length': limits.of('message-bytes'),
    'grpc.max_concurrent_streams': limits.of('calls-per-connection'),
    'grpc.max_connection_idle_ms': limits.of('idle-connection-seconds') * MS_PER_SECOND,
    'grpc.keepalive_time_ms': limits.of('keepalive-seconds') * MS_PER_SECOND,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  };
}

/** The part of gRPC's call that says how its messages are compressed and how long they may be. */
interface ReceivingCall {
  readonly incomingEncoding?: string;
  maxReceiveMessageSize?: number;
  readonly decoder?: { maxReadMessageLength?: number };
}

/**
 * Bounds the messages of a call, before anybody knows who sends them: one that comes compressed may be a thousand times as
 * long as what is sent of it, and small requests of which somebody makes long ones take the switch long to decode.
 */
function messageGuard(limits: Limits, definition: ServiceOptions['definition']): ServerInterceptor {
  const small = new Set(
    Object.values(definition).flatMap(({ isSmall, path }) => (isSmall === true ? [path] : [])),
  );
  return ({ path }, given) => {
    // The package exports no constructor of the type, so it can be recognised only by its name.
    const call: unknown = given;
    const receiving = call as ReceivingCall;
    if (small.has(path)) bound(receiving, limits.of('small-message-bytes'));
    if (receiving.incomingEncoding !== undefined && receiving.incomingEncoding !== 'identity') {
      bound(receiving, limits.of('compressed-message-bytes'));
    }
    return call as ServerInterceptingCall;
  };
}

function bound(receiving: ReceivingCall, bytes: number): void {
  const most = Math.min(receiving.maxReceiveMessageSize ?? bytes, bytes);
  receiving.maxReceiveMessageSize = most;
  if (receiving.decoder !== undefined) receiving.decoder.maxReadMessageLength = most;
}
