#ifndef TOFINO_PADDING_TRANSIT_P4
#define TOFINO_PADDING_TRANSIT_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/padding_format.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "padding_metadata.p4"

/* The 4-bit code of the link's capacity, as padding_transit.p4 has it. */
control tofino_padding_speed(in metadata_t meta, inout bit<4> code) {
    action set_code(bit<4> value) {
        code = value;
    }

    table speed_code {
        key = { meta.port.capacity_mbps : exact @name("capacity_mbps"); }
        actions = { set_code; }
        const default_action = set_code(15);
        size = 8;
        const entries = {
            25000  : set_code(0);
            50000  : set_code(1);
            100000 : set_code(2);
            200000 : set_code(3);
            400000 : set_code(4);
            800000 : set_code(5);
            10000  : set_code(6);
            40000  : set_code(7);
        }
    }

    apply {
        speed_code.apply();
    }
}  /* tofino_padding_speed */

/*
 * Appends the record behind those of earlier hops, takes the node's 12-bit id into pathID, and
 * keeps the lengths true; the checksum is the target's matter. Fields that share bytes are put
 * together first, in words, since Tofino writes a word from one place at a time.
 */
control tofino_padding_transit(inout headers_t hdr, in metadata_t meta) {
    tofino_padding_speed() speed;
    bit<4> code;
    bit<8> hop_count;
    bit<16> first_word;
    bit<32> first_half;
    bit<32> second_half;

    action read_hop_count() {
        @in_hash { hop_count = 4w0 ++ hdr.padding.hop_count; }
    }

    action add_hop() {
        hop_count = hop_count + 1;
    }

    action compose_first_word() {
        @in_hash {
            first_word = hop_count[3:0] ++ (hdr.padding.path_id ^ meta.port.node_id[11:0]);
        }
    }

    action compose_first_half() {
        @in_hash {
            first_half = code ++ meta.snapshot.timestamp_ns[23:0] ++ meta.snapshot.tx_bytes[26:23];
        }
    }

    action compose_second_half() {
        @in_hash { second_half = meta.snapshot.tx_bytes[22:7] ++ meta.padding.queue_units; }
    }

    action append() {
        hdr.padding.hop_count = first_word[15:12];
        hdr.padding.path_id = first_word[11:0];
        hdr.padding_hop.setValid();
        hdr.padding_hop.speed = first_half[31:28];
        hdr.padding_hop.timestamp_ns = first_half[27:4];
        hdr.padding_hop.tx_units = first_half[3:0] ++ second_half[31:16];
        hdr.padding_hop.queue_units = second_half[15:0];
        hdr.udp.length = hdr.udp.length + PADDING_HOP_BYTES;
    }

    /* One at a time: Tofino keeps headers that exclude each other in the same place. */
    action grow_ipv4() {
        hdr.ipv4.total_len = hdr.ipv4.total_len + PADDING_HOP_BYTES;
    }

    action grow_ipv6() {
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + PADDING_HOP_BYTES;
    }

    apply {
        /* Before the decision is made, so that less comes after it. */
        speed.apply(meta, code);
        read_hop_count();
        add_hop();
        compose_first_word();
        if (meta.telemetry.push) {
            compose_first_half();
            compose_second_half();
            append();
            if (hdr.ipv4.isValid()) {
                grow_ipv4();
            } else {
                grow_ipv6();
            }
        }
    }
}  /* tofino_padding_transit */

#endif  /* TOFINO_PADDING_TRANSIT_P4 */
