#ifndef REPORT_FORMAT_P4
#define REPORT_FORMAT_P4

/* Value of standard_metadata.instance_type that v1model_quirks.p4 has not. */
const bit<32> INSTANCE_INGRESS_CLONE = 1;

/* Number of the field list that a clone for a report keeps. */
#define REPORT_FIELDS 1

/* Cells of the filter of reports. */
#ifndef REPORT_FILTER_SIZE
#define REPORT_FILTER_SIZE 4096
#endif

/* Collectors whose reports pass unreported. */
#ifndef EXEMPT_FLOWS_SIZE
#define EXEMPT_FLOWS_SIZE 64
#endif

/* Kinds of reports in the filter. */
const bit<8> REPORT_KIND_TRACKED = 1;
const bit<8> REPORT_KIND_QUEUE = 2;
const bit<8> REPORT_KIND_DROP = 3;

/* Instructions that a report may answer: the group has the node id, and there is no complement. */
const bit<16> REPORT_INSTRUCTIONS = 0x7F80;
/* Instructions for a packet without an egress port: interfaces and ingress time. */
const bit<16> REPORT_DROP_INSTRUCTIONS = 0x4800;
const bit<16> REPORT_DROP_BIT = 0x0001;

/* Reasons to drop, of the list that the specification names (p4lang/switch). */
const bit<8> DROP_REASON_BAD_IP = 25;
const bit<8> DROP_REASON_TTL = 26;
const bit<8> DROP_REASON_NO_ROUTE = 29;

/* Queue id 8 | drop reason 8 | padding 16 */
header report_drop_t {
    bit<8>  queue_id;
    bit<8>  reason;
    bit<16> padding;
}

#endif  /* REPORT_FORMAT_P4 */
