#ifndef PATH_LOOKUP_P4
#define PATH_LOOKUP_P4

#include "equal_paths.p4"
#include "hpcc_spray_ids.p4"
#include "common/config.p4"

/*
 * The ports of the shortest paths to the packet's destination. `group` is another number for each
 * destination: packets to one take turns among themselves, from the place `first` on.
 */
control path_lookup(in headers_t hdr, inout metadata_t meta) {
    @id(SET_EQUAL_PATHS_ACTION_ID)
    action set_equal_paths(bit<16> group, bit<4> count, bit<3> first,
                           port_t port_0, port_t port_1, port_t port_2, port_t port_3,
                           port_t port_4, port_t port_5, port_t port_6, port_t port_7) {
        meta.paths.group = group;
        meta.paths.count = count;
        meta.paths.first = first;
        meta.paths.port_0 = port_0;
        meta.paths.port_1 = port_1;
        meta.paths.port_2 = port_2;
        meta.paths.port_3 = port_3;
        meta.paths.port_4 = port_4;
        meta.paths.port_5 = port_5;
        meta.paths.port_6 = port_6;
        meta.paths.port_7 = port_7;
    }

    @id(ONE_PATH_ACTION_ID)
    action one_path() {
        meta.paths.count = 1;
    }

    @id(EQUAL_PATHS_TABLE_ID)
    table equal_paths {
        key = { hdr.ipv4.dst_addr : exact @name("hdr.ipv4.dst_addr"); }
        actions = { set_equal_paths; one_path; }
        const default_action = one_path;
        size = ROUTE_TABLE_SIZE;
    }

    @id(IPV6_EQUAL_PATHS_TABLE_ID)
    table equal_paths_ipv6 {
        key = { hdr.ipv6.dst_addr : exact @name("hdr.ipv6.dst_addr"); }
        actions = { set_equal_paths; one_path; }
        const default_action = one_path;
        size = ROUTE_TABLE_SIZE;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            equal_paths.apply();
        } else {
            equal_paths_ipv6.apply();
        }
    }
}  /* path_lookup */

#endif  /* PATH_LOOKUP_P4 */
