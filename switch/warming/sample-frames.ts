import { HPCC_TRANSPORT_PORT } from '../../common/wire/hpcc/hpcc-transport';
import { emitIntMdSource, INT_DSCP, INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { emitEthernet, ETHERNET_LENGTH, ETHERTYPE_IPV4 } from '../../common/wire/ip/ethernet';
import { emitIpv4, IPV4_LENGTH, PROTOCOL_TCP, PROTOCOL_UDP } from '../../common/wire/ip/ipv4';
import { emitUdp, UDP_LENGTH } from '../../common/wire/ip/udp';
import type { PipelineControl } from '../control/table-control';

const IPV4_BITS = 32;
const MAC_BITS = 48;
/** Destinations of each kind that frames are made for. */
const DESTINATIONS_MAX = 8;
/** Entries of a table that are looked at for them: a table may have a million. */
const ENTRIES_MAX = 200;
/** Addresses for documentation (RFC 5737), and a locally administered MAC. */
const SOURCE = 0xc000_0201;
const DESTINATION = 0xc000_0202;
const MAC = 0x0200_0000_0001;
const TTL = 64;
const HOPS = 8;
const TCP_LENGTH = 20;
/** Payload bytes: a full segment and an acknowledgement. */
const PAYLOADS = [1000, 32];
const IPV4_AT = ETHERNET_LENGTH;
const UDP_AT = IPV4_AT + IPV4_LENGTH;
const INT_AT = UDP_AT + UDP_LENGTH;

/**
 * Frames for the addresses that entries match on, as hosts of most networks send them: UDP with and
 * without INT, and TCP.
 */
export function sampleFrames(pipeline: PipelineControl): Uint8Array[] {
  const addresses = keyValues(pipeline, IPV4_BITS, DESTINATION);
  const macs = keyValues(pipeline, MAC_BITS, MAC);
  return addresses.flatMap((destination, i) =>
    PAYLOADS.flatMap((payload) =>
      (['udp', 'int', 'tcp'] as const).map((kind) =>
        frame(kind, payload, { destination, mac: macs[i % macs.length] ?? MAC }),
      ),
    ),
  );
}

/** Values of key fields of that width; `otherwise` where there are none. */
function keyValues({ tables }: PipelineControl, width: number, otherwise: number): number[] {
  const found = new Set<number>();
  for (const table of tables.values()) {
    if (!table.keyWidths.includes(width)) continue;
    let seen = 0;
    for (const { key } of table.entries()) {
      if (found.size === DESTINATIONS_MAX || seen++ === ENTRIES_MAX) break;
      key.forEach((part, i) => {
        if (table.keyWidths[i] !== width || part.kind === 'range') return;
        if (part.value !== 0n) found.add(Number(part.value));
      });
    }
  }
  return found.size === 0 ? [otherwise] : [...found];
}

interface To {
  readonly destination: number;
  readonly mac: number;
}

function frame(kind: 'udp' | 'int' | 'tcp', payload: number, { destination, mac }: To): Uint8Array {
  const transport = kind === 'tcp' ? TCP_LENGTH : UDP_LENGTH;
  const end = UDP_AT + transport + (kind === 'int' ? INT_FIXED_LENGTH : 0) + payload;
  const bytes = new Uint8Array(end);
  emitEthernet({ destination: mac, source: MAC, etherType: ETHERTYPE_IPV4 }, bytes);
  const ipv4 = {
    dscp: kind === 'int' ? INT_DSCP : 0,
    ecn: 0,
    identification: 0,
    ttl: TTL,
    totalLength: end - IPV4_AT,
    source: SOURCE,
    destination,
    protocol: kind === 'tcp' ? PROTOCOL_TCP : PROTOCOL_UDP,
  };
  emitIpv4(ipv4, bytes, IPV4_AT);
  if (kind === 'int') emitIntMdSource({ remainingHops: HOPS, originalDscp: 0 }, bytes, INT_AT);
  if (kind === 'tcp') return bytes;
  const ports = { sourcePort: 50_000, destinationPort: HPCC_TRANSPORT_PORT };
  const context = { source: SOURCE, destination, offset: UDP_AT, end };
  emitUdp({ ...ports, length: end - UDP_AT }, bytes, context);
  return bytes;
}
