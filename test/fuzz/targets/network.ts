import { InputError } from '../../../common/errors';
import { parseNetwork } from '../../../controller/document/load';
import { networkSpec } from '../../../controller/document/network';
import { wordsOf } from '../documents';
import { readOrRefused } from '../target';
import type { FuzzTarget } from '../target';

const LINK = 'links: [{between: [h1, "s1:1"], rate: 1 Gb/s}]\n';
const HOST = `hosts: [{name: h1}]\n${LINK}`;

/** Each shows some of what a document may have, and no more: short ones are read fast. */
const DOCUMENTS = [
  `network: pair
switches:
  - {name: s1, address: "127.0.0.1:1001"}
  - {name: s2, deviceId: 7, address: "[::1]:1002", packetBytes: 1000, target: embedded}
links:
  - {between: ["s1:2", "s2:1"], rate: 2.5 Gb/s, delay: 1.5 us, mtu: 9000}
`,
  `network: hosts
switches: [{name: s1}]
hosts:
  - {name: h1, ipv6: "FD00::1"}
  - {name: h2, ipv4: 10.9.0.2, mac: "02:00:00:00:00:aa", mtu: 1400, telemetry: false}
links:
  - {between: [h1, "s1:1"], rate: 10 Mb/s}
  - {between: ["s1:2", h2], rate: 10 Mb/s, up: false}
`,
  `network: ports
switches:
  - name: s1
    program: {p4info: a.txtpb, config: a.json}
    ports: [{port: 1, untrusted: true, depthPackets: 10, priorities: [{priority: 1, share: 0.5}]}]
${HOST}`,
  `network: entries
switches:
  - name: s1
    entries:
      - {table: t, match: {a: 10.0.0.0/8, b: [1, 2], c: 0x1&&&0xff}, action: set, arguments: {x: 1}, priority: 2}
      - {table: t, default: true, action: drop}
${HOST}`,
  `network: members
switches:
  - name: s1
    members: [{profile: p, member: 1, action: set, arguments: {x: "fd00::1"}}]
    groups: [{profile: p, group: 2, members: [{member: 1, weight: 3}]}]
    entries: [{table: t, match: {a: 1..9}, group: 2, idleTimeoutMs: 5}]
${HOST}`,
  `network: copies
switches:
  - name: s1
    entries: [{table: t, oneShot: [{action: set, weight: 2, watchPort: 1}]}]
    multicastGroups: [{group: 1, replicas: [{port: 1, instance: 1}]}]
    cloneSessions: [{session: 5, replicas: [{port: 2}], packetLengthBytes: 64}]
${HOST}`,
  `network: watched
switches: [{name: s1}]
${HOST}telemetry:
  watch: [{switch: s1, from: 10.0.0.0/24, protocol: udp, toPort: 80, oneIn: 4}]
  collector: {host: h1, port: 5000}
  ecn: {minBytes: 1000, maxBytes: 20000}
`,
  `network: answered
switches: [{name: s1, target: embedded}]
${HOST}telemetry:
  feedback: {queueBytes: 1000, interval: 1 ms, port: 9}
  classes: [{dscp: 8, queue: 1, weight: 3}]
  ioam: {namespaces: [{id: 5, data: 7}], servicePaths: [{id: 3, to: h1, namespace: 5, watch: [{switch: s1}]}]}
  csig: {windowNs: 1024, delayStepNs: 100}
`,
  `network: coordinated
switches: [{name: s1}]
${HOST}coordination:
  {highBytes: 9000, lowBytes: 500, interval: 50 us, releaseBelow: 0.9, loadWindow: 1 ms, key: {id: 1, bytes: "00112233445566778899aabbccddeeff"}}
`,
];

export const target: FuzzTarget = {
  about: 'network documents (YAML), up to the network that they stand for',
  bytesMax: 400,
  inSuite: 600,
  seeds: () => DOCUMENTS.map((text) => Buffer.from(text)),
  dictionary: () => wordsOf(DOCUMENTS),
  start: () => (input) => {
    const text = Buffer.from(input).toString('utf8');
    readOrRefused(() => networkSpec(parseNetwork(text, 'input')), InputError);
  },
};
