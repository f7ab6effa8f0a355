#ifndef INT_METHODS_P4
#define INT_METHODS_P4

#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"

/*
 * Decides whether what looks like INT is INT here. A domain uses one method ("Header Location"),
 * and a node may be told which: by the others it recognises nothing. The shim must name the same
 * method.
 */
control int_methods(inout headers_t hdr, inout metadata_t meta) {
    /* Bit n is carrier n of int_v2_format.p4. */
    @id(ACCEPT_METHODS_ACTION_ID)
    action accept_methods(bit<8> mask) {
        bit<8> bits = mask >> meta.found.carrier;
        meta.found.carrier = bits[0:0] == 1 ? meta.found.carrier : CARRIER_NONE;
    }

    @id(INT_METHODS_TABLE_ID)
    table methods {
        actions = { accept_methods; }
        default_action = accept_methods(0xFF);
    }

    apply {
        if (meta.found.carrier != CARRIER_NONE) {
            if (hdr.shim.isValid()) {
                bit<2> npt = hdr.shim.carrier_bits[3:2];
                if (meta.found.carrier == CARRIER_PORT) {
                    if (npt == NPT_ORIGINAL_PROTOCOL) {
                        meta.found.carrier = CARRIER_NEW_UDP;
                    } else if (npt != NPT_ORIGINAL_PORT) {
                        meta.found.carrier = CARRIER_NONE;
                    }
                } else if (meta.found.carrier <= CARRIER_MARKER && npt != INT_NPT_NONE) {
                    meta.found.carrier = CARRIER_NONE;
                }
            }
            methods.apply();
        }
    }
}  /* int_methods */

#endif  /* INT_METHODS_P4 */
