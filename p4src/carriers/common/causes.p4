#ifndef CARRIER_CAUSES_P4
#define CARRIER_CAUSES_P4

/*
 * More indexes into `egress.admission.unserved` than types.p4 has for INT; not every carrier has
 * every cause.
 */
const bit<32> UNSERVED_NOT_ENABLED = 8;
const bit<32> UNSERVED_UNKNOWN_NAMESPACE = 9;
const bit<32> UNSERVED_UNKNOWN_SIGNAL = 10;
const bit<32> UNSERVED_NO_BUCKET = 11;
const bit<32> CARRIER_UNSERVED_CAUSES = 12;

#endif  /* CARRIER_CAUSES_P4 */
