import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import type { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import { SwitchError } from '../../../../../controller/p4runtime/session/errors';
import type { StreamEvent } from '../../../../../controller/p4runtime/session/stream-event';
import { dmac, EXTERNS, SAMPLE, smac, withEveryTarget } from '../support/live-suite';

const frame = (destination: number, source: number): Uint8Array =>
  Uint8Array.from([
    0,
    0,
    0,
    0,
    0,
    destination,
    0,
    0,
    0,
    0,
    0,
    source,
    8,
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
  ]);

/** The next event of a kind. */
async function next<Kind extends StreamEvent['kind']>(
  events: AsyncIterable<StreamEvent>,
  kind: Kind,
): Promise<Extract<StreamEvent, { readonly kind: Kind }>> {
  const isWanted = (event: StreamEvent): event is Extract<StreamEvent, { readonly kind: Kind }> =>
    event.kind === kind;
  const iterator = events[Symbol.asyncIterator]();
  for (;;) {
    const result = await iterator.next();
    if (result.done === true) throw new Error(`the stream has ended before a ${kind}`);
    if (isWanted(result.value)) return result.value;
  }
}

withEveryTarget((live) => {
  let client: P4RuntimeClient;
  beforeEach(() => {
    client = live.client();
  });

  test('a pipeline is verified, pushed and read back with its cookie, whole or in part', async () => {
    await client.verifyPipeline(SAMPLE);
    await client.pushPipeline({ ...SAMPLE, cookie: 2n ** 64n - 1n });
    const all = await client.getPipeline();
    expect(all.cookie).toBe(2n ** 64n - 1n);
    expect(all.p4info?.serialize()).toEqual(SAMPLE.p4info.serialize());
    expect(all.deviceConfig).toEqual(SAMPLE.deviceConfig);
    expect(await client.getPipeline('cookie')).toEqual({ cookie: 2n ** 64n - 1n });
    expect(Object.keys(await client.getPipeline('p4info')).sort()).toEqual(['cookie', 'p4info']);
  });

  test('a pipeline that is there already is not pushed again, and keeps its state', async () => {
    expect(await client.ensurePipeline(EXTERNS)).toBe('pushed');
    await client.writeAll('insert', [smac('00:00:00:00:00:01')]);
    expect(await client.ensurePipeline(EXTERNS)).toBe('kept');
    expect(await client.readAll({ kind: 'table-entries', table: 'smac' })).toHaveLength(1);
    expect(await client.ensurePipeline(SAMPLE)).toBe('pushed');
  });

  test('a pipeline can be saved first and committed later', async () => {
    await client.setPipeline('verify-and-save', EXTERNS);
    await client.setPipeline('commit');
    client.useP4Info(EXTERNS.p4info);
    expect(await client.readAll({ kind: 'table-entries', table: 'smac' })).toEqual([]);
  });

  test('digests come by name and are acknowledged by themselves', async () => {
    await client.pushPipeline(EXTERNS);
    const config = { maxTimeoutNs: 0n, maxListSize: 1, ackTimeoutNs: 3_600_000_000_000n };
    await client.writeAll('insert', [{ kind: 'digest', digest: 'learnt_t', config }]);
    expect(await client.readAll({ kind: 'digests', digest: 'learnt_t' })).toEqual([
      { kind: 'digest', digest: 'learnt_t', config },
    ]);
    const events = client.events({ kinds: ['digest', 'stream-error'] });
    live.target().send(3, frame(9, 1));
    const first = await next(events, 'digest');
    expect(first).toMatchObject({
      digest: 'learnt_t',
      samples: [{ source: '00:00:00:00:00:01', port: '3' }],
    });
    // Without acknowledgements, no sample would come a second time. bmv2 may lose one of them (it
    // reads a message again after the next has come), so each of many samples may be the one; the
    // acknowledgement of a recent one may still be under way.
    const known = new Map([[JSON.stringify(first.samples), first.listId]]);
    const isRepeated = ({ samples, listId }: typeof first): boolean => {
      const before = known.get(JSON.stringify(samples));
      known.set(JSON.stringify(samples), listId);
      return before !== undefined && before < listId;
    };
    const sources = Array.from({ length: 250 }, (_, at) => at + 2);
    for (const source of sources) {
      live.target().send(3, frame(9, Math.floor(source / 2)));
      live.target().send(3, frame(9, source));
      if (isRepeated(await next(events, 'digest'))) break;
      expect(source).not.toBe(sources.at(-1));
    }
    await events.return?.();
  });

  test('packets go both ways with the fields of their headers by name', async () => {
    await client.pushPipeline(EXTERNS);
    const toCpu = dmac('to_cpu', {});
    await client.writeAll('insert', [toCpu]);
    const events = client.events({ kinds: ['packet-in'] });
    live.target().send(3, frame(9, 1));
    expect(await next(events, 'packet-in')).toEqual({
      kind: 'packet-in',
      payload: frame(9, 1),
      metadata: { ingress_port: '3' },
    });
    await client.packetOut({ payload: frame(9, 2), metadata: { egress_port: 2 } });
    await expect(client.packetOut({ payload: frame(9, 2), metadata: {} })).rejects.toThrow(
      "packet-out, metadata field 'egress_port' is missing",
    );
  });

  test('an entry that no packet hits for its time to live is told', async () => {
    await client.pushPipeline(EXTERNS);
    const events = client.events({ kinds: ['idle-timeout'] });
    const entry = { ...smac('00:00:00:00:00:01'), idleTimeoutNs: 1_000_000n } as NamedEntity;
    await client.writeAll('insert', [entry]);
    for (let i = 0; i < 5; i++) live.target().send(1, frame(9, 2));
    const { entries } = await next(events, 'idle-timeout');
    expect(entries).toMatchObject([
      {
        table: 'ingress.smac',
        match: { 'hdr.ethernet.src_addr': { exact: '00:00:00:00:00:01' } },
      },
    ]);
    const wishes = { kind: 'table-entries', table: 'smac', idleTimes: true } as const;
    const [read] = await client.readAll(wishes);
    expect(read?.kind === 'table-entry' && read.idleForNs).toEqual(expect.any(BigInt));
  }, 20_000);

  test('a primary hears that another has taken over, and its writes are refused', async () => {
    await client.pushPipeline(EXTERNS);
    const events = client.events({ kinds: ['arbitration'] });
    const rival = live.newElectionId(2n ** 100n);
    const other = await live.connect(rival);
    try {
      expect(await other.bid()).toEqual({ kind: 'primary' });
      expect((await next(events, 'arbitration')).standing).toEqual({
        kind: 'backup',
        highest: rival,
      });
      await expect(client.writeAll('insert', [dmac('deny', {})])).rejects.toThrow(
        'PERMISSION_DENIED',
      );
    } finally {
      other.close();
    }
  });

  test('a duplicate election id ends the stream with the reason', async () => {
    const twin = await live.connect(live.newElectionId(0n));
    await expect(twin.bid()).rejects.toBeInstanceOf(SwitchError);
    twin.close();
  });
});
