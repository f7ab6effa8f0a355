import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import type { Random } from '../../../common/random/random';
import { P4RuntimeClient } from '../../../controller/p4runtime/client';
import type { Pipeline } from '../../../controller/p4runtime/requests/pipeline';
import { repositoryRoot } from '../../../common/io/repository';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { fabricProgram } from './fabric-program';

/** An intruder that meets a switch while it restarts has come in vain, and soon gives up; in ms. */
const DEADLINE = 1000;

/**
 * Another controller that comes with a higher election id, an equal or a lower one, does some harm
 * when it is let, and leaves.
 */
export async function intruder(address: string, random: Random): Promise<void> {
  const electionId = [9n, 5n, 1n][random.below(3)] ?? 9n;
  const options = { name: 'victim', address, deviceId: 1n, electionId, deadline: DEADLINE };
  let client: P4RuntimeClient | undefined;
  try {
    client = await P4RuntimeClient.connect(options);
    const standing = await client.bid();
    if (standing.kind === 'primary') await doHarm(client, random);
  } catch (error) {
    // Whoever is refused, or meets a switch without a program, leaves likewise.
    if (!(error instanceof InputError)) throw error;
  } finally {
    client?.close();
  }
}

async function doHarm(client: P4RuntimeClient, random: Random): Promise<void> {
  if (random.below(3) === 0) {
    await client.pushPipeline(foreignProgram());
    return;
  }
  client.useP4Info(fabricProgram.pipeline.p4info);
  const table = 'ipv4_route';
  const found = [];
  for await (const entity of client.read({ kind: 'table-entries', table })) found.push(entity);
  const victims = found.filter(() => random.below(2) === 0);
  await client.write(victims.map((entity) => ({ type: 'delete', entity })));
  const match = { 'hdr.ipv4.dst_addr': '192.0.2.0/24' };
  const action = { kind: 'member', memberId: 2 } as const;
  const stray = { kind: 'table-entry', table, match, priority: 0, action } as const;
  await client.write([{ type: 'insert', entity: stray }]);
}

/** A program of which the network's controller knows nothing. */
function foreignProgram(): Pipeline {
  const folder = path.join(repositoryRoot(), 'test/fixtures/p4');
  const read = (name: string): Buffer => fs.readFileSync(path.join(folder, name));
  return {
    p4info: parseP4Info(read('arithmetic.p4info.txtpb'), 'text'),
    deviceConfig: Uint8Array.from(read('arithmetic.json')),
  };
}
