#ifndef MODEL_PADDING_HEADERS_P4
#define MODEL_PADDING_HEADERS_P4

/* As those of padding_records.p4; Tofino does not read so many. */
header eight_records_t {
    bit<512> records;
}

#define OPTION_HEADERS eight_records_t eight_older;
#include "../target/model_types.p4"
#include "tofino/blocks/padding/padding_structs.p4"

#endif  /* MODEL_PADDING_HEADERS_P4 */
