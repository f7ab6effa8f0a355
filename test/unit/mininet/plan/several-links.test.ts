import { expandNetwork } from '../../../../mininet/plan/network-text';

const TEXT = `switches: [{ name: s1 }, { name: s2 }]
hosts:
  - { name: h1, ipv4: 10.0.0.1, mac: '02:00:00:00:00:01' }
  - { name: h2, ipv4: 10.0.0.2, mac: '02:00:00:00:00:02' }
links:
  - { between: ['h1:1', 's1:1'], rate: 10 Mb/s }
  - { between: ['h1:2', 's2:1'], rate: 10 Mb/s }
  - { between: [h2, 's1:2'], rate: 10 Mb/s }
  - { between: ['s1:3', 's2:3'], rate: 10 Mb/s }
`;

test.each(['embedded', 'bmv2'] as const)('a host with several links is refused: %s', (kind) => {
  const source = { file: 'net.yaml', text: TEXT };
  expect(() => expandNetwork(source, {}, { kind, frameBytes: 1106 })).toThrow(
    'net.yaml: h1 has several links, which networks under Mininet do not offer',
  );
});
