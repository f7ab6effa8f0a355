import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

/**
 * Keeps gRPC from writing to standard error what our own errors say better, unless the user
 * requests it by gRPC's environment variable.
 */
export function quietGrpc(): void {
  if (process.env['GRPC_VERBOSITY'] === undefined) setLogVerbosity(logVerbosity.NONE);
}
