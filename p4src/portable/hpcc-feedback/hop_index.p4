#ifndef PORTABLE_HOP_INDEX_P4
#define PORTABLE_HOP_INDEX_P4

#include "../../headers.p4"
#include "../../metadata.p4"
#include "feedback_metadata.p4"
#include "../metadata.p4"

/* How many hops came before this one, if its own is above them: a block has eight words. */
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

#endif  /* PORTABLE_HOP_INDEX_P4 */
