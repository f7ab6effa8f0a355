import { startP4RuntimeServer } from '../../switch/server/server';
import { ServedV1Model } from '../support/p4runtime/served-v1model';
import type { Compatibility } from '../../switch/server/roles/compatibility';
import type { Dataplane, P4RuntimeTarget } from './p4runtime-target';

/** The embedded switch behind its P4Runtime server. */
export async function startEmbedded(
  compatible: Compatibility = 'specification',
  log?: (sentence: string) => void,
): Promise<P4RuntimeTarget> {
  const device = new ServedV1Model();
  const devices = new Map([[1, device]]);
  const server = await startP4RuntimeServer({
    devices,
    address: '127.0.0.1:0',
    compatible,
    ...(log && { log }),
  });
  let stopped = false;
  // Packets of controllers come through a socket: not at once, and so not in this turn.
  const untilSent = async (count: number): Promise<void> => {
    while (!stopped && device.sent.length < count) await new Promise(setImmediate);
  };
  const dataplane: Dataplane = {
    send: (port, bytes) => device.arrive(port, bytes),
    sent: async (count) => {
      await untilSent(count);
      const sent = device.sent.splice(0, count);
      return sent.map(({ port, hex }) => `${port} ${hex}`).sort();
    },
  };
  const address = `127.0.0.1:${server.port}`;
  const stop = (): Promise<void> => {
    stopped = true;
    return server.stop();
  };
  return { address, deviceId: 1n, dataplane, stop };
}
