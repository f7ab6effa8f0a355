import { runScenario } from '../../../../emulator/io/run-scenario';
import { SharedWork } from '../../../../emulator/io/shared-work';
import { parseScenario } from '../../../../emulator/scenario/schema';

const text = (more = ''): string => `name: square
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

const PLAIN = parseScenario(text(), 'square.yaml');
const FAILING = parseScenario(
  text('events: [{ atUs: 2, between: [s2, s4], state: down }]\nuntilUs: 100\n'),
  'failing.yaml',
);

test.each([
  ['a network, again and again', PLAIN, [1, 1]],
  ['networks in turns', PLAIN, [1, 2, 1]],
  ['a network whose links fail', FAILING, [1, 1]],
])(
  'runs that share work have the results of runs that do not: %s',
  async (_what, scenario, seeds) => {
    const shared = new SharedWork();
    for (const seed of seeds) {
      const { result } = await runScenario({ scenario, seed, shared });
      expect(result).toEqual((await runScenario({ scenario, seed })).result);
    }
  },
);

test('the second run of a network asks no controller, whatever ran in between', async () => {
  const shared = new SharedWork();
  const restored: boolean[] = [];
  const restore = shared.restore.bind(shared);
  shared.restore = (network) => {
    const isKnown = restore(network);
    restored.push(isKnown);
    return isKnown;
  };
  for (const seed of [1, 1, 2, 1]) await runScenario({ scenario: PLAIN, seed, shared });
  expect(restored).toEqual([false, true, false, true]);
});
