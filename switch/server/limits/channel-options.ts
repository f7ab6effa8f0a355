import type { ChannelOptions, ServerInterceptingCall, ServerInterceptor } from '@grpc/grpc-js';
import type { Limits } from './limits';

const MS_PER_SECOND = 1000;
/** How long a probed connection may take to answer. */
const KEEPALIVE_TIMEOUT_MS = 20_000;

/** How gRPC bounds messages, calls and connections. */
export function channelOptions(limits: Limits): ChannelOptions {
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
 * A compressed message may be a thousand times as long as what is sent of it, before anybody knows
 * who sends it; it gets less room than others.
 */
export function compressionGuard(limits: Limits): ServerInterceptor {
  return (_, given) => {
    // The type has no constructor that the package exports, so only its name can be told.
    const call: unknown = given;
    const receiving = call as ReceivingCall;
    if (receiving.incomingEncoding !== undefined && receiving.incomingEncoding !== 'identity') {
      const most = limits.of('compressed-message-bytes');
      receiving.maxReceiveMessageSize = most;
      if (receiving.decoder !== undefined) receiving.decoder.maxReadMessageLength = most;
    }
    return call as ServerInterceptingCall;
  };
}
