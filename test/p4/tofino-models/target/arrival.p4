#ifndef MODEL_ARRIVAL_P4
#define MODEL_ARRIVAL_P4

#include "v1model/blocks/ones_complement.p4"
#include "tofino/blocks/forwarding.p4"

/*
 * The forwarding of Tofino with what v1model knows of a packet that has arrived. An instance has
 * the name of the ingress.
 */
control arrival(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") forwarding() forward;

    apply {
        bit<3> drop_ctl = 0;
        meta.arrival.bad_checksum = standard_metadata.checksum_error;
        meta.target.frame_bytes = standard_metadata.packet_length;
        forward.apply(hdr, meta, standard_metadata.egress_spec, drop_ctl);
        if (drop_ctl == 1) {
            mark_to_drop(standard_metadata);
        }
        /* A header with options is not recomputed: the TTL is the high byte of its word. */
        if (meta.route.found && hdr.ipv4.isValid() && hdr.ipv4.ihl != 5) {
            hdr.ipv4.checksum = checksum_plus(hdr.ipv4.checksum, 0xFFFF - 0x0100);
        }
    }
}  /* arrival */

#endif  /* MODEL_ARRIVAL_P4 */
