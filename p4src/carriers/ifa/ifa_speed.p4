#ifndef IFA_SPEED_P4
#define IFA_SPEED_P4

#include "packet.p4"


/* The code of the egress port's speed; 15 says that the capacity has none, as 800 Gb/s. */
control ifa_speed(in metadata_t meta, out bit<4> code) {
    action set_code(bit<4> value) {
        code = value;
    }

    table speed_code {
        key = { meta.port.capacity_mbps : exact @name("capacity_mbps"); }
        actions = { set_code; }
        const default_action = set_code(15);
        const entries = {
            10000  : set_code(0);
            25000  : set_code(1);
            40000  : set_code(2);
            50000  : set_code(3);
            100000 : set_code(4);
            200000 : set_code(5);
            400000 : set_code(6);
        }
    }

    apply {
        speed_code.apply();
    }
}  /* ifa_speed */

#endif  /* IFA_SPEED_P4 */
