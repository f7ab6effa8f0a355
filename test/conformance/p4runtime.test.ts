import { startP4RuntimeServer } from '../../switch/server/server';
import { traitsOf } from '../support/p4runtime/departures';
import { ServedV1Model } from '../support/p4runtime/served-v1model';
import { p4RuntimeConformance } from './p4runtime';
import type { Dataplane, P4RuntimeTarget } from './p4runtime-target';

async function start(): Promise<P4RuntimeTarget> {
  const device = new ServedV1Model();
  const devices = new Map([[1, device]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
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

p4RuntimeConformance('the embedded switch', start, traitsOf({}));
