#ifndef TOFINO_INT_STRIP_DECISION_P4
#define TOFINO_INT_STRIP_DECISION_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "edge_metadata.p4"

/*
 * Length of shim, INT-MD header and stack, and whether they can be taken out, by the headroom of
 * int_headroom.p4: of an unknown version, where lengths contradict each other, or where the parser
 * did not come to the end of the stack, nothing is.
 */
control int_strip_decision(in headers_t hdr, inout metadata_t meta) {
    action measure() {
        @in_hash { meta.strip.bytes = 6w0 ++ hdr.int_shim.length ++ 2w0; }
    }

    action measure_frame() {
        @in_hash { meta.strip.frame_bytes = 22w0 ++ hdr.int_shim.length ++ 2w0; }
    }

    action add_shim() {
        meta.strip.bytes = meta.strip.bytes + INT_SHIM_BYTES;
        meta.strip.frame_bytes = meta.strip.frame_bytes + (bit<32>)INT_SHIM_BYTES;
    }

    action strip() {
        meta.strip.fits = true;
    }

    action leave() {
        meta.strip.fits = false;
    }

    table decision {
        key = {
            hdr.int_md.isValid()  : ternary @name("is_int");
            meta.deep.is_complete : ternary @name("is_complete");
            hdr.int_md.version    : ternary @name("version");
            meta.room.l4          : ternary @name("l4_room");
            meta.room.ip          : ternary @name("ip_room");
        }
        actions = { strip; leave; }
        const default_action = leave;
        size = 3;
        const entries = {
            (_, _, _, 0, _)                 : leave();
            (_, _, _, _, 0)                 : leave();
            (true, true, INT_VERSION, _, _) : strip();
        }
    }

    apply {
        measure();
        measure_frame();
        add_shim();
        decision.apply();
    }
}  /* int_strip_decision */

#endif  /* TOFINO_INT_STRIP_DECISION_P4 */
