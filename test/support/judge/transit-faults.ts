import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import { craft, frameFault, layerFault, patched } from './fault';
import type { DeviceFault, Layers, Passing } from './fault';
import { plain, withInt } from './int-frames';
import type { Way } from './int-frames';

const hop = (nodeId: number): object => ({ nodeId, ingressTimestamp: 10, egressTimestamp: 20 });
const HOPS = [hop(1), hop(2)];

const md = (fields: object): AnyLayer => ({ kind: 'int-md', ...fields });

/** A hop that pushes. */
const pushing = (way: Way): Passing => ({
  sent: withInt(way, md({ remainingHops: 8, hops: [hop(1)] }), { ttl: 64 }),
  returned: withInt(way, md({ remainingHops: 7, hops: HOPS })),
});
const UDP = pushing('udp');
const UDP6: Passing = {
  sent: withInt('udp6', md({ remainingHops: 8, hops: [hop(1)] })),
  returned: withInt('udp6', md({ remainingHops: 7, hops: HOPS })),
};

/** The last hop has pushed before. */
const LAST: Passing = {
  sent: withInt('udp', md({ remainingHops: 0, hops: [hop(1)] })),
  returned: withInt('udp', md({ remainingHops: 0, hopLimitExceeded: true, hops: [hop(1)] })),
};

/** M came with the packet, which has room again. */
const MARKED: Passing = {
  sent: withInt('udp', md({ remainingHops: 8, mtuExceeded: true, hops: [hop(1)] })),
  returned: withInt('udp', md({ remainingHops: 7, mtuExceeded: true, hops: HOPS })),
};

const reserved = (value: number): object => ({ nodeId: 2, reserved: [value] });
const ONES = 0xffff_ffff;
const UNKNOWN: Passing = {
  sent: withInt('udp', md({ instructionBitmap: 0x8040, hopWords: 2, hops: [] })),
  returned: withInt(
    'udp',
    md({ instructionBitmap: 0x8040, remainingHops: 7, hops: [reserved(ONES)] }),
  ),
};

/** A hop whose complement keeps the checksum, and one that writes 0 and a new checksum. */
function complementFault(): DeviceFault {
  const int = (complement: number, remainingHops: number): AnyLayer =>
    md({
      instructionBitmap: 0x8001,
      hopWords: 2,
      remainingHops,
      hops: remainingHops === 8 ? [] : [{ nodeId: 2, checksumComplement: complement }],
    });
  const sent = withInt('udp', int(0, 8));
  const checksumOf = (layers: Layers): number => {
    const frame = craft(layers);
    return 256 * (frame[40] ?? 0) + (frame[41] ?? 0);
  };
  const zero = withInt('udp', int(0, 7));
  const difference = checksumOf(zero) - checksumOf(sent);
  const complement = difference < 0 ? difference + 0xffff : difference;
  const passing = { sent, returned: withInt('udp', int(complement, 7)) };
  return frameFault('transit', 'transit-complement-leaves-checksum', passing, [craft(zero)]);
}

/** Bytes that the length of IP does not count. */
const withTrailer = ({ returned }: Passing): Uint8Array =>
  Uint8Array.from([...craft(returned), 1, 2, 3, 4]);

type Row = readonly [clause: string, passing: Passing, kind: string, fields: object];

const ROWS: readonly Row[] = [
  ['ip-source-unchanged', UDP, 'ipv4', { source: '10.9.9.9' }],
  ['ip-destination-unchanged', UDP, 'ipv4', { destination: '10.9.9.9' }],
  ['ip-dscp-unchanged', UDP, 'ipv4', { dscp: 1 }],
  ['udp-sourcePort-unchanged', UDP, 'udp', { sourcePort: 1 }],
  ['udp-destinationPort-unchanged', UDP, 'udp', { destinationPort: 5001 }],
  ['udp-destinationPort-unchanged', pushing('port'), 'udp', { destinationPort: 5001 }],
  ['ip-totalLength-right', UDP, 'ipv4', { totalLength: 999 }],
  ['ip-payloadLength-right', UDP6, 'ipv6', { payloadLength: 999 }],
  ['ip-checksum-right', UDP, 'ipv4', { checksum: 1 }],
  ['udp-length-right', UDP, 'udp', { length: 64 }],
  ['udp-checksum-right', UDP, 'udp', { checksum: 1 }],
  ['udp-checksum-right', UDP6, 'udp', { checksum: 0 }],
  ['shim-type-unchanged', UDP, 'int-shim', { type: 2 }],
  ['shim-npt-unchanged', UDP, 'int-shim', patched(0, '1c')],
  ['shim-originalDscp-unchanged', UDP, 'int-shim', { originalDscp: 3 }],
  ['shim-originalPort-unchanged', pushing('port'), 'int-shim', { originalPort: 4999 }],
  ['shim-originalProtocol-unchanged', pushing('new-udp'), 'int-shim', { originalProtocol: 17 }],
  ['shim-words-right', UDP, 'int-shim', { words: 12 }],
  ['int-discard-unchanged', UDP, 'int-md', { discard: true }],
  ['mtu-exceeded-kept', MARKED, 'int-md', { mtuExceeded: false }],
  ['int-hopWords-unchanged', UDP, 'int-md', patched(2, '04')],
  ['int-instructionBitmap-unchanged', UDP, 'int-md', patched(4, '88')],
  ['int-domainId-unchanged', UDP, 'int-md', { domainId: 9 }],
  ['int-dsInstruction-unchanged', UDP, 'int-md', { dsInstruction: 9 }],
  ['remaining-hop-count-decremented', UDP, 'int-md', { remainingHops: 8 }],
  ['hop-limit-exceeded-when-none-remains', UDP, 'int-md', { hopLimitExceeded: true }],
  ['hop-limit-exceeded-when-none-remains', LAST, 'int-md', { hopLimitExceeded: false }],
  ['one-hop-pushed', UDP, 'int-md', { hops: [...HOPS, hop(3)] }],
  ['one-hop-pushed', LAST, 'int-md', { hops: HOPS }],
  ['earlier-hops-unchanged', UDP, 'int-md', { hops: [hop(5), hop(2)] }],
  ['payload-unchanged', UDP, 'payload', { text: 'abcdefgi' }],
  ['node-id-known', UDP, 'int-md', { hops: [hop(1), hop(ONES)] }],
  [
    'egress-not-before-ingress',
    UDP,
    'int-md',
    { hops: [hop(1), { ...hop(2), egressTimestamp: 5 }] },
  ],
  ['reserved-instructions-all-ones', UNKNOWN, 'int-md', { hops: [reserved(0)] }],
  ['transit-ecn-unchanged', UDP, 'ipv4', { ecn: 1 }],
  ['transit-tcp-header-unchanged', pushing('tcp'), 'tcp', { sequence: 9 }],
  ['transit-tcp-checksum-right', pushing('tcp'), 'tcp', { checksum: 1 }],
  ['transit-gre-checksum-right', pushing('gre'), 'gre', { checksum: 1 }],
  ['transit-protocol-unchanged', UDP, 'ipv4', { protocol: 99 }],
  ['transit-marker-unchanged', pushing('marker'), 'int-marker', { value: '494e542d6d61726c' }],
  ['transit-shim-reserved-unchanged', UDP, 'int-shim', patched(0, '11')],
  ['transit-version-unchanged', UDP, 'int-md', patched(0, '30')],
  ['transit-header-reserved-unchanged', UDP, 'int-md', patched(1, '01')],
  ['transit-tunnel-header-unchanged', pushing('gre'), 'gre', { key: 1 }],
  ['transit-tunnel-header-unchanged', pushing('vxlan-gpe'), 'vxlan-gpe', { vni: 1 }],
  ['transit-gre-shim-unchanged', pushing('gre'), 'int-gre-shim', { nextProtocol: 1 }],
  ['transit-gre-shim-unchanged', pushing('new-gre'), 'int-gre-shim', { greAdded: false }],
  ['transit-vxlan-shim-unchanged', pushing('vxlan'), 'int-gpe-shim', { nextProtocol: 9 }],
  ['transit-geneve-options-length-right', pushing('geneve'), 'geneve', { optionWords: 9 }],
];

/** Transit hops of INT-MD with one fault each. */
export const TRANSIT_FAULTS: readonly DeviceFault[] = [
  frameFault('transit', 'packet-returned', UDP, []),
  frameFault('transit', 'packet-returned', UDP, [craft(plain('udp'))]),
  frameFault('transit', 'packet-returned', UDP, [craft(UDP.returned), craft(UDP.returned)]),
  frameFault('transit', 'ip-totalLength-right', UDP, [withTrailer(UDP)]),
  frameFault('transit', 'ip-payloadLength-right', UDP6, [withTrailer(UDP6)]),
  ...ROWS.map(([clause, passing, kind, fields]) =>
    layerFault('transit', clause, passing, [kind, fields]),
  ),
  complementFault(),
];
