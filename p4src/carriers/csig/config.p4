#ifndef CSIG_CONFIG_P4
#define CSIG_CONFIG_P4

/* EtherType of the tag: none is assigned. */
#ifndef CSIG_TPID
#define CSIG_TPID 0x9900
#endif

/* Room for 32 buckets of three signals and several link capacities. */
#ifndef CSIG_BUCKET_COUNT
#define CSIG_BUCKET_COUNT 1024
#endif

/* Available bandwidth is measured over 2^18 ns = 262 us unless the controller says otherwise. */
#ifndef CSIG_WINDOW_SHIFT
#define CSIG_WINDOW_SHIFT 18
#endif

#endif  /* CSIG_CONFIG_P4 */
