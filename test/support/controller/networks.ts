import { networkSpec } from '../../../controller/document/network';
import { parseNetwork } from '../../../controller/document/load';
import { prepareNetwork } from '../../../controller/io/prepare';
import type { PreparedSwitch } from '../../../controller/io/prepare';
import { difference } from '../../../controller/plan/diff';
import type { Change } from '../../../controller/plan/diff';
import { readManaged } from '../../../controller/io/read-state';
import { P4RuntimeClient } from '../../../controller/p4runtime/client';
import { FABRIC_PROGRAMS } from './fabric-program';

/** Longest time that a loaded machine may take for one call, in ms. */
export const DEADLINE = 20_000;

/** A document with one switch per address and two hosts at each, in a ring of two links. */
export function ringDocument(addresses: readonly string[]): string {
  const count = addresses.length;
  const switches = addresses.map(
    (address, i) => `  - {name: s${i + 1}, deviceId: 1, nodeId: ${i + 1}, address: "${address}"}`,
  );
  const hosts = addresses.flatMap((_, i) => [1, 2].map((j) => `  - {name: h${2 * i + j}}`));
  const links = addresses.flatMap((_, i) => [
    ...[1, 2].map((j) => `  - {between: [h${2 * i + j}, 's${i + 1}:${j}'], rate: 100 Gb/s}`),
    ...(count > 1
      ? [`  - {between: ['s${i + 1}:3', 's${((i + 1) % count) + 1}:4'], rate: 100 Gb/s}`]
      : []),
  ]);
  return ['switches:', ...switches, 'hosts:', ...hosts, 'links:', ...links, ''].join('\n');
}

/** Everything that follows from a document. */
export function prepared(text: string): Promise<readonly PreparedSwitch[]> {
  return prepareNetwork(networkSpec(parseNetwork(text, 'test.yaml')), FABRIC_PROGRAMS);
}

/**
 * Reads a switch; returns the entities that it lacks or has too much.
 * @param deadline how long each call may take, in ms.
 * @throws when it has an entity twice.
 */
export async function differences(
  address: string,
  wanted: PreparedSwitch,
  deadline = DEADLINE,
): Promise<readonly Change[]> {
  const client = await P4RuntimeClient.connect({
    name: wanted.spec.node.name,
    address,
    deadline,
    deviceId: BigInt(wanted.spec.node.deviceId),
    electionId: 1n,
  });
  try {
    client.useP4Info(wanted.program.pipeline.p4info);
    const held = await readManaged(client, wanted);
    const texts = held.map((each) => JSON.stringify(each, (_, v: unknown) => String(v)));
    if (new Set(held.map((each) => JSON.stringify(each))).size !== held.length) {
      throw new Error(`twice: ${texts.join('\n')}`);
    }
    return difference(wanted.management.desired, held).flat();
  } finally {
    client.close();
  }
}
