import type { Packet } from '../../../../../common/packet/packet';
import { readUint16 } from '../../../../../common/wire/bytes';
import { emitUsids, HOST_BLOCK, usidOfHost } from '../../../../../common/wire/ip/usid';
import { hpccppFactory } from '../../../../../host-agent/algorithm/window-form';
import { newCarrier } from '../../../../../host-agent/carrier/carriers';
import type { HostConfig } from '../../../../../host-agent/host/host-config';
import { checkHostConfig } from '../../../../../host-agent/host/host-config';
import { HostAgent } from '../../../../../host-agent/transport/host';
import { parseFrame } from '../../../../../host-agent/transport/frames/received-frame';
import type { SourceRoutes } from '../../../../../common/wire/ip/source-paths';
import { addressOf, flowTo, macOf } from '../../../../support/hosts';

const DESTINATION_AT = 14 + 24;
const UDP_AT = 14 + 40;
const CARRIER = { name: 'int', ipVersion: 'ipv6', usids: true } as const;
const PATHS = [
  [1, 3, 2],
  [1, 4, 2],
  [1, 5, 2],
];
const toHostTwo: SourceRoutes = (destination) =>
  destination === addressOf(2)
    ? { destinations: PATHS.map((path) => emitUsids(HOST_BLOCK, path)), hostAt: 10 }
    : undefined;

const config = (given: Partial<HostConfig> = {}): HostConfig => ({
  address: addressOf(1),
  mac: macOf(1),
  linkRate: 100e9,
  baseRtt: 5_000_000,
  congestionControl: hpccppFactory(),
  carrier: CARRIER,
  sourceRoutes: toHostTwo,
  ...given,
});

/** Data to a host over a source port. */
function frameTo(host: number, sourcePort: number): Packet {
  const agent = new HostAgent(config());
  agent.startFlow(0, { ...flowTo(host, 7, 1000), sourcePort });
  return agent.pollTransmit(0) as Packet;
}

const groupsOf = ({ bytes }: Packet): number[] =>
  Array.from({ length: 8 }, (_, i) => readUint16(bytes, DESTINATION_AT + 2 * i));

/** As a switch ends a uSID. */
function end({ bytes }: Packet): void {
  bytes.copyWithin(DESTINATION_AT + 4, DESTINATION_AT + 6, DESTINATION_AT + 16);
  bytes.fill(0, DESTINATION_AT + 14, DESTINATION_AT + 16);
}

describe('a path of uSIDs', () => {
  const pathTo = (sourcePort: number): number[] => groupsOf(frameTo(2, sourcePort)).slice(2, 5);

  test('is another for each source port, in turn', () => {
    const paths = [50_000, 50_001, 50_002].map(pathTo);
    expect(new Set(paths.map((path) => path.join())).size).toBe(3);
    for (const path of paths) expect(PATHS).toContainEqual(path);
    expect([50_003, 50_004, 50_005].map(pathTo)).toEqual(paths);
  });

  test('stands before the host, and the source port behind it', () => {
    const frame = frameTo(2, 50_000);
    const path = pathTo(50_000);
    expect(groupsOf(frame)).toEqual([0xfd48, 0x5044, ...path, usidOfHost(addressOf(2)), 0, 0]);
    expect(readUint16(frame.bytes, UDP_AT)).toBe(50_000);
  });

  test('leaves the address of the host, for which the checksum is right', () => {
    const frame = frameTo(2, 50_000);
    const carrier = newCarrier(CARRIER, { linkRate: 100e9, hopLimit: 8, asksSojourn: false });
    const parsed = () => parseFrame(frame, addressOf(2), carrier);
    for (let left = PATHS[0]?.length ?? 0; left > 0; left--) {
      expect(parsed()).toEqual({ reason: 'other-protocol' });
      end(frame);
    }
    expect(groupsOf(frame).slice(2)).toEqual([usidOfHost(addressOf(2)), 0, 0, 0, 0, 0]);
    expect(parsed()).toMatchObject({
      sourceAddress: addressOf(1),
      sourcePort: 50_000,
    });
  });

  test('is not written where none is known', () => {
    expect(groupsOf(frameTo(3, 50_000)).slice(2)).toEqual([
      usidOfHost(addressOf(3)),
      0,
      0,
      0,
      0,
      0,
    ]);
  });
});

describe('a host with uSIDs refuses', () => {
  test.each([
    ['an address that has none', { address: 0xc0a8_0001 }, 'not 192.168.0.1'],
    ['paths over other addresses', { carrier: { name: 'int' } }, 'needs a carrier with uSIDs'],
  ] as const)('%s', (_what, given, reason) => {
    expect(() => checkHostConfig(config(given))).toThrow(reason);
  });

  test('paths over RoCEv2', () => {
    expect(() => checkHostConfig(config(), 'rocev2')).toThrow('framing: hpcc');
  });
});
