#ifndef PACKET_TRIM_P4
#define PACKET_TRIM_P4

#include "hpcc_trim_ids.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/types.p4"
#include "v1model/profiles/hpcc-queues/queue_lengths.p4"

/* A cut packet with INT waits with room for the telemetry that is added behind the queue. */
const bit<16> TRIM_ROOM_BYTES = INT_HOP_BYTES;

/* A queue that is never too long. */
const bit<32> QUEUE_BYTES_ENDLESS = 0xFFFFFFFF;

/*
 * Cuts a packet to its headers that would make the queue of its port longer than it may be, as
 * Ultra Ethernet 1.0 wants it of switches: DSCP says which packets may be cut and which were, and
 * those go first. Where INT has taken the place of the DSCP, that in its shim counts. What is left
 * is a whole datagram without a UDP checksum, over IPv6 too, so that switches behind treat it as
 * one: they add telemetry to it and cut it no more. `bytes` is the length with which it waits.
 *
 * No packet is cut that would not get shorter, nor TCP, extension headers of IPv6, and fragments.
 */
control packet_trim(inout headers_t hdr,
                    inout standard_metadata_t standard_metadata,
                    out bit<32> bytes) {
    counter(PORT_COUNT, CounterType.packets_and_bytes) trims;
    bit<6>  dscp;
    bit<32> queue_max;
    bit<16> kept;
    bit<6>  new_dscp;
    bit<3>  first_queue;

    @id(TRIM_ABOVE_ACTION_ID)
    action trim_above(bit<32> queue_bytes, bit<16> kept_bytes, bit<6> trimmed_dscp,
                      bit<3> queue) {
        queue_max = queue_bytes;
        kept = kept_bytes;
        new_dscp = trimmed_dscp;
        first_queue = queue;
    }

    @id(SERVE_FIRST_ACTION_ID)
    action serve_first(bit<3> queue) {
        standard_metadata.priority = queue;
    }

    @id(LEAVE_WHOLE_ACTION_ID)
    action leave_whole() {
    }

    @id(TRIM_OF_DSCP_TABLE_ID)
    table trim_of_dscp {
        key = { dscp : exact @name("dscp"); }
        actions = { trim_above; serve_first; leave_whole; }
        const default_action = leave_whole;
        size = 64;
    }

    @id(SET_QUEUE_MAX_ACTION_ID)
    action set_queue_max(bit<32> queue_bytes) {
        queue_max = queue_bytes;
    }

    @id(KEEP_QUEUE_MAX_ACTION_ID)
    action keep_queue_max() {
    }

    /* Ports whose queue may be longer or shorter than that of others. */
    @id(QUEUE_MAX_OF_PORT_TABLE_ID)
    table queue_max_of_port {
        key = { standard_metadata.egress_spec : exact @name("port"); }
        actions = { set_queue_max; keep_queue_max; }
        const default_action = keep_queue_max;
        size = PORT_COUNT;
    }

    action cut(bit<16> udp_bytes) {
        hdr.udp.length = udp_bytes;
        hdr.udp.checksum = 0;
        standard_metadata.priority = first_queue;
        truncate(bytes);
        trims.count((bit<32>)standard_metadata.egress_spec);
    }

    apply {
        bytes = standard_metadata.packet_length;
        queue_max = QUEUE_BYTES_ENDLESS;
        kept = 0;
        new_dscp = 0;
        first_queue = 0;
        dscp = hdr.int_shim.isValid() ? hdr.int_shim.original_dscp
             : (hdr.ipv4.isValid() ? hdr.ipv4.dscp : hdr.ipv6.dscp);
        trim_of_dscp.apply();
        if (queue_max != QUEUE_BYTES_ENDLESS && hdr.udp.isValid()) {
            queue_max_of_port.apply();
            bit<32> waiting;
            waiting_in_queue.read(waiting, (bit<32>)standard_metadata.egress_spec << QUEUE_BITS);
            /* The shim counts its words behind itself. */
            bit<16> int_bytes =
                hdr.int_shim.isValid() ? INT_SHIM_BYTES + ((bit<16>)hdr.int_shim.length << 2) : 0;
            bit<16> udp_bytes = UDP_BYTES + int_bytes + kept;
            bit<16> room = hdr.int_shim.isValid() ? TRIM_ROOM_BYTES : 0;
            bit<16> ip_bytes = hdr.ipv4.isValid() ? IPV4_BYTES : IPV6_BYTES;
            bit<16> whole = hdr.ipv4.isValid() ? hdr.ipv4.total_len |-| IPV4_BYTES
                          : hdr.ipv6.payload_length;
            if (waiting + bytes > queue_max && udp_bytes + room < whole) {
                bytes = (bit<32>)(ETHERNET_BYTES + ip_bytes + udp_bytes + room);
                if (hdr.int_shim.isValid()) {
                    hdr.int_shim.original_dscp = new_dscp;
                } else if (hdr.ipv4.isValid()) {
                    hdr.ipv4.dscp = new_dscp;
                } else {
                    hdr.ipv6.dscp = new_dscp;
                }
                if (hdr.ipv4.isValid()) {
                    hdr.ipv4.total_len = IPV4_BYTES + udp_bytes;
                } else {
                    hdr.ipv6.payload_length = udp_bytes;
                }
                cut(udp_bytes);
            }
        }
    }
}  /* packet_trim */

#endif  /* PACKET_TRIM_P4 */
