import { startP4RuntimeServer } from '../../switch/server/server';
import { ServedStateSwitch } from '../support/p4runtime/served-state-switch';
import { p4RuntimeConformance } from './p4runtime';
import type { P4RuntimeTarget } from './p4runtime-target';

async function start(): Promise<P4RuntimeTarget> {
  const devices = new Map([[1, new ServedStateSwitch()]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  return { address: `127.0.0.1:${server.port}`, deviceId: 1n, stop: () => server.stop() };
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
