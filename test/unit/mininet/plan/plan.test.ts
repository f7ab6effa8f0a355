import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../../../common/io/repository';
import { experimentNames } from '../../../../mininet/io/experiment-files';
import { bufferSchema } from '../../../../emulator/scenario/buffer-schema';
import { readKeyFile } from '../../../../host-agent/io/keys/key-file';
import { expandPlan } from '../../../../mininet/plan/expand-plan';
import { answerKeys, withAnswerKeys } from '../../../../mininet/plan/host-answers';
import { FEEDBACK_KEY_FILE, feedbackKeys } from '../../../../mininet/plan/host-keys';
import { planSchema } from '../../../../mininet/plan/plan';
import { SWITCH_KINDS } from '../../../../mininet/experiment/switch-kinds';
import { preparedCases } from '../../../support/mininet-fixture';

const committed = path.join(repositoryRoot(), 'mininet', 'plan.schema.json');

/** Which bmv2 cannot do. */
const WEIGHTED = 'weighted-classes';

describe('the plan of a run', () => {
  test('the committed JSON Schema is the one of the code', () => {
    expect(JSON.parse(fs.readFileSync(committed, 'utf8'))).toEqual({
      ...z.toJSONSchema(planSchema, { io: 'input' }),
      title: 'A run under Mininet',
    });
  });

  const all = experimentNames()
    .flatMap((name) => SWITCH_KINDS.map((kind) => ({ name, kind })))
    .filter(({ name, kind }) => kind !== 'bmv2' || name !== WEIGHTED);
  test.each(all)('$name on $kind becomes plans that name each process once', (choice) => {
    for (const { plan } of preparedCases(choice.name, { kind: choice.kind })) {
      expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      const started = plan.timeline.flatMap((event) =>
        event.action === 'start' ? [event.process.name] : [],
      );
      const names = [
        ...plan.groups.map((group) => group.name),
        ...plan.switches.map(({ process }) => process.name),
        ...plan.setup.map(({ process }) => process.name),
        ...plan.services.map((service) => service.name),
        ...started,
      ];
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('events are in the order of time, and every process that starts is waited for', () => {
    const [prepared] = preparedCases('mice-elephants', { set: ['mice=3', 'every=2'] });
    const timeline = prepared?.plan.timeline ?? [];
    expect(timeline.map(({ at }) => at)).toEqual([0, 0, 5, 5, 7, 7, 9, 9]);
    const names = (action: string): string[] =>
      timeline.flatMap((event) => {
        if (event.action !== action) return [];
        return event.action === 'start'
          ? [event.process.name]
          : 'process' in event
            ? [event.process]
            : [];
      });
    expect(names('start')).toEqual(['elephant', 'mouse-1', 'mouse-2', 'mouse-3']);
    expect(names('wait')).toEqual(names('start'));
  });

  test('hosts find all others behind the port of their switch', () => {
    const [prepared] = preparedCases('single-flow');
    const host = prepared?.plan.hosts.find(({ name }) => name === 'h2');
    expect(host?.interfaces.map((each) => each.interface)).toEqual(['h2-eth0']);
    expect(host).toMatchObject({
      ipv4: '10.0.0.2',
      mac: '02:01:00:00:00:02',
    });
    expect(host?.interfaces[0]?.neighbours).toEqual(
      ['10.0.0.1', '10.0.0.3', '10.0.0.4'].map((ipv4) => ({ ipv4, mac: '02:00:00:02:00:01' })),
    );
  });

  test('a host with several links has an interface for each, and finds others behind each of them', () => {
    for (const kind of SWITCH_KINDS) {
      const [prepared] = preparedCases('two-nics', { kind });
      const host = prepared?.plan.hosts.find(({ name }) => name === 'h1');
      expect(host?.interfaces).toEqual(
        [1, 2].map((port) => ({
          interface: `h1-eth${port}`,
          neighbours: ['10.0.0.2', '10.0.0.3', '10.0.0.4'].map((ipv4) => ({
            ipv4,
            mac: `02:00:00:0${port}:00:01`,
          })),
        })),
      );
      expect(prepared?.plan.links[1]).toMatchObject({
        name: 'h1:2-s2:1',
        a: { node: 'h1', interface: 'h1-eth2' },
        b: { node: 's2', interface: 's2-eth1' },
        routed: true,
      });
    }
  });

  test('the embedded switch paces bits, bmv2 is left to the controller', () => {
    const command = (kind: 'embedded' | 'bmv2'): string =>
      preparedCases('single-flow', { kind })[0]?.plan.switches[0]?.process.argv.join(' ') ?? '';
    expect(command('embedded')).toContain('--link-rate-bps 3=100000000');
    expect(command('bmv2')).toBe(
      'simple_switch_grpc --no-p4 --device-id 1 --thrift-port 9091 -i 1@s1-eth1 -i 2@s1-eth2 ' +
        '-i 3@s1-eth3 -- --grpc-server-addr 127.0.0.1:50001',
    );
  });

  describe('classes of traffic', () => {
    const command = (name: string, kind: 'embedded' | 'bmv2'): string =>
      preparedCases(name, { kind })[0]?.plan.switches[0]?.process.argv.join(' ') ?? '';

    test('get a queue each on both switches', () => {
      for (const kind of SWITCH_KINDS) {
        expect(command('two-classes', kind)).toMatch(/ -- .*--priority-queues 8$/);
        expect(command('single-flow', kind)).not.toContain('--priority-queues');
      }
    });

    test('leave trimmed headers a queue of their own', () => {
      for (const kind of SWITCH_KINDS) {
        expect(command('spray', kind)).toMatch(/ -- .*--priority-queues 8$/);
      }
    });

    test('get their weights on the embedded switch, and bmv2 is refused by name', () => {
      const text = command(WEIGHTED, 'embedded');
      expect(text).toContain('--queue-weight 1=3 --queue-weight 0=1 -- ');
      expect(text).toMatch(/--priority-queues 2$/);
      expect(command('two-classes', 'embedded')).not.toContain('--queue-weight');
      expect(() => command(WEIGHTED, 'bmv2')).toThrow(
        's1: bmv2 serves queues by priority, and a class or queue has a weight (DWRR)',
      );
    });
  });

  test('hosts that sign get one key file, on both sides', () => {
    const signing = (name: string): string[] =>
      preparedCases(name).flatMap(({ plan }) =>
        [
          ...plan.services.map(({ argv }) => argv),
          ...plan.timeline.flatMap((event) =>
            event.action === 'start' ? [event.process.argv] : [],
          ),
        ].flatMap((argv) => argv.slice(argv.indexOf('--keys')).slice(0, 2)),
      );
    const file = '/run/out/feedback-keys.json';
    expect(signing('signed')).toEqual(['--keys', file, '--keys', file]);
    expect(signing('single-flow').join()).not.toContain('--keys');
  });

  test('hosts that ask switches know what these sign with, where they do', () => {
    const answered = preparedCases('fast-feedback', { kind: 'embedded' }).at(-1);
    if (answered === undefined) throw new Error('no case');
    const { own, network } = answered;
    const single = { switch: 's1', id: 4, bytes: 'a5'.repeat(16) };
    const signing = { key: { id: 3, bytes: '5a'.repeat(16) }, keys: [single] };
    const telemetry = { ...network.text.telemetry, feedback: { queueBytes: 2500, signing } };
    const signed = { ...network, text: { ...network.text, telemetry } };
    expect(answerKeys(network)).toBeUndefined();
    expect(answerKeys(signed)).toBe(`{"3":"${'5a'.repeat(16)}","4":"${'a5'.repeat(16)}"}\n`);
    const optionsOf = (on: typeof network): readonly (readonly string[])[] =>
      withAnswerKeys(own, on, '/run/out').document.flows.map(({ options }) => options);
    const asking = ['--answer-keys', '/run/out/answer-keys.json', '--switch-responses'];
    expect(optionsOf(signed)).toEqual([[], [], asking, asking]);
    expect(optionsOf(network)).toEqual([[], [], ['--switch-responses'], ['--switch-responses']]);
    const all = { ...own, document: { ...own.document, options: ['--switch-responses'] } };
    expect(withAnswerKeys(all, signed, '/run/out').document.options).toEqual(asking);
  });

  test('a key is written as hosts read it', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-keys-'));
    const file = path.join(folder, FEEDBACK_KEY_FILE);
    fs.writeFileSync(file, feedbackKeys(new Uint8Array(32).fill(0xab)), { mode: 0o600 });
    const document = readKeyFile(file);
    fs.rmSync(folder, { recursive: true });
    expect(document).toMatchObject({ signing: 1 });
  });

  describe('memory that ports share', () => {
    const BUFFER = bufferSchema.parse({
      bytes: 400_000,
      alpha: [1, 0.5],
      reservedBytes: 2000,
      pfc: { priorities: [0], headroomBytes: 60_000, quanta: 1000 },
    });

    /** Plans an experiment with such memory, and with or without limits of queues. */
    function commandWith(kind: 'embedded' | 'bmv2', limited = false): string | undefined {
      const [prepared] = preparedCases('single-flow', { kind });
      if (prepared === undefined) throw new Error('no case');
      const { own, network } = prepared;
      const switches = network.spec.switches.map(
        ({ document: { queues, ...document }, ...rest }) => {
          return { ...rest, document: { ...document, ...(limited && { queues }) } };
        },
      );
      const document = { ...own.document, buffer: BUFFER };
      const plan = expandPlan(
        { ...own, document },
        { ...network, spec: { ...network.spec, switches } },
        {
          run: 'x',
          output: '/run/out',
          networkFile: 'n',
          togetherAt: 0,
          pcap: false,
          programs: { hpcc: ['hpcc'], bmv2: 'bmv2', kind, separate: true },
          artifacts: { name: 'hpcc', p4info: 'i', config: 'c' },
        },
      );
      return plan.switches[0]?.process.argv.join(' ');
    }

    test('becomes flags of the embedded switch', () => {
      expect(commandWith('embedded')).toContain(
        '--buffer-bytes 400000 --buffer-alpha 1,0.5 --buffer-reserved-bytes 2000 ' +
          '--pfc-priorities 0 --pfc-headroom-bytes 60000 --pfc-quanta 1000 -- ',
      );
    });

    test('is refused for bmv2, and beside limits that would lose packets', () => {
      expect(() => commandWith('bmv2')).toThrow('buffer: ports of bmv2 share no memory');
      expect(() => commandWith('embedded', true)).toThrow(
        'buffer.pfc excludes queues.depthPackets of s1, which would drop lossless packets',
      );
    });
  });

  test('embedded switches and hosts share a process, unless they are to be separate', () => {
    const groupsOf = (choice: Parameters<typeof preparedCases>[1], name = 'single-flow') => {
      const plan = preparedCases(name, choice)[0]?.plan;
      const started = (plan?.timeline ?? []).flatMap((event) =>
        event.action === 'start' ? [event.process] : [],
      );
      const all = [...(plan?.switches ?? []).map(({ process }) => process), ...started];
      const services = plan?.services ?? [];
      return {
        groups: plan?.groups.map(({ argv }) => argv.join(' ')),
        of: [...all, ...services].map(({ group, argv }) => `${group ?? 'alone'}: ${argv[0] ?? ''}`),
      };
    };
    const group = 'node main.js group --commands';
    expect(groupsOf({})).toEqual({
      groups: [`${group} --before-helpers`],
      of: ['all-nodes: switch', 'all-nodes: switch', 'all-nodes: send', 'all-nodes: agent'],
    });
    expect(groupsOf({ kind: 'bmv2' })).toEqual({
      groups: [group],
      of: [
        'alone: simple_switch_grpc',
        'alone: simple_switch_grpc',
        'all-nodes: send',
        'all-nodes: agent',
      ],
    });
    expect(groupsOf({}, 'fat-tree')).toEqual({
      groups: [group, group],
      of: [
        ...Array.from({ length: 20 }, () => 'all-switches: switch'),
        ...Array.from({ length: 64 }, () => 'all-hosts: send'),
        ...Array.from({ length: 8 }, () => 'all-hosts: agent'),
      ],
    });
    expect(groupsOf({ separate: true })).toEqual({
      groups: [],
      of: ['alone: node', 'alone: node', 'alone: node', 'alone: node'],
    });
  });

  test('a capture is of the bottleneck', () => {
    const [prepared] = preparedCases('single-flow', { pcap: true });
    expect(prepared?.plan.captures).toEqual([
      { node: 's1', interface: 's1-eth3', file: 's1-eth3.pcap', snapLength: 256 },
    ]);
  });

  test('flows that begin together are told one instant', () => {
    const [prepared] = preparedCases('incast');
    const instants = prepared?.plan.timeline.flatMap((event) =>
      event.action === 'start'
        ? [event.process.argv[event.process.argv.indexOf('--start-at') + 1]]
        : [],
    );
    expect(instants).toHaveLength(8);
    expect(new Set(instants).size).toBe(1);
  });

  test('each case of TCP has its own services', () => {
    const services = preparedCases('tcp').map(({ own, plan }) => [
      own.name,
      plan.services.map(({ name }) => name),
    ]);
    expect(services).toEqual([
      ['hpcc', ['tcp-h1', 'tcp-h2', 'iperf3-server']],
      ['cubic', ['observe-h1', 'observe-h2', 'iperf3-server']],
      ['bbr', ['observe-h1', 'observe-h2', 'iperf3-server']],
    ]);
  });
});
