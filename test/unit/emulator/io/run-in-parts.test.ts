import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { runScenario } from '../../../../emulator/io/run-scenario';
import { parseScenario } from '../../../../emulator/scenario/schema';

const text = (more: string): string => `name: square
title: Two flows over two paths
topology:
  kind: custom
  switches: [s1, s2, s3, s4]
  hosts: [h1, h2, h3]
  links:
    - { between: [s1, h1], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, h2], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, s2], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, s3], rateGbps: 100, delayNs: 1000 }
    - { between: [s2, s4], rateGbps: 100, delayNs: 1000 }
    - { between: [s3, s4], rateGbps: 100, delayNs: 1000 }
    - { between: [s4, h3], rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 30000, startUs: 0 }
  - { from: h2, to: h3, bytes: 30000, startUs: 0 }
${more}`;

const scenario = parseScenario(
  text(`  - { from: h3, to: h1, bytes: 1000, startUs: 100 }
events: [{ atUs: 2, between: [s2, s4], state: down }]
reaction: { controllerUs: 3 }
untilUs: 60
`),
  'square.yaml',
);

describe('a run with several workers', () => {
  it('has the result of one, also where links fail and the controller reacts', async () => {
    const one = await runScenario({ scenario, seed: 1 });
    const two = await runScenario({ scenario, seed: 1, workers: 2 });
    expect(JSON.stringify(two.result)).toBe(JSON.stringify(one.result));
  });

  it('that is interrupted says so', async () => {
    const signal = AbortSignal.abort();
    const { result } = await runScenario({ scenario, seed: 1, workers: 2, signal });
    expect(result.interruptedAtUs).toBeLessThan(2);
  });

  it('fails with the reason of a worker that dies, and leaves no result', async () => {
    // A worker that gets no node at all has no link to the others.
    const owners = new Map([['s1', 0]]);
    await expect(runScenario({ scenario, seed: 1, workers: 2, owners })).rejects.toThrow(
      'somebody runs',
    );
  });

  it('is refused for more workers than parts, and for what follows all nodes at once', async () => {
    await expect(runScenario({ scenario, seed: 1, workers: 8 })).rejects.toThrow(
      '8 workers are too many: the network can be divided into at most 7 parts',
    );
    const lossless = loadScenario('lossless-incast');
    await expect(runScenario({ scenario: lossless, seed: 1, workers: 2 })).rejects.toThrow(
      'lossless-incast has a shared buffer, whose pauses are followed through all nodes: run it with one worker',
    );
  });
});
