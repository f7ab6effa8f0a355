#ifndef IOAM_NAMESPACE_P4
#define IOAM_NAMESPACE_P4

#include "common/ids.p4"
#include "ioam_headers.p4"

/*
 * Decides whether IOAM is enabled where the packet came in, and whether this node knows the
 * namespace. A router ignores IOAM unless it is enabled (RFC 9486); namespace 0 is known to every
 * node (RFC 9197 section 4.3).
 *
 * `is_hpcc` gives the namespace the meaning that draft-miao-tsv-hpcc-info needs: timestamps are
 * those of departure, and bit 12 requests txBytes (draft-gafni-ippm-ioam-additional-data-fields).
 * Otherwise the timestamp is that of reception and bit 12 is undefined, as RFC 9197 has it.
 */
control ioam_namespace(in headers_t hdr,
                       inout metadata_t meta,
                       in standard_metadata_t standard_metadata) {
    @id(ENABLE_ACTION_ID)
    action enable() {
        meta.ioam.is_enabled = true;
    }

    @id(DISABLE_ACTION_ID)
    action disable() {
        meta.ioam.is_enabled = false;
    }

    @id(INTERFACE_TABLE_ID)
    table interface {
        key = { standard_metadata.ingress_port : exact @name("standard_metadata.ingress_port"); }
        actions = { enable; disable; }
        default_action = disable;
        size = PORT_COUNT;
    }

    @id(SET_NAMESPACE_ACTION_ID)
    action set_namespace(bit<1> is_hpcc, bit<32> data, bit<64> wide_data) {
        meta.ioam.is_known = true;
        meta.ioam.is_hpcc = is_hpcc == 1;
        meta.ioam.namespace_data = data;
        meta.ioam.wide_namespace_data = wide_data;
    }

    /* Values that were not configured are written as all ones. */
    @id(UNKNOWN_NAMESPACE_ACTION_ID)
    action unknown_namespace() {
        meta.ioam.is_known = hdr.ioam_trace.namespace_id == 0;
        meta.ioam.is_hpcc = false;
        meta.ioam.namespace_data = 0xFFFFFFFF;
        meta.ioam.wide_namespace_data = 0xFFFFFFFFFFFFFFFF;
    }

    @id(NAMESPACES_TABLE_ID)
    table namespaces {
        key = { hdr.ioam_trace.namespace_id : exact @name("namespace_id"); }
        actions = { set_namespace; unknown_namespace; }
        const default_action = unknown_namespace;
        size = IOAM_NAMESPACE_COUNT;
    }

    apply {
        bool has_trace = hdr.ioam_option.isValid() || hdr.nsh_ioam.isValid();
        if (has_trace || meta.dex.found) {
            interface.apply();
        }
        if (has_trace) {
            namespaces.apply();
        }
    }
}  /* ioam_namespace */

#endif  /* IOAM_NAMESPACE_P4 */
