#ifndef IFA_TRANSIT_P4
#define IFA_TRANSIT_P4

#include "ifa_headers.p4"
#include "v1model/blocks/ip_length.p4"
#include "v1model/blocks/carrier_units.p4"

/* The code of the egress port's speed; 15 says that the capacity has none, as 800 Gb/s. */
control ifa_speed(in metadata_t meta, out bit<4> code) {
    action set_code(bit<4> value) {
        code = value;
    }

    table speed_code {
        key = { meta.port.capacity_mbps : exact @name("capacity_mbps"); }
        actions = { set_code; }
        const default_action = set_code(15);
        const entries = {
            10000  : set_code(0);
            25000  : set_code(1);
            40000  : set_code(2);
            50000  : set_code(3);
            100000 : set_code(4);
            200000 : set_code(5);
            400000 : set_code(6);
        }
    }

    apply {
        speed_code.apply();
    }
}  /* ifa_speed */

/*
 * Inserts the record in front of those of earlier hops. Lengths of IP and of the metadata header
 * grow; UDP and TCP know nothing of the metadata, neither by length nor by checksum.
 */
control ifa_transit(inout headers_t hdr,
                    in metadata_t meta,
                    in standard_metadata_t standard_metadata) {
    ifa_speed() speed;
    ip_growth() growth;

    action insert_record(bit<4> speed_code) {
        hdr.ifa_metadata.current_length = hdr.ifa_metadata.current_length + IFA_HOP_WORDS;
        hdr.ifa_hop.setValid();
        hdr.ifa_hop.lns = IFA_LNS;
        hdr.ifa_hop.device_id = meta.port.node_id[19:0];
        hdr.ifa_hop.speed = speed_code;
        hdr.ifa_hop.egress_port = (bit<16>)standard_metadata.egress_port;
        hdr.ifa_hop.ingress_port = (bit<16>)standard_metadata.ingress_port;
        hdr.ifa_hop.tx_bytes = meta.snapshot.tx_bytes[31:0];
        hdr.ifa_hop.queue_cells = queue_cells(meta.snapshot.queue_bytes);
    }

    /* The record tells when the packet came, and how long it stayed. */
    action insert_times() {
        bit<64> arrival_ns = (bit<64>)standard_metadata.ingress_global_timestamp *
                             (bit<64>)meta.port.clock_unit_ns;
        bit<64> seconds = whole_seconds(arrival_ns);
        bit<64> nanoseconds = arrival_ns - seconds * NANOSECONDS_PER_SECOND;
        bit<64> residence_ns = meta.snapshot.timestamp_ns - arrival_ns;
        hdr.ifa_hop.rx_seconds = seconds[19:0];
        hdr.ifa_hop.rx_nanoseconds = nanoseconds[31:0];
        hdr.ifa_hop.residence_ns = residence_ns[31:0];
    }

    apply {
        if (meta.telemetry.push) {
            bit<4> speed_code;
            speed.apply(meta, speed_code);
            insert_record(speed_code);
            insert_times();
            growth.apply(hdr, IFA_HOP_BYTES);
            if (hdr.ifa_metadata.hop_limit != IFA_UNLIMITED_HOPS) {
                hdr.ifa_metadata.hop_limit = hdr.ifa_metadata.hop_limit - 1;
            }
        }
    }
}  /* ifa_transit */

#endif  /* IFA_TRANSIT_P4 */
