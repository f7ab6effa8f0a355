import * as fs from 'node:fs';
import { QueueRecords } from '../../../../../controller/io/queue-records';
import { serveMetrics } from '../../../../../common/io/metrics-server';
import { ControllerMetrics } from '../../../../../controller/io/watch/metrics';
import { NetworkWatch } from '../../../../../controller/io/watch/network-watch';
import type { NetworkEvent } from '../../../../../controller/io/watch/network-watch';
import type { SwitchEvent } from '../../../../../controller/io/watch/switch-keeper';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import { FakeThrift } from '../../../../support/controller/fake-thrift';
import { fabricProgram } from '../../../../support/controller/fabric-program';
import { DEADLINE } from '../../../../support/controller/networks';
import { runController } from '../../../../support/controller/run-controller';
import { ServedNetwork } from '../../../../support/controller/served-network';

/** Nothing happens for so long only where something hangs. */
const HANGS_AFTER_MS = 30_000;

const IPV4 = 'ingress.ipv4_route';

/** A watching controller, and what has happened so far. */
class Watching {
  readonly events: { readonly name: string; readonly event: SwitchEvent | NetworkEvent }[] = [];
  readonly metrics = new ControllerMetrics();
  private listeners: (() => void)[] = [];
  private watch: NetworkWatch | undefined;

  async start(file: string, electionId = 1n): Promise<this> {
    this.watch = await NetworkWatch.start(file, {
      electionId,
      deadline: DEADLINE,
      interval: 20,
      poll: 5,
      retry: 5,
      retryMax: 20,
      records: QueueRecords.inMemory(),
      observer: (name, event) => {
        this.metrics.observe(name, event);
        this.note(name, event);
      },
      onNetwork: (event) => this.note('', event),
    });
    return this;
  }

  /** Waits for an event after the first `from`, and gives the number of events then. */
  async until(
    wanted: (event: SwitchEvent | NetworkEvent, name: string) => boolean,
    from = 0,
  ): Promise<number> {
    for (;;) {
      const at = this.events.findIndex(({ name, event }, i) => i >= from && wanted(event, name));
      if (at >= 0) return at + 1;
      await new Promise<void>((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error(this.story(from))), HANGS_AFTER_MS);
        this.listeners.push(() => {
          clearTimeout(limit);
          resolve();
        });
      });
    }
  }

  /** Waits until both switches have been found as wanted or made so. */
  async settled(from = this.events.length): Promise<void> {
    for (const name of ['s1', 's2']) {
      await this.until((event, at) => at === name && event.kind === 'reconciled', from);
    }
  }

  async stop(): Promise<void> {
    await this.watch?.stop();
  }

  /** Events of the document and the last of all, for who waits in vain. */
  private story(from: number): string {
    const texts = this.events.map(({ name, event }) => `${name} ${JSON.stringify(event)}`);
    const own = texts.filter((text) => text.startsWith(' '));
    const shown = [...own, ...texts.slice(-6)].join('; ');
    return `nothing of ${texts.length} events from ${from} on is it: ${shown}`;
  }

  private note(name: string, event: SwitchEvent | NetworkEvent): void {
    this.events.push({ name, event });
    for (const resolve of this.listeners.splice(0)) resolve();
  }
}

describe('a watching controller', () => {
  let network: ServedNetwork;
  const watching: Watching[] = [];
  let thrift: FakeThrift | undefined;

  beforeEach(async () => {
    network = await ServedNetwork.start(2);
  });
  afterEach(async () => {
    await Promise.all(watching.splice(0).map((each) => each.stop()));
    await thrift?.stop();
    thrift = undefined;
    await network.stop();
  });

  const start = async (file = network.document(), electionId = 1n): Promise<Watching> => {
    const found = await new Watching().start(file, electionId);
    watching.push(found);
    return found;
  };

  test('fills the switches, and fills again one that has restarted', async () => {
    const watch = await start();
    await watch.settled();
    expect(network.sizes(IPV4)).toEqual([4, 4]);
    await network.restart(0);
    const mark = await watch.until((event, name) => name === 's1' && event.kind === 'failed');
    await watch.until((event) => event.kind === 'reconciled' && event.programLoaded, mark);
    expect(network.sizes(IPV4)).toEqual([4, 4]);
  });

  test('removes what somebody else has changed', async () => {
    const watch = await start();
    await watch.settled();
    const table = network.devices[0]?.pipeline?.tables.get(IPV4);
    const [entry] = [...(table?.entries() ?? [])];
    if (table === undefined || entry === undefined) throw new Error('there is an entry');
    table.delete(entry.key, entry.priority);
    await watch.until((event) => event.kind === 'reconciled' && event.updates.insert === 1);
    expect(network.sizes(IPV4)).toEqual([4, 4]);
  });

  test('takes a new version of the document, and keeps to the old one when it has a fault', async () => {
    const file = network.document();
    const watch = await start(file);
    await watch.settled();
    fs.writeFileSync(file, 'switches: [');
    const mark = await watch.until((event) => event.kind === 'document-refused');
    await watch.settled();
    expect(network.sizes(IPV4)).toEqual([4, 4]);
    const links = (text: string): string => text.replace(/.*h4.*\n/g, '');
    network.document(links);
    await watch.until((event) => event.kind === 'document', mark);
    await watch.until((event) => event.kind === 'reconciled' && event.updates.delete > 0, mark);
    await watch.settled();
    expect(network.sizes(IPV4)).toEqual([3, 3]);
    // The switches are reached as before, so nobody had to take over.
    expect(watch.events.filter(({ event }) => event.kind === 'connected')).toHaveLength(2);
  });

  test('leads around links that a switch reports as down, and back', async () => {
    thrift = await new FakeThrift().start();
    const { portsDown, address } = thrift;
    const watch = await start(
      network.document((text) => text.replace('nodeId: 1', `nodeId: 1, thrift: "${address}"`)),
    );
    await watch.settled();
    const groups = (): number =>
      [...(network.devices[0]?.pipeline?.actionProfiles.get('ingress.ecmp')?.groups() ?? [])]
        .length;
    expect(groups()).toBe(1);
    portsDown.add(3);
    let mark = await watch.until(
      (event) => event.kind === 'links-down' && event.links.join() === 's1:3 - s2:4',
    );
    // The switches are reconciled one after the other.
    mark = await watch.until((event) => event.kind === 'reconciled' && groups() === 0, mark);
    await watch.settled();
    portsDown.clear();
    mark = await watch.until(
      (event) => event.kind === 'links-down' && event.links.length === 0,
      mark,
    );
    await watch.until((event) => event.kind === 'reconciled' && groups() === 1, mark);
    await watch.settled();
    expect(groups()).toBe(1);
  });

  test('stands by while another one leads, and takes over when it ends', async () => {
    const first = await start(network.document(), 10n);
    await first.settled();
    const second = await start(network.document(), 5n);
    await second.until((event, name) => name === 's1' && event.kind === 'backup');
    await second.until((event, name) => name === 's2' && event.kind === 'backup');
    await first.stop();
    const isTaken = (event: SwitchEvent | NetworkEvent): boolean =>
      event.kind === 'primary' && event.electionId === 15n;
    await second.until(isTaken);
    await second.settled();
    await network.restart(0);
    await second.until((event) => event.kind === 'reconciled' && event.programLoaded);
    // Whoever comes back with its old id stands by.
    const third = await start(network.document(), 10n);
    await third.until((event, name) => name === 's2' && event.kind === 'backup');
  });

  test('of several successors the one with the highest election id leads in the end', async () => {
    const leader = await start(network.document(), 50n);
    await leader.settled();
    const [low, high] = [await start(network.document(), 2n), await start(network.document(), 7n)];
    for (const each of [low, high]) {
      await each.until((event, name) => name === 's1' && event.kind === 'backup');
      await each.until((event, name) => name === 's2' && event.kind === 'backup');
    }
    await leader.stop();
    await high.until((event) => event.kind === 'primary');
    await high.settled();
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: network.addresses[0] ?? '',
      deadline: DEADLINE,
      deviceId: 1n,
      electionId: 1n,
    });
    const standing = await client.bid();
    client.close();
    expect(standing.kind).toBe('backup');
  });

  test('tells of refused updates and tries again', async () => {
    const acl = Array.from(
      { length: 5 },
      (_, i) => `{table: acl, match: {hdr.ethernet.src_addr: ${i}}, priority: 1, action: deny}`,
    );
    const file = network.document((text) =>
      text.replace(', nodeId: 1', `, entries: [${acl.join(', ')}], nodeId: 1`),
    );
    const watch = await start(file);
    await watch.until((event) => event.kind === 'incomplete' && event.refused === 1);
    network.document();
    await watch.settled();
    expect((await runController('plan', network.document())).code).toBe(0);
  });

  test('serves metrics for Prometheus', async () => {
    const watch = await start();
    await watch.settled();
    const server = await serveMetrics('127.0.0.1:0', watch.metrics.registry);
    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    const text = await response.text();
    const other = await fetch(`http://127.0.0.1:${server.port}/`);
    await server.close();
    expect(other.status).toBe(404);
    for (const line of [
      'hpcc_controller_connected{switch="s1"} 1',
      'hpcc_controller_primary{switch="s2"} 1',
      'hpcc_controller_in_sync{switch="s1"} 1',
      'hpcc_controller_updates_total{switch="s1",type="insert"} 13',
      'hpcc_controller_program_loads_total{switch="s1"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  test('does not start with a document that has a fault', async () => {
    await expect(start(network.file('bad.yaml', 'switches: []'))).rejects.toThrow(
      /bad\.yaml:1: switches: /,
    );
  });

  test('the program that it loads is told by its cookie afterwards', async () => {
    const watch = await start();
    await watch.settled();
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: network.addresses[0] ?? '',
      deadline: DEADLINE,
      deviceId: 1n,
      electionId: 1n,
    });
    const { cookie } = await client.getPipeline();
    client.close();
    expect(cookie).toBe(fabricProgram.pipeline.cookie);
  });
});
