// A P4Runtime controller: takes over a switch, gives it the router, writes routes and reads them back.
//   node build/controller.mjs 127.0.0.1:9559
import { readFileSync } from 'node:fs';
import { P4RuntimeClient, parseP4Info } from 'hpcc-plus-plus/p4runtime';
import type { NamedEntity } from 'hpcc-plus-plus/p4runtime';

const address = process.argv[2] ?? '127.0.0.1:9559';
const route = (prefix: string, port: number, nextHop: string): NamedEntity => ({
  kind: 'table-entry',
  table: 'routes',
  match: { 'hdr.ipv4.dst_addr': prefix },
  priority: 0,
  action: { kind: 'action', action: { name: 'forward', arguments: { port, next_hop: nextHop } } },
});

const client = await P4RuntimeClient.connect({
  name: 's1',
  address,
  deviceId: 0n,
  electionId: 1n,
  deadline: 5000,
});
await client.becomePrimary();
await client.pushPipeline({
  p4info: parseP4Info(readFileSync('router.p4info.txtpb'), 'text'),
  deviceConfig: readFileSync('router.json'),
});
await client.writeAll('insert', [
  route('10.0.1.0/24', 1, '00:00:00:00:01:01'),
  route('10.0.2.0/24', 2, '00:00:00:00:02:01'),
]);
for await (const entity of client.read({ kind: 'table-entries', table: 'routes' }))
  console.dir(entity, { depth: null });
client.close();
