#ifndef PORTABLE_PADDING_ADMISSION_P4
#define PORTABLE_PADDING_ADMISSION_P4

#include "../../config.p4"
#include "../../metadata.p4"
#include "../../profiles/padding/headers.p4"
#include "../metadata.p4"
#include "padding_rooms.p4"

/*
 * Decides as ../../profiles/padding/padding_admission.p4 does, for targets that compare no two
 * fields: one table of constants looks at the differences that padding_rooms.p4 has made. A port
 * record with an MTU of zero is none.
 */
control padding_admission(in headers_t hdr, inout metadata_t meta) {
    PACKET_COUNTER(UNSERVED_CAUSES, unserved);

    padding_rooms() rooms;

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
}  /* padding_admission */

#endif  /* PORTABLE_PADDING_ADMISSION_P4 */
