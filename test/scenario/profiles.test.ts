import { runScenario } from '../../emulator/io/run-scenario';
import { parseScenario } from '../../emulator/scenario/schema';
import type { Result } from '../../emulator/result/result';

const run = async (more: string): Promise<Result> => {
  const text = `name: small
title: Two flows over two switches
topology: { kind: dumbbell, left: 2, right: 1, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 100000, startUs: 0 }
  - { from: h2, to: h3, bytes: 100000, startUs: 0, dscp: 46 }
${more}`;
  return (await runScenario({ scenario: parseScenario(text, 'small.yaml'), seed: 1 })).result;
};

describe('an emulated network', () => {
  test.each([
    'hpcc',
    'hpcc-feedback',
    'hpcc-feedback-signed',
    'hpcc-queues',
    'hpcc-edge',
    'hpcc-sparse',
    'hpcc-spray',
    'hpcc-trim',
    'hpcc-spray-trim',
    'hpcc-usid',
  ])('runs the program %s on all switches', async (profile) => {
    const result = await run(`profile: ${profile}\n`);
    expect(result.generator.p4Program).toBe(`${profile}.p4`);
    expect(result.violations).toEqual([]);
    expect(result.flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([100_000, 100_000]);
    // Two switches add a record to each of 200 packets.
    expect(result.counters.telemetryRecords).toBe(400);
  });

  test('runs a program of its own on one switch', async () => {
    const more =
      'switchProfiles: { s2: hpcc-queues }\n' +
      'telemetry: { classes: [{ dscp: 46, queue: 7 }] }\n';
    const result = await run(more);
    expect(result.generator.p4Program).toBe('hpcc.p4, hpcc-queues.p4');
    expect(result.violations).toEqual([]);
    expect(result.counters.drops).toEqual({});
  });

  test('lets an edge switch take out the telemetry of a host that is not trusted', async () => {
    const result = await run('profile: hpcc-edge\nuntrustedHosts: [h2]\n');
    expect(result.violations).toEqual([]);
    expect(result.counters.telemetryRecords).toBe(200);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  });

  test('carries reports of edge switches past switches that watch all, which report none of them', async () => {
    const watch = 'watch: [{switch: s1}, {switch: s2}]';
    const result = await run(
      'profile: hpcc-edge\nuntrustedHosts: [h1, h3]\n' +
        `telemetry: { ${watch}, collector: {host: h1, port: 50003} }\n`,
    );
    expect(result.violations).toEqual([]);
    // 200 packets and as many acknowledgements go over three links each. s2 reports the packets, which leave for
    // h3, over two links; s1 reports over one the 100 acknowledgements that leave for h1.
    expect(result.counters.packetHops).toBe(1200 + 400 + 100);
  });

  test('refuses telemetry that the controller does not understand, with its place', async () => {
    await expect(run('telemetry: { classes: [{ dscp: 46, queue: 8 }] }\n')).rejects.toThrow(
      'small.yaml:7: telemetry.classes[0].queue: ',
    );
  });
});
