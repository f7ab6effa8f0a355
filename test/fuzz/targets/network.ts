import { InputError } from '../../../common/errors';
import { parseNetwork } from '../../../controller/document/load';
import { networkSpec } from '../../../controller/document/network';
import { wordsOf } from '../documents';
import { readOrRefused } from '../target';
import type { FuzzTarget } from '../target';

const DOCUMENTS = [
  `network: pair
switches:
  - {name: s1, address: "127.0.0.1:1001"}
  - {name: s2, deviceId: 7, address: "[::1]:1002", packetBytes: 1000, target: embedded}
hosts:
  - {name: h1, ipv6: "FD00::1"}
  - {name: h2, ipv4: 10.9.0.2, mac: "02:00:00:00:00:aa", mtu: 1400, telemetry: false}
links:
  - {between: [h1, "s1:1"], rate: 10 Mb/s}
  - {between: ["s1:2", "s2:1"], rate: 2.5 Gb/s, delay: 1.5 us, mtu: 9000}
  - {between: ["s2:2", h2], rate: 10 Mb/s, up: false}
`,
  `network: told
switches:
  - name: s1
    program: {p4info: a.txtpb, config: a.json}
    ports: [{port: 1, untrusted: true, depthPackets: 10, priorities: [{priority: 1, share: 0.5}]}]
    entries:
      - {table: t, match: {a: 10.0.0.0/8, b: [1, 2], c: {value: 1, mask: 255}}, action: set, params: {x: 1}, priority: 2}
    multicastGroups: [{group: 1, replicas: [{port: 1, instance: 1}]}]
    cloneSessions: [{session: 5, replicas: [{port: 2}], truncate: 64}]
hosts: [{name: h1}, {name: h2}]
links: [{between: [h1, "s1:1"], rate: 1 Gb/s}, {between: [h2, "s1:2"], rate: 1 Gb/s}]
telemetry:
  watch: [{switch: s1, from: 10.0.0.0/24, protocol: udp, toPort: 80, oneIn: 4}]
  collector: {host: h2, port: 5000}
  ecn: {minBytes: 1000, maxBytes: 20000}
`,
];

export const target: FuzzTarget = {
  about: 'network documents (YAML), up to the network that they stand for',
  bytesMax: 600,
  inSuite: 300,
  seeds: () => DOCUMENTS.map((text) => Buffer.from(text)),
  dictionary: () => wordsOf(DOCUMENTS),
  start: () => (input) => {
    const text = Buffer.from(input).toString('utf8');
    readOrRefused(() => networkSpec(parseNetwork(text, 'input')), InputError);
  },
};
