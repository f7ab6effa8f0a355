import type { IntRole } from '../../../common/telemetry/judge/roles';
import type { NetworkText } from '../../../controller/document/schema';

const MODES: Partial<Record<IntRole, 'md' | 'mx' | 'xd'>> = {
  source: 'md',
  'mx-source': 'mx',
  xd: 'xd',
};
const isSink = (role: IntRole): boolean => role === 'sink' || role === 'mx-sink';

/** Kinds of packets that a source may be for, and carriers of INT in them; the most special first. */
const LINES = [
  { protocol: 'udp', toPort: 4789, carrier: 'vxlan' },
  { protocol: 'udp', toPort: 4790, carrier: 'vxlan' },
  { protocol: 'udp', toPort: 6081, carrier: 'geneve' },
  { protocol: 'gre', carrier: 'gre' },
  { protocol: 'tcp', carrier: 'dscp' },
  { protocol: 'udp', carrier: 'dscp' },
] as const;

/** A switch in a role between two hosts, and a collector at its third port. */
export function judgedNetwork(
  role: IntRole,
  { target, address }: { readonly target: 'embedded' | 'bmv2'; readonly address: string },
): NetworkText {
  const mode = MODES[role];
  const instructions = ['nodeId', 'interfaces', 'hopLatency', 'queue'] as const;
  const sources =
    mode === undefined
      ? []
      : LINES.map((line) => ({ switch: 's1', mode, instructions: [...instructions], ...line }));
  return {
    program: 'int-v2',
    telemetry: {
      collector: { host: 'h3', port: 50_003 },
      int: { sources },
    },
    switches: [{ name: 's1', target, deviceId: 1, address }],
    hosts: [1, 2, 3].map((n) => ({
      name: `h${n}`,
      ipv4: `10.0.0.${n}`,
      ipv6: `2001:db8::${n}`,
      mac: `02:00:00:00:00:0${n}`,
      telemetry: n !== 2 || !isSink(role),
    })),
    links: [1, 2, 3].map((n) => ({
      between: [`h${n}`, `s1:${n}`] as [string, string],
      rate: '10 Gb/s',
    })),
  };
}
