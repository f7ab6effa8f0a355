import { startP4RuntimeServer } from '../../switch/server/server';
import { ServedV1Model } from '../support/p4runtime/served-v1model';
import { p4RuntimeConformance } from './p4runtime';
import type { Dataplane, P4RuntimeTarget } from './p4runtime-target';

async function start(): Promise<P4RuntimeTarget> {
  const device = new ServedV1Model();
  const devices = new Map([[1, device]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  const dataplane: Dataplane = {
    send: (port, bytes) => device.arrive(port, bytes),
    sent: (count) => {
      const sent = device.sent.splice(0, count);
      return Promise.resolve(sent.map(({ port, hex }) => `${port} ${hex}`).sort());
    },
  };
  const address = `127.0.0.1:${server.port}`;
  return { address, deviceId: 1n, dataplane, stop: () => server.stop() };
}

p4RuntimeConformance('the embedded switch', start, {
  apiVersion: '1.5.0',
  checksP4Info: true,
  remembersHighestBid: true,
  roles: true,
  streamErrors: true,
  wholeSpecification: true,
  departures: new Set(),
});
