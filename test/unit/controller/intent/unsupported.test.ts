import { describeUnsupported } from '../../../../controller/intent/unsupported';
import { prepareDocument } from '../../../../controller/io/network-file';
import type { NetworkText } from '../../../../controller/document/schema';

const TELEMETRY = {
  feedback: { queueBytes: 50_000 },
  ecn: { minBytes: 1, maxBytes: 2 },
  classes: [{ dscp: 1, queue: 2 }],
  digest: { baseRtt: '8 us' },
  ioam: { namespaces: [{ id: 1 }] },
  watch: [{ switch: 's2' }],
};

const COORDINATION = { highBytes: 2, lowBytes: 1, key: { id: 1, bytes: '00'.repeat(16) } };

/** Two switches in a row, with a host at either end. */
const pair = (own: object, more: Partial<NetworkText> = {}): NetworkText => ({
  switches: [
    { name: 's1', ...own },
    { name: 's2', program: 'hpcc-edge' },
  ],
  hosts: [{ name: 'h1', telemetry: false }, { name: 'h2' }],
  links: [
    { between: ['h1', 's1:1'], rate: '100 Gb/s' },
    { between: ['s1:2', 's2:2'], rate: '400 Gb/s' },
    { between: ['s2:1', 'h2'], rate: '100 Gb/s' },
  ],
  ...more,
});

const unsupportedParts = async (document: NetworkText): Promise<readonly string[]> =>
  describeUnsupported((await prepareDocument(document)).unsupported);

describe('what switches lack of a document', () => {
  test('is nothing where every program has what is asked of it', async () => {
    expect(await unsupportedParts(pair({ program: 'hpcc-edge' }))).toEqual([]);
  });

  test('is told for every table that a program has not, once for all switches', async () => {
    const found = await unsupportedParts(
      pair({}, { telemetry: TELEMETRY, coordination: COORDINATION }),
    );
    expect(found).toEqual([
      's1, s2 without telemetry.feedback: its program has no table feedback_threshold',
      's1, s2 without telemetry.digest: its program has no table load_scale',
      's1, s2 without telemetry.ecn: its program has no table ecn_threshold',
      's1, s2 without telemetry.classes: its program has no table class_of_dscp',
      's1, s2 without telemetry.ioam: its program has no table namespaces',
      's1, s2 without coordination: its program has no table coordination_settings',
      's1 without hosts without telemetry: its program has no table sink_port',
    ]);
  });

  test('is told of the edge for those that are one', async () => {
    const own = { ports: [{ port: 1, untrusted: true }] };
    const telemetry = { watch: [{ switch: 's1' }] };
    expect(await unsupportedParts(pair(own, { telemetry }))).toEqual([
      's1 without telemetry.watch: its program has no table sink_port',
      's1 without untrusted ports: its program has no table port_trust',
      's1 without hosts without telemetry: its program has no table sink_port',
    ]);
  });

  test('is told of queues that nobody can set', async () => {
    const ports = [{ port: 1, priorities: [{ priority: 1, share: 0.5 }], depthPackets: 9 }];
    const program = 'hpcc-edge';
    expect(await unsupportedParts(pair({ program, ports }))).toEqual([
      's1 without depths of queues: the document gives no Thrift address',
      's1 without shares of queues: the document gives no Thrift address',
    ]);
    expect(await unsupportedParts(pair({ program, ports, thrift: '127.0.0.1:9090' }))).toEqual([]);
  });

  test('is told of what Tofino and Stratum do not take', async () => {
    const own = {
      program: 'hpcc-edge',
      target: 'stratum',
      clockUnitNs: 1000,
      queueUnitBytes: 100,
      ports: [{ port: 1, priorities: [{ priority: 1, share: 0.5 }], depthPackets: 9 }],
    };
    expect(await unsupportedParts(pair(own, { telemetry: { txUnitBytes: 64 } }))).toEqual([
      "s1 without depths of queues: depths have no words in Stratum's configuration",
      's1 without shares of queues: Stratum takes them only with its whole chassis configuration, and the document gives no chassis',
      's1 without queueUnitBytes 100: Tofino counts cells of 80 or 176 bytes',
      's1 without clockUnitNs 1000: Tofino counts nanoseconds',
      's1 without telemetry.txUnitBytes: its program counts bytes',
      's1 without speeds of ports: the document gives no gNMI address',
    ]);
    const full = {
      program: 'hpcc-edge',
      target: 'stratum',
      gnmi: '127.0.0.1:9339',
      chassis: { ports: [{ port: 1, panel: '1/0' }] },
      ports: [{ port: 1, priorities: [{ priority: 1, share: 0.5 }] }],
    };
    expect(await unsupportedParts(pair(full))).toEqual([
      's1 without speed of port 2 (400 Gb/s): Stratum has no name for it over gNMI; its chassis configuration has',
    ]);
    const links = [
      { between: ['h1', 's1:1'] as [string, string], rate: '100 Gb/s', backRate: '25 Gb/s' },
      ...(pair({}).links?.slice(2) ?? []),
      { between: ['s1:2', 's2:2'] as [string, string], rate: '100 Gb/s' },
    ];
    expect(await unsupportedParts(pair(full, { links }))).toEqual([
      's1 without rate of port 1 (25 Gb/s): it is below that of the other direction, and gNMI tells ports one speed; the chassis configuration has shapers',
    ]);
  });

  test('names eight switches, and how many more', () => {
    const unsupported = Array.from({ length: 10 }, (_, i) => ({
      switch: `s${i}`,
      what: 'x',
      why: 'y',
    }));
    expect(describeUnsupported(unsupported)).toEqual([
      's0, s1, s2, s3, s4, s5, s6, s7 and 2 more without x: y',
    ]);
  });
});
