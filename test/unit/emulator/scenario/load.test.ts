import { scenarioVariant } from '../../../../emulator/io/inputs/scenario-files';
import { parseScenario } from '../../../../emulator/scenario/schema';

const GOOD = `name: tiny
title: Two hosts
topology: { kind: star, hosts: 2, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h2, to: h1, bytes: 1000, startUs: 0 }
`;

describe('a scenario document', () => {
  test('is filled in with the defaults of the draft', () => {
    expect(parseScenario(GOOD, 'tiny.yaml').parameters).toMatchObject({
      targetUtilization: 0.95,
      maxStage: 5,
      mss: 1000,
    });
  });

  test('may be JSON', () => {
    const json = JSON.stringify({
      name: 'tiny',
      title: 'Two hosts',
      topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 1000 },
      flows: [{ from: 'h2', to: 'h1', bytes: 1000, startUs: 0 }],
    });
    expect(parseScenario(json, 'tiny.json').name).toBe('tiny');
  });

  test('understands the keys of the last version, in variants too', () => {
    const forged = parseScenario(
      `${GOOD}liars: [{ from: s1, to: h1, lies: [idle] }]\nvariants: { honest: { liars: [] } }\n`,
      'tiny.yaml',
    );
    expect(forged.forgedTelemetry).toMatchObject([{ from: 's1', forgeries: ['idle'] }]);
    expect(scenarioVariant(forged, 'honest').forgedTelemetry).toEqual([]);
  });

  test.each([
    [GOOD.replace('bytes: 1000', 'bytes: -1'), 'tiny.yaml:5: flows[0].bytes: '],
    [GOOD.replace('star', 'ring'), 'tiny.yaml:3: topology.kind: '],
    [GOOD.replace('hosts: 2', 'hosts: two'), 'tiny.yaml:3: topology.hosts: '],
    [GOOD.replace('title: Two hosts\n', ''), 'tiny.yaml:1: title: '],
    [`${GOOD}colour: red\n`, 'Unrecognized key: "colour"'],
    [
      `${GOOD}parameters: { targetUtilization: 2 }\n`,
      'tiny.yaml:6: parameters.targetUtilization: ',
    ],
    [`${GOOD}profile: nosuch\n`, 'tiny.yaml:6: profile: '],
    [`${GOOD}telemetry: { feedback: { queueBytes: 0 } }\n`, 'telemetry.feedback.queueBytes: '],
    [`${GOOD}events: [{ atUs: 1, between: [h1, s1], state: gone }]\n`, 'events[0].state: '],
    [
      `${GOOD}forgedTelemetry: [{ from: s1, to: h1, forgeries: [] }]\n`,
      'tiny.yaml:6: forgedTelemetry[0].forgeries: ',
    ],
    [GOOD.replace('bytes: 1000', 'bytes: 1000, dscp: 64'), 'tiny.yaml:5: flows[0].dscp: '],
    ['name: [', 'tiny.yaml:1: '],
    [
      GOOD.replace('rateGbps: 100', 'rateGbps: 1e-300'),
      'must be a number from 0.000001 to 100000 Gb/s',
    ],
    [GOOD.replace('rateGbps: 100', 'rateGbps: 1e300'), 'topology.rateGbps: must be a number from'],
    [GOOD.replace('rateGbps: 100', 'rateGbps: .inf'), 'topology.rateGbps: must be a number from'],
    [GOOD.replace('rateGbps: 100', 'rateGbps: .nan'), 'topology.rateGbps: must be a number from'],
    [GOOD.replace('delayNs: 1000', 'delayNs: 1e300'), 'topology.delayNs: must be a number from 0'],
    [GOOD.replace('bytes: 1000', 'bytes: 1e309'), 'flows[0].bytes: must be a number from 1 to'],
    [`${GOOD}untilUs: 1e16\n`, 'tiny.yaml:6: untilUs: must be a number from 0 to 9000000000 us'],
  ])('refuses %j with file, line and path', (text, message) => {
    expect(() => parseScenario(text, 'tiny.yaml')).toThrow(message);
  });
});
