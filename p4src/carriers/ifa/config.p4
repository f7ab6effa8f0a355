#ifndef IFA_CONFIG_P4
#define IFA_CONFIG_P4

/* IP protocol of IFA: none is assigned; 253 is for experiments (RFC 3692). */
#ifndef IFA_PROTOCOL
#define IFA_PROTOCOL 253
#endif

/* The namespace "each hop names its own", and the name of this project's records. */
#ifndef IFA_GNS
#define IFA_GNS 0xF
#endif
#ifndef IFA_LNS
#define IFA_LNS 1
#endif

#define IFA_HOP_WORDS 8
#define IFA_HOP_BYTES 32
#define IFA_UNLIMITED_HOPS 0xFF

#endif  /* IFA_CONFIG_P4 */
