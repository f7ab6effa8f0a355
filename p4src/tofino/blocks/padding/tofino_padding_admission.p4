#ifndef TOFINO_PADDING_ADMISSION_P4
#define TOFINO_PADDING_ADMISSION_P4

#include "common/config.p4"
#include "common/metadata.p4"
#include "common/padding_format.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "padding_headroom.p4"

/*
 * Decides as padding_admission.p4 does, for targets that compare no two
 * fields: one table of constants looks at the differences that padding_headroom.p4 has made. A port
 * record with an MTU of zero is none.
 */
control tofino_padding_admission(in headers_t hdr, inout metadata_t meta) {
    PACKET_COUNTER(UNSERVED_CAUSES, unserved);

    padding_headroom() rooms;

    action push() {
        meta.telemetry.push = true;
    }

    action leave(bit<8> cause) {
        meta.room.cause = cause;
    }

    table decision {
        key = {
            meta.room.l4          : ternary @name("l4_room");
            meta.room.ip          : ternary @name("ip_room");
            meta.port.mtu         : ternary @name("mtu");
            hdr.padding.hop_count : ternary @name("hop_count");
            meta.room.mtu         : ternary @name("mtu_room");
        }
        actions = { push; leave; }
        const default_action = push;
        size = 5;
        const entries = {
            (0, _, _, _, _)                             : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, 0, _, _, _)                             : leave((bit<8>)UNSERVED_BAD_LENGTH);
            (_, _, 0, _, _)                             : leave((bit<8>)UNSERVED_NO_PORT_RECORD);
            (_, _, _, PADDING_FULL &&& PADDING_FULL, _) : leave((bit<8>)UNSERVED_HOP_LIMIT);
            (_, _, _, _, 0)                             : leave((bit<8>)UNSERVED_MTU);
        }
    }

    apply {
        meta.telemetry.push = false;
        meta.room.cause = NO_CAUSE;
        if (hdr.padding.isValid()) {
            rooms.apply(hdr, meta);
            decision.apply();
        }
        if (meta.room.cause != NO_CAUSE) {
            COUNT(unserved, meta.room.cause);
        }
    }
}  /* tofino_padding_admission */

#endif  /* TOFINO_PADDING_ADMISSION_P4 */
