/*
 * Constants that only v1model and bmv2 have:
 * https://github.com/p4lang/behavioral-model/blob/main/docs/simple_switch.md
 */
#ifndef V1MODEL_QUIRKS_P4
#define V1MODEL_QUIRKS_P4

/* Values of standard_metadata.instance_type. A recirculated packet is again "normal" at egress. */
const bit<32> INSTANCE_EGRESS_CLONE = 2;

/* Number of a field list without fields: what is kept when nothing shall be kept. */
#define NO_FIELDS 0

#endif  /* V1MODEL_QUIRKS_P4 */
