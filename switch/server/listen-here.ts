import type { Listen } from './listener';

/** gRPC over TCP in this thread. PERF: its code is loaded where it is used; most switches listen in another thread. */
export const listenHere: Listen = (served) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: an import would be loaded before
  const { listenOverTcp } = require('./listener') as typeof import('./listener');
  return listenOverTcp(served);
};
