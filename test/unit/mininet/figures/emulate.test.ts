import { emulatedScenario } from '../../../../mininet/figures/emulate';
import { comparisonPage } from '../../../../mininet/figures/summary-page';
import { figuresOf, isSprayed } from '../../../../mininet/figures/figures';
import { delaysOf } from '../../../../mininet/figures/summary';
import { bufferSchema } from '../../../../emulator/scenario/buffer-schema';
import { singleFlow } from '../../../support/mininet-fixture';

describe('the same run in the emulator', () => {
  test('has the flows, links and parameters of the real one', () => {
    const observation = singleFlow();
    const scenario = emulatedScenario(observation);
    expect(scenario.flows).toEqual([
      expect.objectContaining({
        from: 'h1',
        to: 'h2',
        startUs: 0,
        bytes: observation.flows[0]?.bytes,
      }),
    ]);
    expect(scenario.parameters).toMatchObject({
      targetUtilization: 0.95,
      baseRttUs: 10_000,
      expectedFlows: 20,
    });
    expect(scenario.topology).toMatchObject({ kind: 'custom', switches: ['s1', 's2'] });
  });

  test('has the algorithm and the memory that it had, and the program that serves them', () => {
    const { own, network, ...rest } = singleFlow();
    const options = ['--algorithm', 'dctcp'];
    const buffer = bufferSchema.parse({ bytes: 100_000, pfc: { headroomBytes: 5000 } });
    const ecn = { minBytes: 8000, maxBytes: 8000 };
    const text = { ...network.text, program: 'hpcc-queues', telemetry: { ecn } };
    const scenario = emulatedScenario({
      ...rest,
      own: { ...own, document: { ...own.document, options, buffer } },
      network: { ...network, text },
    });
    expect(scenario.parameters.algorithm).toBe('dctcp');
    expect(scenario).toMatchObject({ buffer, profile: 'hpcc-queues', telemetry: { ecn } });
    expect(emulatedScenario(singleFlow())).toMatchObject({
      profile: 'hpcc',
      parameters: { algorithm: 'hpccpp' },
    });
  });

  test('has spray and trimming of its switches, and entropies of its hosts', () => {
    const { own, network, ...rest } = singleFlow();
    const run = (program: string, more: object, options: string[]) => ({
      ...rest,
      own: { ...own, document: { ...own.document, options } },
      network: { ...network, text: { ...network.text, program, ...more } },
    });
    const selective = ['--loss-recovery', 'selective-repeat'];
    const reps = [...selective, '--balancing', 'reps'];
    const trimmed = run('hpcc-trim', { trim: { queueBytes: 9000 } }, reps);
    const sprayed = run('hpcc-spray', { spray: 'round-robin' }, selective);
    expect(emulatedScenario(trimmed)).toMatchObject({
      profile: 'hpcc-trim',
      trim: { queueBytes: 9000 },
      parameters: { balancing: 'reps' },
    });
    expect(emulatedScenario(sprayed)).toMatchObject({
      profile: 'hpcc-spray',
      spray: 'round-robin',
    });
    const more = { trim: { queueBytes: 9000 }, spray: 'random' };
    expect(emulatedScenario(run('hpcc-spray-trim', more, selective))).toMatchObject({
      profile: 'hpcc-spray-trim',
      ...more,
    });
    expect([trimmed, sprayed, singleFlow()].map(isSprayed)).toEqual([true, true, false]);
  });

  test('has what else the command lines and the switches were told', () => {
    const { own, network, ...rest } = singleFlow();
    const [sender, classes] = [own.document.flows[0], [{ dscp: 46, queue: 7 }]];
    if (sender?.kind !== 'hpcc') throw new Error('a flow of hpcc');
    const options = ['--paths', '2', '--queue-measure', 'sojourn', '--switch-responses'];
    const flow = { ...sender, options: ['--dscp', '46', '--rate', '5000000'] };
    const document = { ...own.document, options, signed: true, flows: [flow] };
    const text = { ...network.text, program: 'hpcc-queues', telemetry: { classes } };
    const scenario = emulatedScenario({
      ...rest,
      own: { ...own, document },
      network: { ...network, text },
      flows: rest.flows.map((each) => ({ ...each, sender: { ...each.sender, flow } })),
    });
    expect(scenario).toMatchObject({
      profile: 'hpcc-queues',
      telemetry: { classes },
      flows: [{ dscp: 46 }],
      fixedRateGbps: { h1: 0.005 },
      parameters: {
        paths: 2,
        switchResponses: 'on',
        queueMeasure: 'sojourn',
        authentication: 'on',
        plausibility: 'on',
      },
    });
    expect(emulatedScenario(singleFlow()).parameters).toMatchObject({
      paths: 1,
      switchResponses: 'off',
      queueMeasure: 'length',
      authentication: 'off',
    });
  });

  test.each([
    [[], undefined, 20],
    [['--wai-bytes', '250'], 250, undefined],
    [['--expected-flows', '3', '--max-stage', '1'], undefined, 3],
  ])('has the additive increase of its hosts with options %j', (options, waiBytes, N) => {
    const { own, ...rest } = singleFlow();
    const document = { ...own.document, options };
    const { parameters } = emulatedScenario({ ...rest, own: { ...own, document } });
    expect([parameters.waiBytes, parameters.expectedFlows]).toEqual([waiBytes, N]);
    expect(parameters.maxStage).toBe(options.length > 2 ? 1 : 5);
  });

  test('has answers alone where the command lines say so', () => {
    const { own, network, ...rest } = singleFlow();
    const document = { ...own.document, options: ['--switch-responses', 'only'] };
    const telemetry = { feedback: { queueBytes: 2500, interval: '2 ms' } };
    const text = { ...network.text, program: 'hpcc-feedback', telemetry };
    const scenario = emulatedScenario({
      ...rest,
      own: { ...own, document },
      network: { ...network, text },
    });
    expect(scenario).toMatchObject({ telemetry, parameters: { switchResponses: 'only' } });
  });

  test('has the carrier that its program writes', () => {
    const { network, ...rest } = singleFlow();
    const ioam = { namespaces: [{ id: 18512, hpcc: true }] };
    const text = { ...network.text, program: 'ioam', telemetry: { ioam } };
    const scenario = emulatedScenario({ ...rest, network: { ...network, text } });
    expect(scenario).toMatchObject({ profile: 'ioam', telemetry: { ioam } });
  });

  test('stands beside it on one page', () => {
    const observation = singleFlow();
    const run = { figures: figuresOf(observation), delaysMs: delaysOf(observation) };
    const runs = ['Mininet', 'emulator'].map((name) => ({ name, ...run, result: undefined }));
    const page = comparisonPage('One <flow>', { runs, bars: [], command: './hpcc mininet run x' });
    expect(page).toMatchObject({ title: 'One <flow>', command: './hpcc mininet run x' });
    expect(page.opening[0]?.rows?.[0]).toEqual(['', 'Mininet', 'emulator']);
    expect(page.opening[0]?.rows?.flat()).toContain('queueing delay p99');
    expect(page.charts.map(({ id }) => id)).toEqual(['delay']);
    const figure: unknown = expect.stringMatching(/^[\d.]+ Mb\/s$/);
    const beside: unknown = expect.stringMatching(/^emulator: [\d.]+ Mb\/s$/);
    expect(page.facts[0]).toEqual([figure, 'payload, Mininet', beside]);
    expect(page.facts).toHaveLength(3);
  });
});
