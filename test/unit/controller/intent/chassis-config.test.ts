import { attachments } from '../../../../common/topology/topology';
import { parseNetwork } from '../../../../controller/document/load';
import { networkSpec } from '../../../../controller/document/network';
import { chassisConfig } from '../../../../controller/intent/chassis-config';

const DOCUMENT = `
switches:
  - name: tor1
    target: stratum
    chassis:
      ports:
        - {port: 132, panel: 5/0, autoneg: false, fec: on}
        - {port: 140, panel: 6/2, speed: 25 Gb/s}
    ports: [{port: 132, priorities: [{priority: 1, share: 0.25}, {priority: 7}]}]
hosts: [{name: h1}, {name: h2}]
links:
  - {between: [h1, "tor1:132"], rate: 100 Gb/s}
  - {between: [h2, "tor1:140"], rate: 15 Gb/s}
`;

function configOf(text: string): string {
  const { switches, topology } = networkSpec(parseNetwork(text, 'rack.yaml'));
  const [spec] = switches;
  if (spec === undefined) throw new Error('there is a switch');
  return chassisConfig(spec, attachments(topology).get('tor1') ?? []);
}

describe('a chassis configuration for Stratum', () => {
  test('has the speed of the faster direction, and a shaper for the other one', () => {
    const config = configOf(DOCUMENT.replace('15 Gb/s', '25 Gb/s, backRate: 10 Gb/s'));
    expect(config).toContain('speed_bps: 25000000000');
    expect(config).not.toMatch(/speed_bps: 10000000000\n/);
    expect(config).toContain('rate_bps: 10000000000');
  });

  test('has ports, a shaper where a link is slower than its port, and queues', () => {
    expect(configOf(DOCUMENT)).toBe(`chassis {
  platform: PLT_GENERIC_BAREFOOT_TOFINO
  name: "tor1"
}
nodes {
  id: 1
  slot: 1
  index: 1
}
singleton_ports {
  id: 5
  name: "5/0"
  slot: 1
  port: 5
  speed_bps: 100000000000
  config_params {
    admin_state: ADMIN_STATE_ENABLED
    autoneg: TRI_STATE_FALSE
    fec_mode: FEC_MODE_ON
  }
  node: 1
}
singleton_ports {
  id: 602
  name: "6/2"
  slot: 1
  port: 6
  channel: 2
  speed_bps: 25000000000
  config_params {
    admin_state: ADMIN_STATE_ENABLED
  }
  node: 1
}
vendor_config {
  tofino_config {
    node_id_to_port_shaping_config {
      key: 1
      value {
        per_port_shaping_configs {
          key: 602
          value {
            byte_shaping {
              rate_bps: 15000000000
              burst_bytes: 18000
            }
          }
        }
      }
    }
    node_id_to_qos_config {
      key: 1
      value {
        queue_configs {
          sdk_port: 132
          queue_mapping {
            queue_id: 1
            priority: PRIO_1
            max_rate_bytes {
              rate_bps: 25000000000
              burst_bytes: 18000
            }
          }
          queue_mapping {
            queue_id: 7
            priority: PRIO_7
          }
        }
      }
    }
  }
}
`);
  });

  test('has no shaper where rates are not to be enforced', () => {
    const free = DOCUMENT.replace(
      'target: stratum',
      'target: stratum\n    queues: {enforceRate: false}',
    );
    expect(configOf(free)).not.toContain('byte_shaping');
    const one = DOCUMENT.replace(
      'ports: [{port: 132,',
      'ports: [{port: 140, enforceRate: false}, {port: 132,',
    );
    expect(configOf(one)).not.toContain('byte_shaping');
  });

  test('takes the least usual speed of a port that has none', () => {
    const own = configOf(DOCUMENT.replace(', speed: 25 Gb/s', ''));
    expect([...own.matchAll(/speed_bps: (\d+)/g)].map(([, text]) => Number(text) / 1e9)).toEqual([
      100, 25,
    ]);
  });

  test.each([
    [
      '25 Gb/s}',
      '10 Gb/s}',
      'switch tor1, port 140: wanted a link of 10 Gb/s at most, found 15 Gb/s',
    ],
    [
      'rate: 100 Gb/s',
      'rate: 800 Gb/s',
      'switch tor1, port 132: wanted a link of 400 Gb/s at most, found 800 Gb/s',
    ],
    ['priority: 7', 'priority: 8', /wanted priorities up to 7, .* found 8$/],
    ['panel: 6/2', 'panel: 6/5', /wanted cage\/channel such as 5\/0/],
    ['panel: 6/2', 'panel: 0/2', /wanted cage\/channel such as 5\/0/],
  ])('refuses %s as %s', (before, after, reason) => {
    expect(() => configOf(DOCUMENT.replace(before, after))).toThrow(reason);
  });
});
