#ifndef IFA_ADMISSION_P4
#define IFA_ADMISSION_P4

#include "ifa_headers.p4"
#include "v1model/blocks/carrier_units.p4"
#include "v1model/blocks/ip_length.p4"

/* IFA header and metadata header. */
const bit<32> IFA_FIXED_BYTES = 8;

/*
 * Decides whether this node inserts its record. IFA has no flag that tells why it did not; such
 * packets go on unmodified and are counted. Metadata at the tail, in fragments or under a checksum
 * of its own has another layout and is left alone.
 */
control ifa_admission(in headers_t hdr, inout metadata_t meta) {
    counter(CARRIER_UNSERVED_CAUSES, CounterType.packets) unserved;
    ip_length() length;

    /* Bytes behind the IP header that the headers and the records of earlier hops need. */
    action measure(out bit<32> bytes) {
        bytes = IFA_FIXED_BYTES + (bit<32>)hdr.ifa_metadata.current_length * 4 +
                (hdr.udp.isValid() ? (bit<32>)UDP_BYTES : (bit<32>)hdr.tcp.data_offset * 4);
    }

    apply {
        meta.telemetry.push = false;
        if (hdr.ifa.isValid()) {
            bit<32> ip_bytes;
            bit<32> header_bytes;
            bit<32> used_bytes;
            length.apply(hdr, ip_bytes, header_bytes);
            measure(used_bytes);
            bit<16> grown_words = (bit<16>)hdr.ifa_metadata.current_length + IFA_HOP_WORDS;
            if (hdr.ifa.version != IFA_VERSION || hdr.ifa.gns != IFA_GNS ||
                hdr.ifa.metadata_fragment == 1 || hdr.ifa.tail_stamp == 1 ||
                hdr.ifa.checksum == 1 ||
                (hdr.ifa.next_header != PROTOCOL_UDP && hdr.ifa.next_header != PROTOCOL_TCP)) {
                unserved.count(UNSERVED_UNKNOWN_VERSION);
            } else if (!hdr.ifa_metadata.isValid() || header_bytes + used_bytes > ip_bytes) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (hdr.ifa_metadata.hop_limit == 0) {
                unserved.count(UNSERVED_HOP_LIMIT);
            } else if (grown_words > (bit<16>)hdr.ifa.max_length ||
                       ip_bytes + IFA_HOP_BYTES > (bit<32>)meta.port.mtu) {
                unserved.count(UNSERVED_MTU);
            } else {
                meta.telemetry.push = true;
            }
        }
    }
}  /* ifa_admission */

#endif  /* IFA_ADMISSION_P4 */
