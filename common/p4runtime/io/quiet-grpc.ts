import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';

/**
 * Keeps gRPC from writing to standard error what our own errors say better, unless the person who
 * runs the program has asked for it by gRPC's environment variable.
 */
export function quietGrpc(): void {
  if (process.env['GRPC_VERBOSITY'] === undefined) setLogVerbosity(logVerbosity.NONE);
}
