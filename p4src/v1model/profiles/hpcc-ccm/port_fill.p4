#ifndef PORT_FILL_P4
#define PORT_FILL_P4

#include "hpcc_ccm_headers.p4"
#include "hpcc_ccm_types.p4"

/*
 * Decides whether a port has sent at least so many bytes in the latest whole window of time. Hosts
 * that control congestion keep a port full and its queue empty, so an incast is not over when its
 * queue is: it is when its flows no longer fill the port. 0 bytes: no port is full.
 */
control port_fill(in metadata_t meta,
                  in standard_metadata_t standard_metadata,
                  in bit<38> full_bytes,
                  in bit<64> window_ns,
                  out bool is_full) {
    /* By port: when the window began, whether it was full (bit 32), and units of 64 bytes sent. */
    register<bit<64>>(PORT_COUNT) windows;

    action look() {
        bit<64> last;
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        windows.read(last, port);
        bit<31> now = meta.snapshot.timestamp_ns[30:0];
        bit<32> sent = meta.snapshot.tx_bytes[37:6];
        bit<64> elapsed = (bit<64>)(now - last[63:33]);
        bool ends = elapsed >= window_ns;
        /* Without a packet for another window, the bytes are those of more than one. */
        bool fills = elapsed < window_ns << 1 && sent - last[31:0] >= full_bytes[37:6];
        is_full = full_bytes != 0 && (ends ? fills : last[32:32] == 1);
        windows.write(port, ends ? now ++ (is_full ? 1w1 : 1w0) ++ sent : last);
    }

    apply {
        look();
    }
}  /* port_fill */

#endif  /* PORT_FILL_P4 */
