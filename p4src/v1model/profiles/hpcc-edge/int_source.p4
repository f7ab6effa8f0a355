#ifndef INT_SOURCE_P4
#define INT_SOURCE_P4

#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "v1model/blocks/l4_checksum.p4"

/*
 * The second half of an INT source: adds shim and an INT-MD header with an empty stack between the
 * transport header and its payload, and marks the packet with the DSCP of INT; the admission then
 * treats it like any other. Refuses, and counts, where the MTU of the egress link leaves no room or
 * is not known, and where the datagram is not the whole IP payload.
 */
control int_source(inout headers_t hdr,
                   in metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    counter(REFUSED_CAUSES, CounterType.packets) refused;
    l4_checksum() checksum;
    bit<32> tcp_sum;
    bit<32> udp_sum;
    bit<32> ip_bytes;
    bit<32> ip_payload;

    action add_headers() {
        hdr.int_shim.setValid();
        hdr.int_shim.type = INT_TYPE_MD;
        hdr.int_shim.length = INT_MD_WORDS;
        hdr.int_shim.original_dscp = meta.l4.dscp;
        hdr.int_md.setValid();
        hdr.int_md.version = INT_VERSION;
        hdr.int_md.hop_words = INT_HOP_WORDS;
        hdr.int_md.remaining_hops = meta.source.max_hops;
        hdr.int_md.instructions = INT_INSTRUCTIONS;
        hdr.int_md.domain_id = INT_DOMAIN_ID;
        hdr.int_md.ds_instructions = INT_DS_INSTRUCTIONS;
    }

    action grow() {
        bit<16> bytes = INT_FIXED_BYTES;
        hdr.ipv4.dscp = INT_DSCP;
        hdr.ipv4.total_len = hdr.ipv4.total_len + bytes;
        hdr.ipv6.dscp = INT_DSCP;
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + bytes;
        hdr.udp.length = hdr.udp.length + bytes;
        standard_metadata.packet_length = standard_metadata.packet_length + (bit<32>)bytes;
        /* Shim, header, and the length of the pseudo-header; UDP has the length twice. */
        tcp_sum = (bit<32>)(INT_TYPE_MD ++ 4w0 ++ INT_MD_WORDS) +
                      ((bit<32>)meta.l4.dscp << 2) +
                      (bit<32>)(INT_VERSION ++ 12w0) +
                      (bit<32>)(8w0 ++ meta.source.max_hops) + (INT_HOP_WORDS << 8) +
                      INT_INSTRUCTIONS + INT_DOMAIN_ID + INT_DS_INSTRUCTIONS + (bit<32>)bytes;
        udp_sum = tcp_sum + (bit<32>)bytes;
    }

    apply {
        if (meta.source.wanted) {
            ip_bytes = hdr.ipv4.isValid() ? (bit<32>)hdr.ipv4.total_len
                                          : (bit<32>)hdr.ipv6.payload_length + (bit<32>)IPV6_BYTES;
            ip_payload = ip_bytes - (hdr.ipv4.isValid() ? (bit<32>)IPV4_BYTES
                                                        : (bit<32>)IPV6_BYTES);
            if (!meta.port.known) {
                refused.count(REFUSED_NO_PORT_RECORD);
            } else if (ip_bytes + (bit<32>)INT_FIXED_BYTES > (bit<32>)meta.port.mtu) {
                refused.count(REFUSED_MTU);
            } else if (hdr.udp.isValid() && (bit<32>)hdr.udp.length != ip_payload ||
                       hdr.tcp.isValid() && (bit<32>)hdr.tcp.data_offset << 2 > ip_payload) {
                refused.count(REFUSED_BAD_LENGTH);
            } else {
                add_headers();
                grow();
                checksum.apply(hdr, tcp_sum, udp_sum);
            }
        }
    }
}  /* int_source */

#endif  /* INT_SOURCE_P4 */
