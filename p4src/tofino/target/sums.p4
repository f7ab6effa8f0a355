#ifndef TOFINO_SUMS_P4
#define TOFINO_SUMS_P4

/*
 * Preparation of checksums in a parser by difference, so that damage stays visible and options need
 * no parsing: of all that a program may change it takes away what came, and the deparser adds what
 * leaves. test/p4/tofino-models/target/model_target.p4 has the same, of nothing.
 */
#define SUM(name) Checksum() name;
#define SUM_LESS(name, ...) name.subtract({ __VA_ARGS__ })
#define KEEP_SUM(name) meta.target.l4_rest = name.get()

/* Header fields that a program may change. */
#define IPV4_FIELDS \
    hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len, \
    hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol

#define SUM_IPV4(verification, rest) \
    verification.add(hdr.ipv4); \
    meta.arrival.bad_checksum = (bit<1>)verification.verify(); \
    rest.subtract({ IPV4_FIELDS, hdr.ipv4.checksum }); \
    meta.target.ipv4_rest = rest.get()

/* TCP with options passes as it came: they would fill 40 bytes of the packet header vector. */
#define PARSE_TCP_OPTIONS(next) transition accept

#endif  /* TOFINO_SUMS_P4 */
