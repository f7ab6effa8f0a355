#ifndef TOFINO_INT_ADMISSION_P4
#define TOFINO_INT_ADMISSION_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino_metadata.p4"
#include "int_headroom.p4"

/*
 * Decides as int_admission.p4 does, for targets that compare no two fields: one table of constants
 * looks at the differences that int_headroom.p4 has made. The words of a hop are a power of two. A
 * port record with an MTU of zero is none.
 */
control tofino_int_admission(inout headers_t hdr, inout metadata_t meta) {
    PACKET_COUNTER(UNSERVED_CAUSES, unserved);

    int_headroom() rooms;

    action push() {
        meta.telemetry.push = true;
    }

    action leave(bit<8> cause) {
        meta.room.cause = cause;
    }

    action leave_at_hop_limit() {
        meta.room.cause = (bit<8>)UNSERVED_HOP_LIMIT;
        hdr.int_md.e = 1;
    }

    action leave_at_mtu() {
        meta.room.cause = (bit<8>)UNSERVED_MTU;
        hdr.int_md.m = 1;
    }

    table served {
        key = {
            hdr.int_md.version         : ternary @name("version");
            hdr.int_md.domain_id       : ternary @name("domain_id");
            hdr.int_md.instructions    : ternary @name("instructions");
            hdr.int_md.ds_instructions : ternary @name("ds_instructions");
            hdr.int_md.hop_words       : ternary @name("hop_words");
        }
        actions = { leave; NoAction; }
        const default_action = leave((bit<8>)UNSERVED_UNKNOWN_VERSION);
        size = 2;
        const entries = {
            (INT_VERSION, INT_DOMAIN_ID, INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) :
                NoAction();
            (INT_VERSION, _, _, _, _) : leave((bit<8>)UNSERVED_UNKNOWN_INSTRUCTIONS);
        }
    }

    /* A stack is a whole number of hops; 248 words more do not fit into the length of the shim. */
    table decision {
        key = {
            meta.room.l4              : ternary @name("l4_room");
            meta.room.ip              : ternary @name("ip_room");
            meta.room.stack_words     : ternary @name("stack_words");
            meta.port.mtu             : ternary @name("mtu");
            hdr.int_md.remaining_hops : ternary @name("remaining_hops");
            meta.room.mtu             : ternary @name("mtu_room");
        }
        actions = { push; leave; leave_at_hop_limit; leave_at_mtu; }
        const default_action = push;
        size = 9;
        const entries = {
            (0, _, _, _, _, _)                       : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, 0, _, _, _, _)                       : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, _, 1 &&& 1, _, _, _)                 : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, _, 2 &&& 2, _, _, _)                 : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, _, 4 &&& 4, _, _, _)                 : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, _, _, 0, _, _)                       : leave((bit<8>)UNSERVED_NO_PORT_RECORD);
            (_, _, _, _, 0, _)                       : leave_at_hop_limit();
            (_, _, 256 - INT_HOP_WORDS, _, _, _)     : leave_at_mtu();
            (_, _, _, _, _, 0)                       : leave_at_mtu();
        }
    }

    apply {
        meta.telemetry.push = false;
        meta.room.cause = NO_CAUSE;
        if (hdr.int_md.isValid()) {
            served.apply();
            rooms.apply(hdr, meta);
            if (meta.room.cause == NO_CAUSE) {
                decision.apply();
            }
        } else if (hdr.int_shim.isValid()) {
            meta.room.cause = (bit<8>)UNSERVED_UNKNOWN_VERSION;
        }
        if (meta.room.cause != NO_CAUSE) {
            COUNT(unserved, meta.room.cause);
        }
    }
}  /* tofino_int_admission */

#endif  /* TOFINO_INT_ADMISSION_P4 */
