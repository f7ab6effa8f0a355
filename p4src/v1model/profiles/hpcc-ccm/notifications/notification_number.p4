#ifndef NOTIFICATION_NUMBER_P4
#define NOTIFICATION_NUMBER_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"

/* A notification gets its sender, and a number that the sender has not used before. */
control notification_number(inout headers_t hdr,
                            in bit<32> node_id,
                            in bit<32> boot,
                            in bit<8> key_id) {
    register<bit<32>>(1) sent_count;

    apply {
        bit<32> count;
        sent_count.read(count, 0);
        count = count + 1;
        sent_count.write(0, count);
        hdr.notification.key_id = key_id;
        hdr.notification.sender_node = node_id;
        hdr.notification.sequence = boot ++ count;
    }
}  /* notification_number */

#endif  /* NOTIFICATION_NUMBER_P4 */
