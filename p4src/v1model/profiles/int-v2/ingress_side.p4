#ifndef INGRESS_SIDE_P4
#define INGRESS_SIDE_P4

#include "common/config.p4"
#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"

/* The level 2 interface at which the packet came in; all ones where the controller names none. */
control ingress_side(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    @id(SET_INGRESS_INTERFACE_ACTION_ID)
    action set_ingress_interface(bit<32> interface2) {
        meta.node.ingress_interface2 = interface2;
    }

    @id(INGRESS_INTERFACE_TABLE_ID)
    table ingress_interface {
        key = { standard_metadata.ingress_port : exact @name("standard_metadata.ingress_port"); }
        actions = { set_ingress_interface; }
        const default_action = set_ingress_interface(0xFFFFFFFF);
        size = PORT_COUNT;
    }

    apply {
        ingress_interface.apply();
    }
}  /* ingress_side */

#endif  /* INGRESS_SIDE_P4 */
