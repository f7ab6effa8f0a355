#ifndef TOFINO_IP_ADMISSION_P4
#define TOFINO_IP_ADMISSION_P4

#include "common/headers.p4"
#include "tofino_metadata.p4"

/*
 * Decides whether a packet may be routed, as ip_admission.p4 does, but for the length of
 * the frame: not every target knows it at ingress, and one that does judges it in `frame_check`.
 */
control tofino_ip_admission(in headers_t hdr, inout metadata_t meta) {
    action refuse(bit<8> cause) {
        meta.arrival.drop_cause = cause;
    }

    action admit() {
        meta.arrival.drop_cause = NO_CAUSE;
    }

    table decision {
        key = {
            hdr.ipv4.isValid()    : ternary @name("is_ipv4");
            hdr.ipv4.version      : ternary @name("ipv4_version");
            hdr.ipv4.ihl          : ternary @name("ihl");
            meta.arrival.bad_checksum : ternary @name("bad_checksum");
            hdr.ipv4.ttl          : ternary @name("ttl");
            hdr.ipv6.isValid()    : ternary @name("is_ipv6");
            hdr.ipv6.version      : ternary @name("ipv6_version");
            hdr.ipv6.hop_limit    : ternary @name("hop_limit");
        }
        actions = { refuse; admit; }
        const default_action = refuse((bit<8>)DROP_NOT_IP);
        size = 9;
        const entries = {
            /* Options are not verified. */
            (true, 4, 5, 1, _, _, _, _)              : refuse((bit<8>)DROP_BAD_IPV4);
            (true, 4, 0 &&& 12, _, _, _, _, _)       : refuse((bit<8>)DROP_BAD_IPV4);
            (true, 4, 4, _, _, _, _, _)              : refuse((bit<8>)DROP_BAD_IPV4);
            (true, 4, _, _, 0 &&& 254, _, _, _)      : refuse((bit<8>)DROP_TTL_EXPIRED);
            (true, 4, _, _, _, _, _, _)              : admit();
            (true, _, _, _, _, _, _, _)              : refuse((bit<8>)DROP_BAD_IPV4);
            (false, _, _, _, _, true, 6, 0 &&& 254)  : refuse((bit<8>)DROP_TTL_EXPIRED);
            (false, _, _, _, _, true, 6, _)          : admit();
            (false, _, _, _, _, true, _, _)          : refuse((bit<8>)DROP_BAD_IPV6);
        }
    }

    apply {
        decision.apply();
    }
}  /* tofino_ip_admission */

#endif  /* TOFINO_IP_ADMISSION_P4 */
