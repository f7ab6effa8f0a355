import { parseNetwork } from '../../../../controller/document/load';
import { networkSpec } from '../../../../controller/document/network';
import { controlDocument } from '../../../../emulator/network/control-document';
import { planNetwork } from '../../../../emulator/network/plan';
import { switchHardware } from '../../../../emulator/network/switch-hardware';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { parseScenario } from '../../../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../../../emulator/scenario/schema';

const scenario = (more = ''): ScenarioDocument =>
  parseScenario(
    `name: two
title: Two switches
topology: { kind: dumbbell, left: 1, right: 2, rateGbps: 25, delayNs: 1500 }
flows: [{ from: h1, to: h2, bytes: 1000, startUs: 0 }]
${more}`,
    'two.yaml',
  );
const planOf = ({ topology }: ScenarioDocument) =>
  planNetwork(expandTopology(topology), {
    clockUnitNs: 1,
    queueDepthUnitBytes: 32,
    txUnitBytes: 1,
  });

describe('the document for the controller of an emulated network', () => {
  const specOf = (document: ScenarioDocument, down: readonly number[] = []) => {
    const plan = planOf(document);
    const linksDown = new Set(plan.links.filter((_, i) => down.includes(i)));
    const text = controlDocument(plan, {
      scenario: document,
      seed: 2 ** 32 + 5,
      address: '127.0.0.1:9559',
      linksDown,
    });
    return { plan, spec: networkSpec(parseNetwork(JSON.stringify(text), 'network')) };
  };

  test('says the same network as the plan', () => {
    const { plan, spec } = specOf(scenario());
    const { switches, hosts, links } = plan.topology;
    const grpcAddress = '127.0.0.1:9559';
    expect(spec.topology.switches).toEqual(switches.map((each) => ({ ...each, grpcAddress })));
    expect(spec.topology.hosts).toEqual(hosts);
    const plain = links.map(({ a, rate, delay, mtu }) => ({ a, rate, delay, mtu }));
    expect(spec.topology.links).toMatchObject(plain);
    expect(spec.topology.links.every(({ up }) => up)).toBe(true);
    expect(spec.ecmpSeed).toBe(5);
  });

  test('has the rate and the delay of each direction', () => {
    const link = { rateGbps: 100, delayNs: 1000, lossRate: 0 };
    const { spec } = specOf({
      ...scenario(),
      topology: {
        kind: 'custom',
        switches: ['s1'],
        hosts: ['h1', 'h2'],
        links: [
          { between: ['h1', 's1'], ...link, backRateGbps: 25, backDelayNs: 1.5 },
          { between: ['s1', 'h2'], ...link },
        ],
      },
    });
    const [uneven, even] = spec.topology.links;
    expect(uneven).toMatchObject({ rate: 100e9, backRate: 25e9, backDelay: 1500 });
    expect(even).not.toHaveProperty('backRate');
  });

  test('leaves links out that are down', () => {
    const { spec } = specOf(scenario(), [3]);
    expect(spec.topology.links.map(({ up }) => up)).toEqual([true, true, true, false]);
  });

  test('has programs by switch, telemetry, and ports of hosts that are not trusted', () => {
    const more =
      'profile: hpcc-edge\nswitchProfiles: { s2: hpcc-queues }\nuntrustedHosts: [h3]\n' +
      'telemetry: { classes: [{ dscp: 46, queue: 7 }] }\nreaction: { watchPorts: true }\n';
    const { spec } = specOf(scenario(more));
    expect(spec.switches.map(({ program }) => program)).toEqual(['hpcc-edge', 'hpcc-queues']);
    expect(spec.switches.map(({ document }) => document.ports)).toEqual([
      [],
      [{ port: 2, untrusted: true }],
    ]);
    expect(spec.telemetry.classes).toEqual([{ dscp: 46, queue: 7 }]);
    expect(spec.watchPorts).toBe(true);
  });
});

describe('the hardware of an emulated switch', () => {
  const hardware = (more: string) => {
    const document = scenario(more);
    return switchHardware(planOf(document), document, 's1');
  };

  test('has a port per link and one queue per port', () => {
    expect(hardware('')).toEqual({
      ports: [1, 2].map((port) => ({ port, rate: 25e9 })),
      priorityQueues: 1,
    });
  });

  test('has eight queues per port for classes', () => {
    expect(hardware('profile: hpcc-queues\n').priorityQueues).toBe(8);
  });

  test('has a port without link that answers pass, where the switch answers', () => {
    const feedback = 'telemetry: { feedback: { queueBytes: 1 } }\n';
    expect(hardware(`profile: hpcc-feedback\n${feedback}`).ports).toHaveLength(3);
    expect(hardware(`profile: hpcc-feedback\n${feedback}`).ports[2]).toEqual({
      port: 510,
      rate: 25e9,
    });
    expect(hardware(feedback).ports).toHaveLength(2);
  });

  test('refuses the port of a link for answers', () => {
    const feedback = 'telemetry: { feedback: { queueBytes: 1, port: 2 } }\n';
    expect(() => hardware(`profile: hpcc-feedback\n${feedback}`)).toThrow(
      'the port for answers must be one without link, found 2',
    );
  });
});
