#ifndef TOFINO_INT_TRANSIT_P4
#define TOFINO_INT_TRANSIT_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino_metadata.p4"

/* Pushes the hop and keeps the lengths true; checksums are the target's matter. */
control tofino_int_transit(inout headers_t hdr, in metadata_t meta) {
    action push_hop() {
        hdr.int_hop.setValid();
        hdr.int_hop.node_id = meta.port.node_id;
        hdr.int_hop.ingress_port = (bit<16>)meta.departure.ingress_port;
        hdr.int_hop.egress_port = (bit<16>)meta.departure.egress_port;
        hdr.int_hop.queue_id = meta.departure.queue_id;
        hdr.int_hop.queue_bytes = meta.snapshot.queue_bytes;
        hdr.int_hop.egress_timestamp = meta.snapshot.timestamp_ns;
        hdr.int_hop.tx_bytes = meta.snapshot.tx_bytes;
        hdr.int_hop.capacity_mbps = meta.port.capacity_mbps;
    }

    /* The length of a header that is not there may change: nobody sees it. */
    action grow() {
        hdr.int_md.remaining_hops = hdr.int_md.remaining_hops - 1;
        hdr.int_shim.length = hdr.int_shim.length + INT_HOP_WORDS;
        hdr.udp.length = hdr.udp.length + INT_HOP_BYTES;
    }

    /* One at a time: Tofino keeps headers that exclude each other in the same place. */
    action grow_ipv4() {
        hdr.ipv4.total_len = hdr.ipv4.total_len + INT_HOP_BYTES;
    }

    action grow_ipv6() {
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + INT_HOP_BYTES;
    }

    apply {
        if (meta.telemetry.push) {
            push_hop();
            grow();
            if (hdr.ipv4.isValid()) {
                grow_ipv4();
            } else {
                grow_ipv6();
            }
        }
    }
}  /* tofino_int_transit */

#endif  /* TOFINO_INT_TRANSIT_P4 */
