import { readUint16 } from '../../wire/bytes';
import { PROTOCOL_GRE } from '../../wire/ip/tunnels';
import { equal, faultless } from './clause';
import type { ClauseOf } from './clause';
import { hex, l4Fault, withoutHop } from './packet-view';
import type { PacketView } from './packet-view';
import { ofShim, withoutShim } from './passage';
import type { Passage, Role } from './passage';

/** Clauses about INT over GRE, VXLAN-GPE and Geneve, beside those of all carriers. */

const GRE = 'INT over GRE';
const VXLAN = 'INT over VXLAN GPE';
const GENEVE = 'INT over Geneve';
const LOCATION = 'Header Location';
const CHECKSUM = 'Checksum Update';

const ETHERNET = 3;

/** Protocol that a source must keep in the shim: of GRE, of VXLAN-GPE, or of what it put a header in front of. */
function keptProtocol({ sent, returned }: Passage): number | undefined {
  if (returned.shim?.carrier === 'gre')
    return hasAdded({ sent, returned }) ? etherTypeOf(sent) : sent.tunnel?.next;
  return sent.tunnel?.kind === 'vxlan' ? ETHERNET : sent.tunnel?.next;
}

const etherTypeOf = ({ bytes, ipAt }: PacketView): number => readUint16(bytes, ipAt - 2);

/** True if a source has added the header that carries INT, or made VXLAN-GPE of VXLAN, whatever its shim says. */
export function hasAdded({ sent, returned }: Passage): boolean {
  const { shim, int, bytes, ipEnd } = returned;
  if (shim === undefined || int === undefined) return false;
  if (shim.carrier === 'vxlan-gpe') return sent.tunnel?.kind === 'vxlan';
  if (shim.carrier !== 'gre') return shim.added;
  // GRE may stand behind the GRE header of a source.
  const packetOf = (packet: Uint8Array): string => hex(withoutHop(packet));
  const isWhole =
    packetOf(bytes.subarray(int.end, ipEnd)) ===
    packetOf(sent.bytes.subarray(sent.ipAt, sent.ipEnd));
  return sent.protocol !== PROTOCOL_GRE || isWhole;
}

/** Clauses for sources of INT in tunnels. */
export const tunnelAddedClauses = (role: Role): readonly ClauseOf<Passage>[] => [
  {
    name: `${role}-shim-has-gre-protocol`,
    section: GRE,
    check: ofShim(({ carrier, original }, passage) =>
      carrier === 'gre' ? equal('next protocol', keptProtocol(passage), original) : undefined,
    ),
  },
  {
    name: `${role}-shim-has-vxlan-protocol`,
    section: VXLAN,
    check: ofShim(({ carrier, original }, passage) =>
      carrier === 'vxlan-gpe' ? equal('next protocol', keptProtocol(passage), original) : undefined,
    ),
  },
  {
    name: `${role}-shim-tells-added-gre`,
    section: GRE,
    check: ofShim(({ carrier, added }, passage) =>
      carrier === 'gre' ? equal('G', hasAdded(passage), added) : undefined,
    ),
  },
  {
    name: `${role}-shim-tells-plain-vxlan`,
    section: VXLAN,
    check: ofShim(({ carrier, added }, passage) =>
      carrier === 'vxlan-gpe' ? equal('G', hasAdded(passage), added) : undefined,
    ),
  },
  {
    name: `${role}-tunnel-header-unchanged`,
    section: LOCATION,
    check: ofShim(({ carrier }, { sent, returned }) => {
      const isOwn = carrier === 'gre' && hasAdded({ sent, returned });
      if (carrier === 'l4' || isOwn) return undefined;
      return equal('header', sent.tunnel?.rest, returned.tunnel?.rest);
    }),
  },
  {
    name: `${role}-geneve-options-length-right`,
    section: GENEVE,
    check: ofShim(({ carrier, words }, { sent, returned }) => {
      if (carrier !== 'geneve') return undefined;
      const before = sent.tunnel?.optionWords ?? 0;
      return equal('words of options', before + 1 + words, returned.tunnel?.optionWords);
    }),
  },
];

/** Clauses for transit hops of INT in tunnels. */
export const tunnelTransitClauses: readonly ClauseOf<Passage>[] = [
  {
    name: 'transit-tunnel-header-unchanged',
    section: LOCATION,
    check: ({ sent, returned }) =>
      sent.tunnel === undefined
        ? undefined
        : equal(
            'header',
            [sent.tunnel.next, sent.tunnel.rest],
            [returned.tunnel?.next, returned.tunnel?.rest],
          ),
  },
  {
    name: 'transit-gre-checksum-right',
    section: CHECKSUM,
    check: ({ sent, returned }) =>
      returned.l4?.kind === 'gre' ? faultless(l4Fault(returned, sent, 'checksum')) : undefined,
  },
  {
    name: 'transit-gre-shim-unchanged',
    section: GRE,
    check: ofShim(({ carrier, added, original }, { sent }) =>
      carrier === 'gre'
        ? equal('shim', [sent.shim?.added, sent.shim?.original], [added, original])
        : undefined,
    ),
  },
  {
    name: 'transit-vxlan-shim-unchanged',
    section: VXLAN,
    check: ofShim(({ carrier, added, original }, { sent }) =>
      carrier === 'vxlan-gpe'
        ? equal('shim', [sent.shim?.added, sent.shim?.original], [added, original])
        : undefined,
    ),
  },
  {
    name: 'transit-geneve-options-length-right',
    section: GENEVE,
    check: ofShim(({ carrier, words }, { sent, returned }) => {
      if (carrier !== 'geneve') return undefined;
      const grown = words - (sent.shim?.words ?? 0);
      const wanted = (sent.tunnel?.optionWords ?? 0) + grown;
      return equal('words of options', wanted, returned.tunnel?.optionWords);
    }),
  },
];

/** Clauses for sinks of INT in tunnels. */
export const tunnelRemovedClauses = (role: Role): readonly ClauseOf<Passage>[] => [
  {
    name: `${role}-gre-restored`,
    section: GRE,
    check: withoutShim(({ sent, returned }) => {
      if (sent.shim?.carrier !== 'gre' || sent.shim.added) return undefined;
      const found = [returned.tunnel?.next, returned.tunnel?.rest];
      return equal('header', [sent.shim.original, sent.tunnel?.rest], found);
    }),
  },
  {
    name: `${role}-vxlan-restored`,
    section: VXLAN,
    check: withoutShim(({ sent, returned }) => {
      if (sent.shim?.carrier !== 'vxlan-gpe') return undefined;
      const { added, original } = sent.shim;
      const wanted = added ? ['vxlan', 0] : ['vxlan-gpe', original];
      const { kind, next, rest } = returned.tunnel ?? {};
      return equal('header', [...wanted, sent.tunnel?.rest], [kind, next, rest]);
    }),
  },
  {
    name: `${role}-geneve-restored`,
    section: GENEVE,
    check: withoutShim(({ sent, returned }) => {
      if (sent.shim?.carrier !== 'geneve') return undefined;
      const words = (sent.tunnel?.optionWords ?? 0) - 1 - sent.shim.words;
      const { optionWords, rest } = returned.tunnel ?? {};
      return equal('header', [words, sent.tunnel?.rest], [optionWords, rest]);
    }),
  },
];
