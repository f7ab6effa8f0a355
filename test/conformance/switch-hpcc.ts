import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

import fc from 'fast-check';

import { gigabitsPerSecond, nanoseconds } from '../../common/units/units';
import { internetChecksum } from '../../common/wire/ip/checksum';
import { fromHex, toHex } from '../support/hex';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { Network } from '../unit/switch/support/network';
import type { ExecutorFactory } from '../../switch/executor/executor';
import type { ActionCall } from '../../switch/control/table-control';

const ARTIFACT = path.join(ROOT, 'p4src', 'artifacts', 'hpcc.json');

const IN = 0x21;
const OUT = 0x22;
const SECOND = 0x23;
const NOW = nanoseconds(1_000_000);

/** A RoCEv2 header and 20 bytes of data: the lengths below count 32 bytes behind the telemetry. */
const PAYLOAD = `0440ffff 00000012 80000001 ${'5a'.repeat(20)}`;

interface Fields {
  readonly remaining?: number;
  readonly udpChecksum?: number;
  readonly dscp?: number;
}

/** An INT packet of the DSCP method: one earlier hop, then a RoCEv2 header. */
function intPacket({ remaining = 4, udpChecksum = 0, dscp = 0x17 }: Fields = {}): Uint8Array {
  const bytes = fromHex(`020000000002 020000000001 0800
    4502006c 12344000 40110000 0a000001 0a000002
    c00012b7 00580000
    100b0000 20000800 d4004850 c0000000
    00000001 00030011 030004b0 17979cfe362a0000 0000001234567880 000186a0
    ${PAYLOAD}`);
  bytes[15] = (dscp << 2) | 2;
  bytes[49] = remaining;
  bytes.set([udpChecksum >> 8, udpChecksum & 0xff], 40);
  const sum = internetChecksum(bytes.subarray(14, 34));
  bytes.set([sum >> 8, sum & 0xff], 24);
  return bytes;
}

/** The UDP checksum over pseudo-header, UDP header and data; 0 in a datagram that is right. */
function udpResidue(bytes: Uint8Array): number {
  const length = bytes.length - 34;
  const pseudo = [...bytes.subarray(26, 34), 0, 17, length >> 8, length & 0xff];
  return internetChecksum(Uint8Array.from([...pseudo, ...bytes.subarray(34)]));
}

const word = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** The project's own program, as p4c compiled it, pushes telemetry and keeps packets right. */
export function describeHpcc(create: ExecutorFactory): void {
  describeIf(existsSync(ARTIFACT), 'the HPCC++ program', 'p4src is not compiled', () => {
    const program = readFileSync(ARTIFACT, 'utf8');

    /** A node with routes to 10/8 and a record of the port that they lead to. */
    function node(): Network {
      const ports = [IN, OUT, SECOND].map((port) => ({ port, rate: gigabitsPerSecond(100) }));
      const queueUnit = { kind: 'bytes', cell: 1 } as const;
      const net = new Network({ ports, clockUnitNs: 1, queueUnit, executor: create });
      net.switch.loadProgram(program);
      const profile = [...(net.switch.pipeline?.actionProfiles.values() ?? [])][0];
      const mac = 0x020000000003n;
      [OUT, SECOND].forEach((port, i) =>
        profile?.insertMember(i, memberCall(net, [BigInt(port), mac, mac + 1n])),
      );
      table(net, 'ipv4_route').insert({
        key: [{ kind: 'lpm', value: 0x0a000000n, prefixLength: 8 }],
        priority: 0,
        action: { kind: 'member', memberId: 0 },
      });
      table(net, 'port_record').insert({
        key: [{ kind: 'exact', value: BigInt(OUT) }],
        priority: 0,
        action: { kind: 'call', call: recordCall(net, [2n, 100_000n, 1n, 1n, 1500n, 1n]) },
      });
      return net;
    }

    function table(net: Network, name: string): NonNullable<ReturnType<typeof findTable>> {
      const found = findTable(net, name);
      if (found === undefined) throw new Error(`the program has no table ${name}`);
      return found;
    }

    const findTable = (net: Network, name: string) =>
      [...(net.switch.pipeline?.tables.values() ?? [])].find((t) => t.name.endsWith(`.${name}`));

    function memberCall(net: Network, values: bigint[]): ActionCall {
      const { pipeline } = net.switch;
      const profile = [...(pipeline?.actionProfiles.keys() ?? [])][0] ?? '';
      const action = pipeline?.profileAction(profile, 'ingress.route.forward');
      return { actionId: action?.id ?? -1, arguments: values };
    }

    function recordCall(net: Network, values: bigint[]): ActionCall {
      const name = table(net, 'port_record').name;
      const action = net.switch.pipeline?.tableAction(name, 'egress.port.set_port_record');
      return { actionId: action?.id ?? -1, arguments: values };
    }

    function through(net: Network, bytes: Uint8Array, length = bytes.length): Uint8Array {
      net.arrive(NOW, IN, { bytes, length });
      net.advance();
      return net.sent[net.sent.length - 1]?.packet.bytes ?? new Uint8Array(0);
    }

    test('pushes 32 bytes in front of those of earlier hops', () => {
      const out = through(node(), intPacket());
      expect(toHex(out.subarray(58, 90))).toBe(
        // node 2 | ports 0x21, 0x22 | queue 0, 0 bytes | 1,000,000 ns | 0 bytes | 100,000 Mb/s
        '00000002' + '00210022' + '00000000' + '00000000000f4240' + '0000000000000000' + '000186a0',
      );
      expect(toHex(out.subarray(90))).toBe(toHex(intPacket().subarray(58)));
    });

    test('keeps all lengths, counts and checksums true', () => {
      const out = through(node(), intPacket());
      expect(word(out, 16)).toBe(0x6c + 32);
      expect(word(out, 38)).toBe(0x58 + 32);
      expect(out[43]).toBe(0x0b + 8);
      expect(out[49]).toBe(3);
      expect(out[22]).toBe(0x3f);
      expect(internetChecksum(out.subarray(14, 34))).toBe(0);
      // A datagram without a checksum stays without one.
      expect(word(out, 40)).toBe(0);
    });

    test('updates a UDP checksum so that a right one stays right', () => {
      fc.assert(
        fc.property(fc.nat(255), fc.nat(2000), (remaining, delay) => {
          const packet = intPacket({ remaining });
          packet.set([0, 0], 40);
          const sum = udpResidue(packet);
          packet.set([sum >> 8, sum & 0xff], 40);
          expect(udpResidue(packet)).toBe(0);
          const net = node();
          net.advance(delay);
          const out = through(net, packet);
          expect(out.length).toBe(packet.length + (remaining === 0 ? 0 : 32));
          expect(udpResidue(out)).toBe(0);
        }),
        { numRuns: 20 },
      );
    });

    test('tells the bytes that left before, and what waits behind', () => {
      const net = node();
      for (let i = 0; i < 3; i++) net.arrive(NOW, IN, { bytes: intPacket(), length: 1000 });
      net.advance();
      const blocks = net.sent.map(({ packet }) => ({
        queue: toHex(packet.bytes.subarray(67, 70)),
        sent: parseInt(toHex(packet.bytes.subarray(78, 86)), 16),
      }));
      // Each packet leaves with 1032 bytes; 1000 bytes wait behind the second one.
      expect(blocks).toEqual([
        { queue: '000000', sent: 0 },
        { queue: '0003e8', sent: 1032 },
        { queue: '000000', sent: 2064 },
      ]);
    });

    test('forwards what carries no INT without pushing', () => {
      const out = through(node(), intPacket({ dscp: 0 }));
      expect(out).toHaveLength(intPacket().length);
      expect(out[22]).toBe(0x3f);
      expect(internetChecksum(out.subarray(14, 34))).toBe(0);
    });

    test('sets the E flag when no hops remain', () => {
      const out = through(node(), intPacket({ remaining: 0 }));
      expect(toHex(out.subarray(46, 50))).toBe('24000800');
    });

    test('sets the M flag when the hop would exceed the MTU', () => {
      const net = node();
      table(net, 'port_record').modify({
        key: [{ kind: 'exact', value: BigInt(OUT) }],
        priority: 0,
        action: { kind: 'call', call: recordCall(net, [2n, 100_000n, 1n, 1n, 139n, 1n]) },
      });
      expect(toHex(through(net, intPacket()).subarray(46, 50))).toBe('22000804');
    });

    test('spreads flows over a group and keeps every flow on its path', () => {
      const net = node();
      const profile = [...(net.switch.pipeline?.actionProfiles.values() ?? [])][0];
      profile?.insertGroup(
        1,
        [0, 1].map((memberId) => ({ memberId, weight: 1 })),
        0,
      );
      table(net, 'ipv4_route').modify({
        key: [{ kind: 'lpm', value: 0x0a000000n, prefixLength: 8 }],
        priority: 0,
        action: { kind: 'group', groupId: 1 },
      });
      const portsOf = (sourcePort: number): number[] => {
        const start = net.sent.length;
        for (const dscp of [0, 0x17]) {
          const packet = intPacket({ dscp });
          packet.set([sourcePort >> 8, sourcePort & 0xff], 34);
          net.arrive(NOW + net.sent.length * 1_000_000, IN, { bytes: packet, length: 1000 });
        }
        return net.sent.slice(start).map(({ port }) => port);
      };
      const paths = Array.from({ length: 40 }, (_, i) => portsOf(0xc000 + i));
      // INT or not, a flow takes one path; both paths are used.
      expect(paths.every(([plain, telemetry]) => plain === telemetry)).toBe(true);
      expect(new Set(paths.flat())).toEqual(new Set([OUT, SECOND]));
    });

    test('never throws on a packet that is cut short, and drops what IPv4 forbids', () => {
      const whole = intPacket();
      for (let length = 0; length <= whole.length; length++) {
        const net = node();
        net.arrive(NOW, IN, { bytes: whole.subarray(0, length), length });
        // The IPv4 total length of 108 bytes and 14 of Ethernet must be there.
        expect(net.sent).toHaveLength(length >= 122 ? 1 : 0);
      }
    });

    test('drops what has no route, no hops left to live or a wrong checksum', () => {
      const cases = [
        (bytes: Uint8Array): void => bytes.set([0x0b], 30),
        (bytes: Uint8Array): void => bytes.set([1], 22),
        (bytes: Uint8Array): void => bytes.set([0xff, 0xff], 24),
      ];
      for (const [i, spoil] of cases.entries()) {
        const bytes = intPacket();
        spoil(bytes);
        if (i < 2) {
          bytes.set([0, 0], 24);
          const sum = internetChecksum(bytes.subarray(14, 34));
          bytes.set([sum >> 8, sum & 0xff], 24);
        }
        expect(through(node(), bytes)).toHaveLength(0);
      }
    });
  });
}
