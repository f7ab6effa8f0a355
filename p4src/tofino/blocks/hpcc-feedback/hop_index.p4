#ifndef TOFINO_HOP_INDEX_P4
#define TOFINO_HOP_INDEX_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "feedback_metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"

/* Number of hops before this one, if its own is above them: a block has eight words. */
control hop_index(inout metadata_t meta) {
    action count_hops() {
        @in_hash { meta.subject.hop_index = 3w0 ++ meta.room.stack_words[7:3]; }
    }

    action hide_hops() {
        meta.subject.hop_index = HOP_INDEX_UNKNOWN;
    }

    apply {
        if (meta.telemetry.push) {
            count_hops();
        } else if (!meta.feedback.is_copy) {
            hide_hops();
        }
    }
}  /* hop_index */

#endif  /* TOFINO_HOP_INDEX_P4 */
