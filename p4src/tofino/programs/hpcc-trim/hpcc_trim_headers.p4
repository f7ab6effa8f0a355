#ifndef TOFINO_HPCC_TRIM_HEADERS_P4
#define TOFINO_HPCC_TRIM_HEADERS_P4

typedef MirrorId_t mirror_session_t;

/* The session of the mirror, which a deparser takes from metadata only. */
#define PROGRAM_FIELDS mirror_session_t session;
#include "tofino/target/target_types.p4"

const MirrorType_t MIRROR_HEADER = 1;
/* A chip cuts at no length but those of its sessions. */
#define WITHOUT_SESSION drop_when_full
#define OPTION_HEADERS
#include "tofino/blocks/hpcc-trim/trim_structs.p4"

#endif  /* TOFINO_HPCC_TRIM_HEADERS_P4 */
