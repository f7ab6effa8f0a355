import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';
import {
  SubscriptionListMode,
  SubscriptionMode,
} from '../../../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiEvent } from '../../../../../controller/gnmi/notification';
import { parsePath, printPath } from '../../../../../controller/gnmi/path';
import { parseValue, printValue } from '../../../../../controller/gnmi/value-text';
import { GnmiClient } from '../../../../../controller/io/gnmi/client';
import { readClientCredentials } from '../../../../../controller/p4runtime/session/tls';
import { hasOpenssl, makeCertificate } from '../../../../support/certificates';
import { runController } from '../../../../support/controller/run-controller';
import { GnmiServer } from '../../../../support/gnmi/gnmi-server';
import { describeIf } from '../../../../support/requires';

const NAME = '/interfaces/interface[name=eth0]/config/name';
const BYTES = '/interfaces/interface[name=eth0]/state/in-octets';

const update = (text: string, value: string) => ({
  path: parsePath(text),
  value: parseValue(value),
});

function texts(event: GnmiEvent | undefined): readonly string[] {
  if (event?.kind !== 'update') return [event?.kind ?? 'end'];
  return event.updates.map((each) => `${printPath(each.path)} = ${printValue(each.value)}`);
}

describe('a gNMI client', () => {
  let server: GnmiServer;
  let client: GnmiClient;

  beforeEach(async () => {
    server = await GnmiServer.start();
    server.tree.set(NAME, parseValue('string:eth0'));
    server.tree.set(BYTES, parseValue('uint:18446744073709551615'));
    client = await GnmiClient.connect({ address: server.address, deadline: 5000 });
  });
  afterEach(() => {
    client.close();
    server.stop();
  });

  test('capabilities tell version, encodings and models', async () => {
    expect(await client.capabilities()).toEqual({
      version: '0.10.0',
      encodings: ['json', 'proto'],
      models: [{ name: 'interfaces', organization: 'test', version: '1.0' }],
    });
  });

  test('values are read with whole paths and all 64 bits', async () => {
    const found = await client.get([parsePath('/interfaces')], { encoding: 'proto' });
    expect(found.flatMap((each) => texts({ kind: 'update', ...each }))).toEqual([
      `${NAME} = string:eth0`,
      `${BYTES} = uint:18446744073709551615`,
    ]);
    expect(found[0]?.timestamp).toBe(1700000000000000001n);
  });

  test('values are deleted, replaced and updated in one transaction', async () => {
    const { results, timestamp } = await client.set({
      deletes: [parsePath(BYTES)],
      replaces: [update('/system', 'json_ietf:{"a":1}')],
      updates: [update('/b[k=1/2]/c', 'int:-1')],
    });
    expect(results.map((each) => [printPath(each.path), each.operation])).toEqual([
      [BYTES, 'delete'],
      ['/system', 'replace'],
      ['/b[k=1/2]/c', 'update'],
    ]);
    expect(timestamp).toBe(7n);
    expect([...server.tree.keys()]).toEqual([NAME, '/system', '/b[k=1/2]/c']);
  });

  test('a subscription that lasts once ends behind the sync', async () => {
    const events: GnmiEvent[] = [];
    for await (const each of client.subscribe([parsePath(NAME)], { mode: 'once' })) {
      events.push(each);
    }
    expect(events.map(texts)).toEqual([[`${NAME} = string:eth0`], ['sync']]);
  });

  test('a streaming subscription brings values, the sync, and every change', async () => {
    const events = client.subscribe([parsePath(NAME)], {
      mode: 'stream',
      trigger: { kind: 'on-change' },
    });
    const next = async (): Promise<readonly string[]> => texts((await events.next()).value);
    expect(await next()).toEqual([`${NAME} = string:eth0`]);
    expect(await next()).toEqual(['sync']);
    server.change(NAME, parseValue('string:eth1'));
    expect(await next()).toEqual([`${NAME} = string:eth1`]);
    expect(server.subscriptions[0]?.mode).toBe(SubscriptionListMode.STREAM);
    expect(server.subscriptions[0]?.subscription[0]?.mode).toBe(SubscriptionMode.ON_CHANGE);
    const pending = next();
    client.close();
    expect(await pending).toEqual(['end']);
  });

  test('a reader that is slow loses no value', async () => {
    const events = client.subscribe([parsePath(NAME)], { mode: 'stream' });
    await events.next();
    const count = 3000;
    for (let i = 0; i < count; i++) server.change(BYTES, parseValue(`uint:${i}`));
    expect((await events.next()).value).toEqual({ kind: 'sync' });
    for (let i = 0; i < count; i++) {
      expect(texts((await events.next()).value)).toEqual([`${BYTES} = uint:${i}`]);
    }
  });

  test('a sampling subscription says its interval in nanoseconds', async () => {
    const trigger = { kind: 'sample', intervalNs: 10_000_000_000n } as const;
    for await (const each of client.subscribe([parsePath(NAME)], { mode: 'stream', trigger })) {
      if (each.kind === 'sync') break;
    }
    const [sent] = server.subscriptions[0]?.subscription ?? [];
    expect([sent?.mode, sent?.sampleInterval]).toEqual([SubscriptionMode.SAMPLE, '10000000000']);
  });

  test('a polling subscription brings the values whenever it is asked', async () => {
    const events = client.subscribe([parsePath(NAME)], { mode: 'poll' });
    for (const value of ['string:a', 'string:b']) {
      server.tree.set(NAME, parseValue(value));
      events.poll();
      expect(texts((await events.next()).value)).toEqual([`${NAME} = ${value}`]);
      expect((await events.next()).value).toEqual({ kind: 'sync' });
    }
    await events.return();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('what a device refuses is an error with place, call, status and reason', async () => {
    const place = `gNMI at ${server.address}`;
    await expect(client.get([parsePath('/x')])).rejects.toThrow(
      `${place}: Get: NOT_FOUND: no value below /x`,
    );
    await expect(client.get([parsePath(NAME)], { encoding: 'bytes' })).rejects.toMatchObject({
      codeName: 'UNIMPLEMENTED',
    });
    const events = client.subscribe([parsePath('/x')], { mode: 'stream' });
    await expect(events.next()).rejects.toThrow(
      `${place}: Subscribe: INVALID_ARGUMENT: no such path`,
    );
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('a device that goes away ends a subscription with an error, once', async () => {
    const events = client.subscribe([parsePath(NAME)], { mode: 'stream' });
    await events.next();
    await events.next();
    const pending = events.next();
    server.stop();
    await expect(pending).rejects.toThrow(/^gNMI at .*: Subscribe: /);
    expect((await events.next()).done).toBe(true);
  });

  test('a device that does not answer is given up at the deadline', async () => {
    server.silent = true;
    const hasty = await GnmiClient.connect({ address: server.address, deadline: 200 });
    await expect(hasty.capabilities()).rejects.toMatchObject({ codeName: 'DEADLINE_EXCEEDED' });
    const events = hasty.subscribe([parsePath(NAME)], { mode: 'once' });
    await expect(events.next()).rejects.toMatchObject({ codeName: 'DEADLINE_EXCEEDED' });
    hasty.close();
  });

  test('nobody there, and a client that was closed, are told clearly', async () => {
    const { address } = server;
    client.close();
    await expect(client.capabilities()).rejects.toThrow('the connection was closed');
    expect(() => client.subscribe([], { mode: 'once' })).toThrow('the connection was closed');
    server.stop();
    await expect(GnmiClient.connect({ address, deadline: 300 })).rejects.toThrow(
      `gNMI at ${address}: connection refused within 0.3 s`,
    );
  });

  test('the command line reads, changes and subscribes', async () => {
    const gnmi = (...args: readonly string[]) => runController('gnmi', ...args);
    const { address } = server;
    const set = await gnmi('set', address, '--update', '/a[k=1]/b=uint:5', '--delete', BYTES);
    expect(set).toEqual({ code: 0, out: `${BYTES} delete\n/a[k=1]/b update\n`, err: '' });
    expect((await gnmi('get', address, '/a[k=1]', NAME)).out).toBe(
      `/a[k=1]/b = uint:5\n${NAME} = string:eth0\n`,
    );
    const json = JSON.parse((await gnmi('get', address, NAME, '--json')).out) as unknown;
    expect(json).toMatchObject({
      notifications: [{ updates: [{ path: NAME, type: 'string', value: 'eth0' }] }],
    });
    const once = await gnmi('subscribe', address, NAME, '--mode', 'once', '--json');
    expect(
      once.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { kind: 'update', updates: [{ path: NAME, value: 'eth0' }] },
      { kind: 'sync' },
    ]);
    expect((await gnmi('capabilities', address)).out).toContain('gNMI 0.10.0\nencodings: json');
  });

  test('the command line tells bad paths before it connects', async () => {
    const bad = await runController('gnmi', 'get', 'nowhere:1', '/a[');
    expect(bad).toMatchObject({ code: 1, out: '' });
    expect(bad.err).toContain('wanted the name of a key at offset 3, found the end');
    const nothing = await runController('gnmi', 'set', 'nowhere:1');
    expect(nothing.err).toContain('wanted --update, --replace or --delete, found none');
  });
});

describeIf(hasOpenssl(), 'a gNMI client with TLS', 'openssl is not on PATH', () => {
  test('mutual TLS reaches a device that wants a certificate, and plain TLS does not', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-gnmi-'));
    const [own, device] = ['client', 'server'].map((name) => makeCertificate(folder, name));
    const pem = (file = ''): Buffer => fs.readFileSync(file);
    const server = await GnmiServer.start(
      ServerCredentials.createSsl(
        pem(own?.certificate),
        [{ cert_chain: pem(device?.certificate), private_key: pem(device?.key) }],
        true,
      ),
    );
    try {
      const at = { address: server.address, deadline: 1000, serverName: 'localhost' };
      const authority = device?.certificate ?? '';
      const mutual = readClientCredentials({ authority, ...own });
      const client = await GnmiClient.connect({ ...at, credentials: mutual });
      expect((await client.capabilities()).version).toBe('0.10.0');
      client.close();
      const plain = readClientCredentials({ authority });
      await expect(
        GnmiClient.connect({ ...at, credentials: plain }).then(async (anonymous) => {
          await anonymous.capabilities().finally(() => anonymous.close());
        }),
      ).rejects.toThrow(`gNMI at ${server.address}: `);
    } finally {
      server.stop();
      fs.rmSync(folder, { recursive: true });
    }
  });
});
