import * as fs from 'node:fs';
import { renumberedActions } from '../../../support/p4runtime/renumbered-actions';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import { P4Info } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import type { Topology } from '../../../../common/topology/topology';
import { parseNetwork } from '../../../../controller/document/load';
import { networkSpec } from '../../../../controller/document/network';
import { topologyDocument } from '../../../../controller/document/topology-document';
import { applyNetwork } from '../../../../controller/io/apply-network';
import { prepareNetwork } from '../../../../controller/io/prepare';
import { loadedProgram } from '../../../../controller/io/program-files';
import { QueueRecords } from '../../../../controller/io/queue-records';
import type { SwitchOutcome } from '../../../../controller/plan/apply-report';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { fabricProgram } from '../../../support/controller/fabric-program';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { hostNode, leafSpine, link, switchNode } from '../../../support/topologies';

/** Generous: a loaded machine is slow. */
const DEADLINE = 20_000;

interface Changes {
  readonly topology?: Topology;
  readonly pipeline?: typeof fabricProgram.pipeline;
  readonly addresses?: ReadonlyMap<string, string>;
  readonly deadline?: number;
  readonly target?: 'bmv2' | 'embedded';
}

/** A switch with hosts `h1`, `h2`, … at ports 1, 2, …. */
const star = (hosts: number): Topology => ({
  name: 'star',
  switches: [switchNode(1)],
  hosts: Array.from({ length: hosts }, (_, i) => hostNode(i + 1)),
  links: Array.from({ length: hosts }, (_, i) => link(`h${i + 1}:0-s1:${i + 1}`)),
});

/** The fabric's program with room for 512 of everything, but for the tables that are named. */
function wide(sizes: Readonly<Record<string, number>>): typeof fabricProgram.pipeline {
  const ROOM = 512;
  const p4info = P4Info.deserialize(fabricProgram.pipeline.p4info.serialize());
  let json = Buffer.from(fabricProgram.pipeline.deviceConfig).toString();
  json = json.replace(/("max_size":\s*)\d+/g, `$1${ROOM}`);
  for (const table of p4info.tables) {
    const { alias, name } = table.preamble;
    table.size = String(sizes[alias] ?? ROOM);
    json = json.replace(new RegExp(`("${name}"[^]*?"max_size":\\s*)${ROOM}`), `$1${table.size}`);
  }
  for (const profile of p4info.actionProfiles) profile.size = String(ROOM);
  return { cookie: 10n, p4info, deviceConfig: Uint8Array.from(Buffer.from(json)) };
}

describe('applying a network', () => {
  let server: P4RuntimeServer;
  let switches: readonly StateSwitch[];

  beforeEach(async () => {
    switches = [1, 2, 3, 4].map(() => new StateSwitch());
    const devices = new Map(switches.map((each, i) => [i + 1, each]));
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  });

  afterEach(() => server.stop());

  const addresses = (): Map<string, string> =>
    new Map(['s1', 's2', 's3', 's4'].map((name) => [name, `127.0.0.1:${server.port}`]));

  const apply = async ({
    topology = leafSpine(),
    pipeline = fabricProgram.pipeline,
    addresses: some = addresses(),
    deadline = DEADLINE,
    target = 'embedded',
  }: Changes = {}): Promise<readonly SwitchOutcome[]> => {
    const document = topologyDocument(topology, ({ name }) => some.get(name));
    const all = document.switches?.map((each) => ({ ...each, target }));
    const text = JSON.stringify({ ...document, switches: all });
    const program = loadedProgram('fabric', pipeline);
    const spec = networkSpec(parseNetwork(text, 'test'));
    return applyNetwork(await prepareNetwork(spec, { load: () => Promise.resolve(program) }), {
      electionId: 1n,
      deadline,
      folder: '.',
      retries: 0,
      records: QueueRecords.inMemory(),
    });
  };

  const failure = async (changes: Changes): Promise<string> => {
    const error: unknown = await apply(changes).catch((reason: unknown) => reason);
    return error instanceof Error ? error.message : 'it succeeded';
  };

  test('every switch holds its routes, members, groups and records', async () => {
    await apply();
    const sizes = switches.map(({ pipeline }) => {
      const entries = (table: string): number =>
        [...(pipeline?.tables.get(table)?.entries() ?? [])].length;
      const profile = pipeline?.actionProfiles.get('ingress.ecmp');
      return [
        entries('ingress.ipv4_route'),
        entries('egress.port_record'),
        [...(profile?.members() ?? [])].length,
        [...(profile?.groups() ?? [])].length,
      ];
    });
    expect(sizes).toEqual([
      [4, 4, 4, 1],
      [4, 4, 4, 1],
      [4, 2, 2, 0],
      [4, 2, 2, 0],
    ]);
    const seed = switches[0]?.pipeline?.tables.get('ingress.ecmp_seed')?.defaultAction;
    expect(seed?.arguments).not.toEqual([0n]);
  });

  test('applying again has nothing to do', async () => {
    await apply();
    const again = await apply();
    expect(again.map(({ status, done }) => [status, done])).toEqual(
      [1, 2, 3, 4].map(() => ['done', []]),
    );
    expect(switches.map((each) => each.loads)).toEqual([1, 1, 1, 1]);
  });

  test('an unreachable switch leaves nothing half configured', async () => {
    const some = addresses().set('s3', '127.0.0.1:1');
    expect(await failure({ addresses: some, deadline: 1500 })).toBe(
      'switch s3 at 127.0.0.1:1: connection refused within 1.5 s',
    );
    expect(switches.map((each) => each.loads)).toEqual([0, 0, 0, 0]);
  });

  test('all unreachable switches are named', async () => {
    const some = addresses().set('s3', '127.0.0.1:1').set('s4', '127.0.0.1:1');
    expect(await failure({ addresses: some, deadline: 1500 })).toBe(
      [
        'switch s3 at 127.0.0.1:1: connection refused within 1.5 s',
        'switch s4 at 127.0.0.1:1: connection refused within 1.5 s',
      ].join('\n'),
    );
  });

  test('a switch under another controller leaves nothing half configured', async () => {
    const address = `127.0.0.1:${server.port}`;
    const options = { name: 's2', address, deviceId: 2n, electionId: 9n, deadline: DEADLINE };
    const other = await P4RuntimeClient.connect(options);
    await other.becomePrimary();
    expect(await failure({})).toContain('not primary: election id 1 lost against 9');
    expect(switches.map((each) => each.loads)).toEqual([0, 0, 0, 0]);
    other.close();
  });

  test('a program that a switch refuses is loaded nowhere', async () => {
    const deviceConfig = Uint8Array.from(fs.readFileSync(foreignFile('json')));
    const pipeline = { ...fabricProgram.pipeline, deviceConfig };
    expect(await failure({ pipeline })).toContain(
      'pipeline configuration (verify): INVALID_ARGUMENT',
    );
    expect(switches.map((each) => each.loads)).toEqual([0, 0, 0, 0]);
  });

  test('of a program without what the controller fills, nothing is filled', async () => {
    const pipeline = {
      p4info: parseP4Info(fs.readFileSync(foreignFile('p4info.txtpb')), 'text'),
      deviceConfig: Uint8Array.from(fs.readFileSync(foreignFile('json'))),
      cookie: 9n,
    };
    const outcomes = await apply({ pipeline });
    expect(outcomes.map(({ programLoaded, done }) => [programLoaded, done])).toEqual(
      [1, 2, 3, 4].map(() => [true, []]),
    );
  });

  test('every refused update is listed', async () => {
    const { p4info, deviceConfig } = fabricProgram.pipeline;
    const json = Buffer.from(deviceConfig).toString();
    const small = P4Info.deserialize(p4info.serialize());
    for (const table of small.tables) {
      if (table.preamble.alias === 'ipv4_route') table.size = '3';
      if (table.preamble.alias === 'port_record') table.size = '2';
    }
    const pipeline = {
      cookie: 9n,
      p4info: small,
      deviceConfig: Uint8Array.from(
        Buffer.from(
          json
            .replace(/("ingress.ipv4_route"[^]*?"max_size":)32/, '$13')
            .replace(/("egress.port_record"[^]*?"max_size":)16/, '$12'),
        ),
      ),
    };
    const message = await failure({ pipeline });
    expect(message).toContain('not everything could be applied');
    for (const refused of [
      'insert ingress.ipv4_route (hdr.ipv4.dst_addr = 10.0.0.4/32): RESOURCE_EXHAUSTED',
      'insert egress.port_record (standard_metadata.egress_port = 3): RESOURCE_EXHAUSTED',
      'insert egress.port_record (standard_metadata.egress_port = 4): RESOURCE_EXHAUSTED',
    ]) {
      expect(message).toContain(refused);
    }
  });

  test('of one request with hundreds of updates, each refused one is named, and each other one counted', async () => {
    const [hosts, fitting] = [200, 150];
    const message = await failure({
      topology: star(hosts),
      pipeline: wide({ ipv4_route: fitting }),
    });
    expect(message.match(/insert ingress.ipv4_route .*: RESOURCE_EXHAUSTED/g)).toHaveLength(
      hosts - fitting,
    );
    expect(message).not.toContain('does not say');
    // A member, a port record and a route for each host.
    expect(message).toContain(`${2 * hosts + fitting} inserted`);
  });

  test('another program with the same tables keeps their entries', async () => {
    await apply();
    const { pipeline } = fabricProgram;
    const json = renumberedActions(Buffer.from(pipeline.deviceConfig).toString());
    const other = { ...pipeline, deviceConfig: Uint8Array.from(Buffer.from(json)), cookie: 77n };
    const outcomes = await apply({ pipeline: other });
    expect(outcomes.map(({ programLoaded, done }) => [programLoaded, done])).toEqual(
      [1, 2, 3, 4].map(() => [true, []]),
    );
    expect(switches.map((each) => each.loads)).toEqual([2, 2, 2, 2]);
  });

  test('bmv2 is not asked to keep entries, and gets all of them anew', async () => {
    await apply({ target: 'bmv2' });
    const { pipeline } = fabricProgram;
    const json = renumberedActions(Buffer.from(pipeline.deviceConfig).toString());
    const other = { ...pipeline, deviceConfig: Uint8Array.from(Buffer.from(json)), cookie: 78n };
    const outcomes = await apply({ pipeline: other, target: 'bmv2' });
    expect(outcomes.every(({ done }) => done.length > 5)).toBe(true);
  });

  test('a switch without address is named', async () => {
    expect(await failure({ addresses: new Map() })).toContain(
      'switch s1: the document gives no P4Runtime address',
    );
  });

  test('a topology that makes no sense is refused before any connection', async () => {
    const topology = { ...leafSpine(), links: [] };
    expect(await failure({ topology })).toContain("host 'h1' is on no link");
  });
});

/** Files of a program that has nothing of what the intent fills. */
function foreignFile(suffix: string): string {
  return path.join(repositoryRoot(), `test/fixtures/p4/arithmetic.${suffix}`);
}
