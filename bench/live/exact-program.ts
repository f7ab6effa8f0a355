import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { compileSource } from '../../common/io/p4-compiler';
import type { NamedEntity } from '../../controller/entities/named-entity';
import { compiledPipeline } from '../../controller/p4runtime/requests/pipeline';
import type { Pipeline } from '../../controller/p4runtime/requests/pipeline';

/** Destination MAC address of the load generator's data frames. */
export const LOAD_DESTINATION = 0x0200_0001_0002;
const TABLE = 'ingress.forwarding';

const source = (entriesMax: number, mark: number): string => `
#include <core.p4>
#include <v1model.p4>
header ethernet_t { bit<48> destination; bit<48> source; bit<16> type; }
struct headers_t { ethernet_t ethernet; }
struct metadata_t { }
parser parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard) {
  state start { packet.extract(hdr.ethernet); transition accept; }
}
control verifying(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard) {
  action forward(bit<9> port) { standard.egress_spec = port; }
  action drop() { mark_to_drop(standard); }
  table forwarding {
    key = { hdr.ethernet.destination : exact; }
    actions = { forward; drop; }
    const default_action = drop();
    size = ${entriesMax};
  }
  apply { forwarding.apply(); hdr.ethernet.source[7:0] = ${mark}; }
}
control egress(inout headers_t hdr, inout metadata_t meta,
               inout standard_metadata_t standard) { apply { } }
control update(inout headers_t hdr, inout metadata_t meta) { apply { } }
control deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.ethernet); } }
V1Switch(parse(), verifying(), ingress(), egress(), update(), deparse()) main;
`;

/**
 * A program with one exact table of so many entries. Programs with other marks write another byte
 * into packets, and have the same table.
 * @throws InputError without p4c.
 */
export async function exactProgram(entriesMax: number, mark: number): Promise<Pipeline> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-exact-'));
  try {
    fs.writeFileSync(path.join(folder, 'exact.p4'), source(entriesMax, mark));
    const file = { folder, program: 'exact.p4', flags: [], p4info: 'json' } as const;
    const { json, p4info } = await compileSource(file);
    return { ...compiledPipeline({ deviceConfig: json, p4info }), cookie: BigInt(mark) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Entry 0 leads the load to the receiver; all others match no packet. */
export const exactEntry = (i: number, port = 1): NamedEntity => ({
  kind: 'table-entry',
  table: TABLE,
  match: {
    'hdr.ethernet.destination': { exact: i === 0 ? LOAD_DESTINATION : 0x0600_0000_0000 + i },
  },
  priority: 0,
  action: { kind: 'action', action: { name: 'ingress.forward', arguments: { port } } },
});
