import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4ArtifactFolder } from '../../common/io/p4-profiles';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { IP_LAYERS, IP_VERSIONS } from '../../host-agent/carrier/network-layer';
import type { IpVersion } from '../../host-agent/carrier/network-layer';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { EXECUTORS } from '../../switch/codegen/executors';
import { readOutline } from '../../switch/stf/run/outline';
import { parseStf } from '../../switch/stf/text/parse-stf';
import { runStf } from '../../switch/stf/run/run-stf';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import { toHex } from '../support/hex';
import { notificationAt, notificationFrame, SWITCH_ADDRESS } from '../support/notifications';

const JSON_TEXT = fs.readFileSync(path.join(p4ArtifactFolder(), 'hpcc-ccm.json'), 'utf8');

const SWITCH = 0x0aff0008;
const MESSAGE_LENGTH = { ipv4: 64, ipv6: 88 } as const;
/** Key id, and node id of the sender. */
const PLACES_OF_PEER = [3, 4, 5, 6, 7];

/** Switch 8, which shares a key with switch 7. */
const SET_UP = [
  'setdefault coordination_settings set_coordination(mode:2, ar_id:8, clock_unit_ns:0, ' +
    'pin_age_ns:1000, flowlet_gap_ns:0, interval_ns:0, clone_session:5)',
  `setdefault sender set_sender(node_id:8, src_addr:0x${SWITCH.toString(16)}, dscp:48, key_id:1, ` +
    'low:0x0706050403020100, high:0x0f0e0d0c0b0a0908, boot:1)',
  `setdefault sender_ipv6 set_ipv6_sender(src_addr:0x${toHex(IP_LAYERS.ipv6.addressBytes(SWITCH))})`,
  'add peer sender_node:7 key_id:1 set_peer(low:0x0706050403020100, ' +
    'high:0x0f0e0d0c0b0a0908, slot:7)',
];

/** A request of switch 7 to switch 8, whose checksum says nothing. */
function request(version: IpVersion, change?: (message: Uint8Array) => void): string {
  const { bytes } = notificationFrame({
    type: 'rerouting-required',
    number: 1,
    sourcePort: 49152,
    reroutingPoint: 8,
    version,
  });
  const network = IP_LAYERS[version];
  const at = notificationAt(version);
  const addresses = { source: SWITCH_ADDRESS, destination: SWITCH };
  const ip = { ...addresses, dscp: 48, ecn: 0, ttl: 64, protocol: PROTOCOL_UDP };
  network.emit(ip, bytes, ETHERNET_LENGTH);
  const varying = { length: bytes.length - at + UDP_LENGTH, identification: 0 };
  network.stamp(bytes, ETHERNET_LENGTH, varying, network.sumOf(bytes, ETHERNET_LENGTH));
  bytes.fill(0, at - 2, at);
  change?.(bytes.subarray(at));
  return `packet 1 ${toHex(bytes)}`;
}

const counted = (outcome: number, packets: number): string =>
  `check_counter ingress.notification.outcomes(${outcome}) packets == ${packets}`;

describe.each([...EXECUTORS])('a switch, on the executor %s', (_name, executor) => {
  const run = (...statements: readonly string[]): unknown => {
    const stf = parseStf([...SET_UP, ...statements].join('\n'), 'forgery.stf');
    const verdict = runStf(stf, readOutline(JSON_TEXT), new EmbeddedTarget(JSON_TEXT, executor));
    return verdict.kind === 'fail' ? verdict.difference : verdict.kind;
  };

  test.each(IP_VERSIONS)(
    'refuses one of %s with any byte changed, and then takes it as it was',
    (version) => {
      const places = Array.from({ length: MESSAGE_LENGTH[version] }, (_, at) => at);
      const forged = places.flatMap((at) =>
        [0x01, 0x80].map((bit) =>
          request(version, (message) => void (message[at] = (message[at] ?? 0) ^ bit)),
        ),
      );
      const unknown = 2 * PLACES_OF_PEER.length;
      const verdict = run(
        ...forged,
        counted(3, forged.length - unknown),
        counted(5, unknown),
        counted(7, 0),
        // Genuine, and of a flow that the switch does not know.
        request(version),
        counted(7, 1),
        counted(4, 0),
        request(version),
        counted(7, 1),
        counted(4, 1),
      );
      expect(verdict).toBe('pass');
    },
  );
});
