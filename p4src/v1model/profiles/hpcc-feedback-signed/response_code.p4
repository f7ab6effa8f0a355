#ifndef RESPONSE_CODE_P4
#define RESPONSE_CODE_P4

#include "hpcc_feedback_signed_headers.p4"
#include "v1model/blocks/sip_hash.p4"

/*
 * SipHash-2-4 of between whom a response travels, IPv4 addresses mapped into IPv6 (RFC 4291,
 * section 2.5.5.2), and of all of its UDP payload before the code: 32 + 68 bytes. Nothing of it
 * changes on the way.
 */
control response_code(in headers_t hdr,
                      in bit<64> key_low,
                      in bit<64> key_high,
                      out bit<64> code) {
    sip_state_t state;
    sip_start() start;
    sip_word() take;
    sip_end() end;
    ipv6_addr_t source;
    ipv6_addr_t destination;

    action map_ipv4() {
        source = 80w0 ++ 16w0xffff ++ hdr.ipv4.src_addr;
        destination = 80w0 ++ 16w0xffff ++ hdr.ipv4.dst_addr;
    }

    action read_ipv6() {
        source = hdr.ipv6.src_addr;
        destination = hdr.ipv6.dst_addr;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            map_ipv4();
        } else {
            read_ipv6();
        }
        start.apply(key_low, key_high, state);
        take.apply(state, source[127:64]);
        take.apply(state, source[63:0]);
        take.apply(state, destination[127:64]);
        take.apply(state, destination[63:0]);
        take.apply(state, hdr.hpcc.version ++ hdr.hpcc.type ++ hdr.hpcc.flags ++
                          hdr.hpcc.flow_id ++ hdr.hpcc.length ++ hdr.hpcc.generation);
        take.apply(state, hdr.hpcc.sequence);
        take.apply(state, hdr.response.hop_index ++ hdr.response.sequence_kind ++
                          hdr.response.protocol ++ hdr.response.ttl ++ hdr.response.src_port ++
                          hdr.response.dst_port);
        take.apply(state, hdr.response_hop.node_id ++ hdr.response_hop.ingress_port ++
                          hdr.response_hop.egress_port);
        take.apply(state, hdr.response_hop.queue_id ++ hdr.response_hop.queue_bytes ++
                          hdr.response_hop.egress_timestamp[63:32]);
        take.apply(state, hdr.response_hop.egress_timestamp[31:0] ++
                          hdr.response_hop.tx_bytes[63:32]);
        take.apply(state, hdr.response_hop.tx_bytes[31:0] ++ hdr.response_hop.capacity_mbps);
        take.apply(state, hdr.signature.key_id ++ hdr.signature.reserved ++
                          hdr.signature.sequence[63:32]);
        end.apply(state, hdr.signature.sequence[31:0] ++ 24w0 ++ 8w100, code);
    }
}  /* response_code */

#endif  /* RESPONSE_CODE_P4 */
