#ifndef V1MODEL_PADDING_PACKET_P4
#define V1MODEL_PADDING_PACKET_P4

/* As those of ../../../portable/padding/padding_records.p4; Tofino does not read so many. */
header eight_records_t {
    bit<512> records;
}

#define OPTION_HEADERS eight_records_t eight_older;
#include "../types.p4"
#include "../../../portable/padding/padding_structs.p4"

#endif  /* V1MODEL_PADDING_PACKET_P4 */
