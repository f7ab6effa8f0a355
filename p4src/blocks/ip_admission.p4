#ifndef IP_ADMISSION_P4
#define IP_ADMISSION_P4

#include "../headers.p4"
#include "ipv4_admission.p4"
#include "ipv6_admission.p4"

/* Decides whether a packet may be routed; sets `cause` when it may not. */
control ip_admission(in headers_t hdr,
                     in standard_metadata_t standard_metadata,
                     out bool admitted,
                     out bit<32> cause) {
    ipv4_admission() ipv4;
    ipv6_admission() ipv6;

    apply {
        if (hdr.ipv4.isValid()) {
            ipv4.apply(hdr, standard_metadata, admitted, cause);
        } else {
            ipv6.apply(hdr, standard_metadata, admitted, cause);
        }
    }
}  /* ip_admission */

#endif  /* IP_ADMISSION_P4 */
