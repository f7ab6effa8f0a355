import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { csvFiles } from '../../emulator/result/csv';
import { resultSchema } from '../../emulator/result/result';
import { parseScenario } from '../../emulator/scenario/schema';

const LOSSY = `name: lossy
title: Two flows over a link that loses packets
topology:
  kind: custom
  switches: [s1, s2]
  hosts: [h1, h2, h3]
  links:
    - { between: [s1, h1], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, h2], rateGbps: 100, delayNs: 1000 }
    - { between: [s1, s2], rateGbps: 100, delayNs: 1000, lossRate: 0.01 }
    - { between: [s2, h3], rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h1, to: h3, bytes: 200000, startUs: 0 }
  - { from: h2, to: h3, bytes: 200000, startUs: 3 }
`;

async function files(scenario: Parameters<typeof runScenario>[0]['scenario'], seed: number) {
  const { result } = await runScenario({ scenario, seed });
  return {
    json: JSON.stringify(result),
    csv: [...csvFiles(result).values()].flatMap((lines) => [...lines]).join(''),
  };
}

describe('a run', () => {
  test('with the same seed gives byte-identical result files', async () => {
    const scenario = loadScenario('incast16');
    expect(await files(scenario, 7)).toEqual(await files(scenario, 7));
  });

  test('over a lossy link is reproducible, and another seed loses other packets', async () => {
    const scenario = parseScenario(LOSSY, 'lossy.yaml');
    const [first, again, other] = [
      await files(scenario, 1),
      await files(scenario, 1),
      await files(scenario, 2),
    ];
    expect(again).toEqual(first);
    expect(other.csv).not.toEqual(first.csv);
  });

  test('over a lossy link delivers every byte once, by going back', async () => {
    const { result } = await runScenario({ scenario: parseScenario(LOSSY, 'lossy.yaml'), seed: 1 });
    expect(result.violations).toEqual([]);
    expect(result.flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([200000, 200000]);
    expect(result.flows.some(({ retransmittedSegments }) => retransmittedSegments > 0)).toBe(true);
  });

  test('gives a result that its schema accepts', async () => {
    const { result } = await runScenario({ scenario: loadScenario('leaf-spine'), seed: 1 });
    expect(resultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(result.violations).toEqual([]);
  });
});
