import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { P4Info } from '../../../../common/p4runtime/generated/p4/config/v1/p4info';
import { applyTopology } from '../../../../controller/p4runtime/set-up';
import { compiledPipeline, loadPipeline } from '../../../../controller/io/load-pipeline';
import type { ConfiguredSwitch } from '../../../../controller/p4runtime/set-up';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { FABRIC_FILES, fabricProgram } from '../../../support/controller/fabric-program';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { leafSpine } from '../../../support/topologies';

/** Generous: a loaded machine is slow. */
jest.setTimeout(60_000);

const DEADLINE = 20_000;

describe('setting up a network', () => {
  let server: P4RuntimeServer;
  let switches: readonly StateSwitch[];
  let configured: readonly ConfiguredSwitch[];

  beforeEach(async () => {
    switches = [1, 2, 3, 4].map(() => new StateSwitch());
    configured = [];
    const devices = new Map(switches.map((each, i) => [i + 1, each]));
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  });

  afterEach(async () => {
    for (const { client } of configured) client.close();
    await server.stop();
  });

  const addresses = (): Map<string, string> =>
    new Map(['s1', 's2', 's3', 's4'].map((name) => [name, `127.0.0.1:${server.port}`]));

  const apply = async (changes: object = {}): Promise<void> => {
    const options = {
      topology: leafSpine(),
      pipeline: fabricProgram.pipeline,
      addresses: addresses(),
    };
    configured = await applyTopology({ ...options, deadline: DEADLINE, ...changes });
  };

  const failure = async (changes: object): Promise<string> => {
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

  test('applying again gives the same state', async () => {
    await apply();
    for (const { client } of configured) client.close();
    await apply({ electionId: 2n });
    expect(switches.map((each) => each.loads)).toEqual([2, 2, 2, 2]);
  });

  test('an unreachable switch leaves nothing half configured', async () => {
    const some = addresses().set('s3', '127.0.0.1:1');
    expect(await failure({ addresses: some, deadline: 300 })).toBe(
      'switch s3 at 127.0.0.1:1: connection refused within 0.3 s',
    );
    expect(switches.map((each) => each.loads)).toEqual([0, 0, 0, 0]);
  });

  test('all unreachable switches are named', async () => {
    const some = addresses().set('s3', '127.0.0.1:1').set('s4', '127.0.0.1:1');
    expect(await failure({ addresses: some, deadline: 300 })).toBe(
      [
        'switch s3 at 127.0.0.1:1: connection refused within 0.3 s',
        'switch s4 at 127.0.0.1:1: connection refused within 0.3 s',
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

  test('a program without what the intent needs is refused before any connection', async () => {
    const pipeline = await loadPipeline(foreignFile('p4info.txtpb'), foreignFile('json'));
    expect(await failure({ pipeline })).toMatch(/^no action profile 'ecmp'; the program has: /);
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
      p4info: small,
      deviceConfig: Uint8Array.from(
        Buffer.from(
          json
            .replace(/("ingress.ipv4_route"[^]*?"max_size" : )32/, '$13')
            .replace(/("egress.port_record"[^]*?"max_size" : )16/, '$12'),
        ),
      ),
    };
    const message = await failure({ pipeline });
    expect(message).toContain('s1 at');
    expect(message).toContain('3 of 9 updates failed');
    expect(message).toContain(
      'insert ipv4_route (hdr.ipv4.dst_addr = 10.0.0.4/32): RESOURCE_EXHAUSTED',
    );
    expect(message).toContain(
      'insert port_record (standard_metadata.egress_port = 3): RESOURCE_EXHAUSTED',
    );
    expect(message).toContain(
      'insert port_record (standard_metadata.egress_port = 4): RESOURCE_EXHAUSTED',
    );
  });

  test('a switch without address is named', async () => {
    expect(await failure({ addresses: new Map() })).toContain(
      'switch s1: no P4Runtime address is known',
    );
  });

  test('a topology that makes no sense is refused before any connection', async () => {
    const topology = { ...leafSpine(), links: [] };
    expect(await failure({ topology })).toContain('wanted exactly one link, found 0');
  });
});

describe('loading a pipeline', () => {
  test('files are read by their suffix', async () => {
    const pipeline = await loadPipeline(FABRIC_FILES.p4info, FABRIC_FILES.config);
    expect(pipeline.p4info.tables).toHaveLength(6);
    expect(Buffer.from(pipeline.deviceConfig)).toEqual(fs.readFileSync(FABRIC_FILES.config));
  });

  test('a missing file and a broken one are named', async () => {
    await expect(loadPipeline('/nowhere/x.p4info.txt', 'x.json')).rejects.toThrow(
      /^cannot read \/nowhere\/x\.p4info\.txt: ENOENT/,
    );
    await expect(loadPipeline(FABRIC_FILES.config, FABRIC_FILES.config)).rejects.toThrow(
      /fabric\.json: \$\.header_types: p4\.config\.v1\.P4Info has no such field$/,
    );
  });

  test('committed artefacts are P4Info in JSON and BMv2 JSON', () => {
    const p4info = JSON.stringify({ tables: [{ preamble: { id: 1, name: 't' } }] });
    const pipeline = compiledPipeline({ deviceConfig: '{}', p4info });
    expect(pipeline.p4info.tables[0]?.preamble.name).toBe('t');
    expect([...pipeline.deviceConfig]).toEqual([0x7b, 0x7d]);
  });
});

/** Files of a program that has nothing of what the intent fills. */
function foreignFile(suffix: string): string {
  return path.join(repositoryRoot(), `test/fixtures/p4/arithmetic.${suffix}`);
}
